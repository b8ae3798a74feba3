"""A file with the same text as another one on the chain.

## What it does
Names the pairs of instruction files of one chain whose texts are equal once line ends,
trailing blanks and repeated blank lines are left out of the comparison. It stands at the copy that is dropped
and names the one that stays.

## Why it matters
Only one of the two is sent. An edit of the other has no effect, and it is easy to edit the wrong one.

## Example
`CLAUDE.md` and `packages/web/CLAUDE.md` with the same text: an agent started in `packages/web`
gets the nearer one.

## Better
Keep the outer file and delete the nearer copy: other folders inherit the outer one.

## Which agents
Claw keeps the nearest copy, claw-code the outermost. A link to the other file is said to be one.

## Source
ultraworkers/claw-code `rust/crates/runtime/src/prompt.rs`, `dedupe_instruction_files`; claw.md 2.4 and 3.2.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from agentbrief.brief import DuplicateOf
from agentbrief.rules.finding import Finding, Fix, Related, Severity
from agentbrief.rules.scene import Scene, shown
from agentbrief.text.span import Span

SEVERITY: Severity = "information"


def check(scene: Scene) -> Iterator[Finding]:
    for judged in scene.judged:
        seen: set[str] = set()
        for view in (judged.own, *judged.views):
            placed = view.placed
            if not isinstance(placed, DuplicateOf) or placed.survivor.path in seen:
                continue
            seen.add(placed.survivor.path)
            same_file = placed.file.is_same_file(placed.survivor)
            nearer = min((placed.file, placed.survivor), key=lambda file: file.distance)
            yield Finding(
                "duplicate-instructions",
                judged.file.path,
                _first_line(judged.text),
                SEVERITY,
                "duplicate-instructions.same-file" if same_file else "duplicate-instructions",
                scene.profile.id,
                (("agent", scene.profile.title), ("other", shown(placed.survivor.path, judged.file.path))),
                related=(Related(placed.survivor.path, Span(0, 0), "duplicate-instructions.kept"),),
                data=(
                    ("other", placed.survivor.path),
                    ("nearer", nearer.path),
                    ("reason", "same-file" if same_file else "same-text"),
                ),
            )


def fix(finding: Finding, text: str) -> Iterable[Fix]:
    data = dict(finding.data)
    found = [
        Fix(
            "open-other-copy",
            "fix.open-other-copy",
            "quickfix",
            command="agentbrief.instructions.compare",
            command_arguments=(("uri", finding.path), ("other", data["other"])),
        )
    ]
    if data["reason"] == "same-text":
        found.append(
            Fix(
                "delete-nearer-copy",
                "fix.delete-nearer-copy",
                "quickfix",
                (("path", shown(str(data["nearer"]), finding.path)),),
                confirm=True,
                deletes_file=str(data["nearer"]),
            )
        )
    return found


def _first_line(text: str) -> Span:
    end = text.find("\n")
    return Span(0, len(text) if end < 0 else end)
