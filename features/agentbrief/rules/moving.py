"""How is text past a limit moved to where it is read, or to where it is read when it is needed?"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable

from agentbrief.rules.finding import Edit, Finding, Fix
from agentbrief.rules.scene import shown
from agentbrief.text.markdown import sections
from agentbrief.text.span import Span

NOTES = "docs/agent-notes.md"
"""Where text that does not fit is moved, beside the file it comes from."""


def show_sections(finding: Finding) -> Fix:
    """Show which sections of the file are largest."""
    return Fix(
        "show-sections",
        "fix.show-sections",
        "refactor.extract",
        command="agentbrief.budget.showSections",
        command_arguments=(("uri", finding.path),),
    )


def move_past_limit(finding: Finding, text: str) -> Iterable[Fix]:
    """Move the lines past the cut into :data:`NOTES` and link them, or show which sections are largest.

    The last line that is kept is the one before the cut's line, further up if the link would not fit. Editors
    that end a file with a line end of their own leave it within the limit.
    """
    show = show_sections(finding)
    limit = int(dict(finding.arguments)["max"])
    start = len(text) - len(text.lstrip())
    link = f"More rules, to be read when they are needed: [{NOTES}]({NOTES})\n"
    newline = "\r\n" if "\r\n" in text[: int(dict(finding.data)["cut"])] else "\n"
    room = start + limit - len(link) - 2 * len(newline)
    split = text.rfind("\n", 0, max(room, 0)) + 1
    moved = text[split:]
    if split == 0 or not moved.strip():
        return (show,)
    target = os.path.join(os.path.dirname(finding.path), NOTES)
    kept_end = newline if not text[:split].endswith((newline * 2,)) else ""
    edits = (
        Edit(finding.path, Span(split, len(text)), kept_end + link.replace("\n", newline)),
        Edit(target, Span(0, 0), moved if moved.endswith("\n") else moved + newline),
    )
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    arguments = (("path", NOTES),)
    move = Fix(
        "move-past-limit", "fix.move-past-limit", "refactor.extract", arguments, edits, digest, confirm=True
    )
    return (move, show)


def move_section(finding: Finding, text: str) -> Iterable[Fix]:
    """Move the section in which the finding stands, with those below it, to the end of the nearest file.

    Only a section with a heading that is not all the file holds, and that the nearest file has room for.
    The finding's data name that file (``nearest``), how many characters more it can take (``room``), and what
    stands between its end and a new section (``gap``).
    """
    known = dict(finding.data)
    if "nearest" not in known:
        return
    all_sections = sections(text)
    at = finding.span.start
    first = next((each for each in all_sections if each.span.start <= at < each.span.end), None)
    if first is None or not first.level:
        return
    behind = (
        each.span.start
        for each in all_sections
        if each.span.start > first.span.start and each.level <= first.level
    )
    moved = Span(first.span.start, next(behind, len(text)))
    section, gap = text[moved.start : moved.end].rstrip(), str(known["gap"])
    newline = "\r\n" if "\r\n" in gap else "\n"
    section = section.replace("\r\n", "\n").replace("\n", newline)
    rest = text[: moved.start] + text[moved.end :]
    if len(section) > int(known["room"]) or not rest.strip():
        return
    nearest = str(known["nearest"])
    yield Fix(
        "move-section",
        "fix.move-section",
        "refactor",
        (("section", first.title), ("path", shown(nearest, finding.path))),
        (Edit(finding.path, moved, ""), Edit(nearest, Span(0, 0), gap + section + newline)),
        hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest(),
        confirm=True,
    )
