r"""Which sections of a Markdown text have certain names, for a reader that knows only ``##`` and ``###``?

The reader is OpenClaw (openclaw.md 12.1). A heading stands at the start of a line, has white space behind its
hashes and then exactly the name, in any case. A line that begins, after blanks, with three backticks opens or
closes a fence, and no other line does. Lines end at LF only; a CR stays where it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from agentbrief.text import utf16
from agentbrief.text.span import Span

_BLANK = f"[{utf16.JS_WHITE_SPACE}]"
_HEADING = re.compile(rf"(#{{2,3}}){_BLANK}+(.+?){_BLANK}*\Z", re.DOTALL)
_FENCE = "```"

BETWEEN = "\n\n"
"""What stands between two sections that are shown together."""


@dataclass(frozen=True, slots=True)
class Section:
    """A section: the name that was asked for, its level, its heading line, and all of it, trimmed."""

    name: str
    level: int
    heading: Span
    span: Span


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a text without its LF. ``hidden`` marks the lines of a fence and those inside it."""

    span: Span
    text: str
    hidden: bool


@dataclass(frozen=True, slots=True)
class Joined:
    """Sections as one text. ``cut`` is the place in the file of the first character that was left out."""

    text: str
    cut: int | None


def fenced_lines(text: str) -> tuple[Line, ...]:
    """The lines of ``text``, each with whether the reader takes it for code."""
    found: list[Line] = []
    start = 0
    inside = False
    for piece in text.split("\n"):
        fence = utf16.trim_start(piece).startswith(_FENCE)
        found.append(Line(Span(start, start + len(piece)), piece, inside or fence))
        inside = inside != fence
        start += len(piece) + 1
    return tuple(found)


def heading_of(line: str) -> tuple[int, str] | None:
    """The level and the name of a heading line; None where the reader sees no heading."""
    found = _HEADING.match(line)
    return (len(found[1]), found[2]) if found else None


def sections_named(text: str, names: Iterable[str]) -> tuple[Section, ...]:
    """The first section of each of ``names`` that has one, in the order of the names.

    A section goes on to the next heading of its own level or a higher one; a heading with one hash is none.
    """
    lines = fenced_lines(text)
    headings = [
        (index, level_and_name)
        for index, line in enumerate(lines)
        if not line.hidden and (level_and_name := heading_of(line.text)) is not None
    ]
    found: list[Section] = []
    for name in names:
        for place, (index, (level, title)) in enumerate(headings):
            if title.lower() == name.lower():
                after = next((i for i, (deep, _) in headings[place + 1 :] if deep <= level), len(lines))
                found.append(_section(text, name, level, lines[index], lines[after - 1]))
                break
    return tuple(found)


def joined(text: str, sections: Sequence[Section], max_units: int, notice: str) -> Joined:
    """The sections of ``text`` one after another, at most ``max_units`` UTF-16 units and then ``notice``."""
    whole = BETWEEN.join(text[section.span.start : section.span.end] for section in sections)
    if utf16.length(whole) <= max_units:
        return Joined(whole, None)
    kept = utf16.head(whole, max_units)
    return Joined(kept + notice, _place_of(len(kept), sections))


def _place_of(offset: int, sections: Sequence[Section]) -> int:
    for section in sections:
        if offset < len(section.span):
            return section.span.start + offset
        offset = max(0, offset - len(section.span) - len(BETWEEN))
    return sections[-1].span.end


def _section(text: str, name: str, level: int, first: Line, last: Line) -> Section:
    start, end = first.span.start, last.span.end
    piece = text[start:end]
    end = start + len(utf16.trim_end(piece))
    return Section(name, level, first.span, Span(start, end))
