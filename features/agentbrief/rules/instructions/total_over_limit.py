"""Text past the limit of all files together.

## What it does
Marks the first character of a file that is not sent because the files that the agent pays for
earlier use up its total limit.

## Why it matters
The file that loses is often the project's main one: it lies farthest from the folder that
the agent is started in.

## Example
`packages/api/src/CLAUDE.md`, `packages/api/CLAUDE.md` and the root's `CLAUDE.md` together hold
more than 12,000 characters. An agent started in `packages/api/src` gets only the beginning of the root's
file.

## Better
Shorten the largest file on the chain. Rules that every folder needs belong into the root's file,
and only there. For an agent that reads the nearest file first, such as Claw, a section that only one
folder needs can be moved into that folder's file.

## Which agents
Claw: 12,000 characters in all, nearest file first. claw-code: 12,000 in all, outermost file
first. OpenClaw: 60,000 or 150,000 UTF-16 units by version, in the order of its names; the middle of the file
is lost. The message names the start folder that leaves least of the file, when that is not the file's own.

## Source
ultraworkers/claw-code `rust/crates/runtime/src/prompt.rs`, `MAX_TOTAL_INSTRUCTION_CHARS`; claw.md
2.1 item 5 for the start.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from agentbrief.brief import CutAt, Entry, Included, Omitted
from agentbrief.instructions import InstructionFile
from agentbrief.rules.finding import Arguments, Finding, Fix, Related, Severity
from agentbrief.rules.scene import Scene, View, shown
from agentbrief.text.span import Span
from agentbrief.text.whitespace import trim

SEVERITY: Severity = "warning"


def check(scene: Scene) -> Iterator[Finding]:
    total = scene.profile.limit("total")
    order = total.order if total is not None and total.order else "nearest-first"
    for judged in scene.judged:
        views = [view for view in (judged.own, *judged.views) if _lost(view, order)]
        worst = min(views, key=_sent, default=None)
        if worst is None:
            continue
        placed, brief = worst.placed, worst.brief
        at = placed.at if isinstance(placed, CutAt) else 0
        before = tuple(entry for entry in brief.entries if _pays_before(entry, placed.file, order))
        own = brief.start == judged.file.folder
        yield Finding(
            "total-over-limit",
            judged.file.path,
            Span(at, at + 1),
            SEVERITY,
            f"total-over-limit.{order}" + ("" if own else ".from"),
            scene.profile.id,
            (
                ("agent", scene.profile.title),
                ("max", brief.limits.total),
                ("used", sum(entry.charge.consumed for entry in before)),
                ("sent", _sent(worst)),
                ("dropped", _lost(worst, order)),
                ("start", shown(brief.start, judged.file.path)),
            ),
            related=tuple(
                Related(
                    entry.file.path, Span(0, 0), "total-over-limit.uses", (("chars", entry.charge.consumed),)
                )
                for entry in before
            ),
            data=(
                ("reason", "cut" if isinstance(placed, CutAt) else "omitted"),
                ("cut", at),
                ("start", brief.start),
                *(_nearest_with_room(before, placed.file) if order == "nearest-first" else ()),
            ),
        )


def fix(finding: Finding, text: str) -> Iterable[Fix]:
    from agentbrief.rules.moving import move_section

    return (
        *move_section(finding, text),
        Fix(
            "show-chain",
            "fix.show-chain",
            "refactor",
            command="agentbrief.brief.show",
            command_arguments=(("uri", finding.path),),
        ),
    )


def _lost(view: View, order: str) -> int:
    """The characters of the file that the total limit takes away; 0 where it takes none.

    A file that is never reached in a fixed order is not loaded, which another rule tells.
    """
    placed = view.placed
    if isinstance(placed, CutAt) and placed.by == "total":
        return placed.lost_chars
    if isinstance(placed, Omitted) and placed.why == "budget" and order != "in-order":
        return len(trim(placed.file.text))
    return 0


def _sent(view: View) -> int:
    return view.placed.kept_chars if isinstance(view.placed, Entry) else 0


def _pays_before(entry: Entry, file: InstructionFile, order: str) -> bool:
    sign = 1 if order == "nearest-first" else -1
    mine, other = (
        (sign * file.distance, file.rank, file.path),
        (
            sign * entry.file.distance,
            entry.file.rank,
            entry.file.path,
        ),
    )
    return other < mine


def _nearest_with_room(entries: Iterable[Entry], file: InstructionFile) -> Arguments:
    """What a fix has to know of the nearest of ``entries``; nothing where none is nearer, or it is full.

    What all are told is not moved into one user's own file, nor the other way round.
    """
    alike = (entry for entry in entries if (entry.file.scope == "local") == (file.scope == "local"))
    nearest = min(alike, key=lambda entry: (entry.file.distance, entry.file.rank), default=None)
    if not isinstance(nearest, Included) or nearest.file.distance >= file.distance:
        return ()
    if nearest.file.real_path == file.real_path or nearest.file.is_same_file(file):
        return ()
    text = nearest.file.text
    newline = "\r\n" if "\r\n" in text else "\n"
    gap = newline if text.endswith(newline) else newline * 2
    # What is blank at its end is free now, and counts once something stands behind it.
    room = nearest.charge.limit - (len(text) - nearest.sent.start) - len(gap)
    return (("nearest", nearest.file.path), ("room", room), ("gap", gap)) if room > 0 else ()
