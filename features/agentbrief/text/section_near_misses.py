"""Which headings look like one that a section is found by, and are not?

For the reader of :mod:`agentbrief.text.sections`: a person sees the heading, the reader does not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from agentbrief.text.sections import fenced_lines, heading_of, sections_named
from agentbrief.text.span import Span

NearMissKind = Literal[
    "no-blank", "closing-hashes", "emphasis", "colon", "level", "indent", "underlined", "fence"
]

_ATX = re.compile(r"([ \t]*)(#{1,6})([ \t]*)(.*?)([ \t]+#+)?[ \t\r]*")
_UNDERLINE = re.compile(r" {0,3}(?:=+|-+)[ \t\r]*")
_EMPHASIS = re.compile(r"(\*{1,3}|_{1,3})(.*)\1")


@dataclass(frozen=True, slots=True)
class NearMiss:
    """A line that was meant for the section ``name``, and the first thing that is wrong with it."""

    name: str
    span: Span
    kind: NearMissKind


def near_misses(text: str, names: Iterable[str]) -> tuple[NearMiss, ...]:
    """The headings that miss one of ``names`` narrowly, in file order; names that are found have none."""
    wanted = {name.lower(): name for name in names}
    for section in sections_named(text, list(wanted.values())):
        wanted.pop(section.name.lower(), None)
    if not wanted:
        return ()
    lines = fenced_lines(text)
    found: list[NearMiss] = []
    for index, line in enumerate(lines):
        below = lines[index + 1].text if index + 1 < len(lines) else ""
        miss = _kind(line.text, below, line.hidden)
        if miss is not None and miss[0] in wanted:
            found.append(NearMiss(wanted[miss[0]], line.span, miss[1]))
    return tuple(found)


def _kind(line: str, below: str, hidden: bool) -> tuple[str, NearMissKind] | None:
    """The name a line seems to be a heading for, in lower case, and what is wrong."""
    if hidden:
        heading = heading_of(line)
        return (heading[1].lower(), "fence") if heading else None
    atx = _ATX.fullmatch(line)
    if atx is None:
        plain = line.strip(" \t\r")
        return (plain.lower(), "underlined") if plain and _UNDERLINE.fullmatch(below) else None
    indent, hashes, blank, title, closing = atx.groups()
    name, has_emphasis = _without_emphasis(title)
    has_colon = name.endswith((":", "\uff1a"))
    if has_colon:
        name, inner = _without_emphasis(name[:-1])
        has_emphasis = has_emphasis or inner
    faults: tuple[tuple[bool, NearMissKind], ...] = (
        (bool(indent), "indent"),
        (len(hashes) not in (2, 3), "level"),
        (not blank, "no-blank"),
        (closing is not None, "closing-hashes"),
        (has_emphasis, "emphasis"),
        (has_colon, "colon"),
    )
    return next(((name.strip().lower(), kind) for wrong, kind in faults if wrong), None)


def _without_emphasis(title: str) -> tuple[str, bool]:
    found = _EMPHASIS.fullmatch(title)
    return (found[2], True) if found else (title, False)
