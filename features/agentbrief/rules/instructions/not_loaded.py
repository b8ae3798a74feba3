"""An instruction file that is not loaded.

## What it does
Names a file with the right name in the right place that the agent gets nothing of: it is no
plain file, may not be read, is too large, is not UTF-8, is a link that leads nowhere or out of the workspace,
or is blank.

## Why it matters
The other files of the chain are loaded as if nothing were wrong, so the missing one goes unnoticed.

## Example
A `CLAUDE.md` that was saved as UTF-16 by another editor.

## Better
The message says the reason and what to do: save as UTF-8, mend the link, copy the text into the
workspace, or fill the file.

## Which agents
OpenClaw stops where the limit for all files is reached, and writes a marker for a file that it cannot
read. Claw skips such a file and reports it. claw-code loads nothing at all when a file cannot be
read, and is silent about blank files and links that lead nowhere. That a link out of the workspace is not
followed is this tool's rule, for your safety.

## Source
claw.md 2.3; ultraworkers/claw-code `rust/crates/runtime/src/prompt.rs`, `discover_instruction_files`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from agentbrief.brief import Omitted
from agentbrief.rules.finding import Argument, Finding, Fix, Severity
from agentbrief.rules.scene import Scene
from agentbrief.text.span import Span

SEVERITY: Severity = "warning"


def check(scene: Scene) -> Iterator[Finding]:
    for judged in scene.judged:
        placed = judged.own.placed
        if not isinstance(placed, Omitted) or (placed.why == "budget" and not _in_order(scene)):
            continue
        problem = judged.file.problem
        reason = problem.kind if problem else _why(scene, placed)
        message = f"not-loaded.{reason}"
        arguments: list[tuple[str, Argument]] = [("agent", scene.profile.title), ("name", judged.file.name)]
        if problem is not None and problem.kind == "not-utf8":
            if problem.detail == "utf-16":
                message = "not-loaded.utf-16"
            arguments.append(("offset", problem.offset or 0))
        yield Finding(
            "not-loaded",
            judged.file.path,
            Span(0, len(judged.text)),
            SEVERITY,
            message,
            scene.profile.id,
            tuple(arguments),
            data=(("reason", reason),),
        )


def _in_order(scene: Scene) -> bool:
    """Whether the agent goes through its files in a fixed order and stops where the limit is reached."""
    total = scene.profile.limit("total")
    return total is not None and total.order == "in-order"


def _why(scene: Scene, placed: Omitted) -> str:
    if placed.why == "budget":
        openclaw = scene.profile.openclaw
        memory = openclaw.context_files[-1].memory if openclaw is not None else ()
        is_second = placed.file.name in memory[1:] and scene.profile.openclaw is not None
        return "second-memory" if is_second and not placed.heading else "not-reached"
    return "too-large" if placed.why == "not-loaded" else "blank"


def fix(finding: Finding, text: str) -> Iterable[Fix]:
    if finding.reason != "outside-roots":
        return ()
    return (
        Fix(
            "reveal-target",
            "fix.reveal-target",
            "quickfix",
            command="agentbrief.instructions.revealTarget",
            command_arguments=(("uri", finding.path),),
        ),
    )
