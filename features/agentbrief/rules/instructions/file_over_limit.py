"""Text past the limit of a single file.

## What it does
Marks the first character of an instruction file that the agent does not read, because the
file is longer than the agent's limit for one file.

## Why it matters
Nothing in the agent says that the end of the file is missing. Rules that stand there have no effect.

## Example
A `CLAUDE.md` of 6,012 characters under an agent that reads the first 4,000 of a file: 2,012
characters are lost.

## Better
Move what is needed rarely into another file that the agent opens when it needs it, and name that
file near the top.

## Which agents
Claw and claw-code: 4,000 characters a file (code points; white space around the text does not
count). claw-code writes its cut marker into the total limit, Claw does not. OpenClaw: 12,000 or 20,000 UTF-16
units by version; it keeps the head and the tail of the file and loses the middle.

## Source
ultraworkers/claw-code `rust/crates/runtime/src/prompt.rs`, `MAX_INSTRUCTION_FILE_CHARS`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from agentbrief.brief import CutAt
from agentbrief.rules.finding import Finding, Fix, Severity
from agentbrief.rules.scene import Judged, Scene, View
from agentbrief.text.span import Span

SEVERITY: Severity = "warning"


def check(scene: Scene) -> Iterator[Finding]:
    for judged in scene.judged:
        view = _cut_by_file(judged)
        if view is None:
            continue
        cut = view.placed
        assert isinstance(cut, CutAt)
        arguments = (
            ("agent", scene.profile.title),
            ("max", view.brief.limits.per_file),
            ("dropped", cut.lost_chars),
        )
        yield Finding(
            "file-over-limit",
            judged.file.path,
            Span(cut.at, cut.at + 1),
            SEVERITY,
            "file-over-limit" if cut.tail is None else "file-over-limit.middle",
            scene.profile.id,
            arguments,
            data=(
                ("cut", cut.at),
                ("dropped", cut.lost_chars),
                ("reason", "cut"),
                *((("tail", cut.tail.start),) if cut.tail is not None else ()),
            ),
        )


def fix(finding: Finding, text: str) -> Iterable[Fix]:
    from agentbrief.rules.moving import move_past_limit, show_sections

    # What stands past the limit is the middle there, and the end is read.
    return (show_sections(finding),) if dict(finding.data).get("tail") else move_past_limit(finding, text)


def _cut_by_file(judged: Judged) -> View | None:
    """The view in which the file's own limit cuts it, the one from its own folder first."""
    for view in (judged.own, *judged.views):
        if isinstance(view.placed, CutAt) and view.placed.by == "file":
            return view
    return None
