"""Where are the headings and the code of a Markdown text?"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from agentbrief.text.span import Span

_FENCE = re.compile(r" {0,3}(`{3,}(?=[^`\r\n]*\r?\n?\Z)|~{3,})")
_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*\r?\n?\Z")
_CODE_SPAN = re.compile(r"(?<!`)(`+)(?!`)((?:(?!\n[ \t]*\n).)*?)(?<!`)\1(?!`)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and the text up to the next heading.

    ``level`` is 0 for the text before the first heading, whose ``title`` is empty. ``heading`` is the
    heading's line without its line end, ``span`` the heading and its text, both in code points of the whole
    text.
    """

    level: int
    title: str
    heading: Span
    span: Span


def fences(text: str) -> tuple[Span, ...]:
    """The fenced code blocks, fence lines included; an unclosed one reaches to the end of the text."""
    found: list[Span] = []
    opened: tuple[str, int] | None = None
    for start, line in _lines_with_marks(text):
        fence = _FENCE.match(line)
        if opened is None:
            if fence:
                opened = (fence[1], start)
        elif fence and fence[1].startswith(opened[0]) and not line[fence.end() :].strip(" \t\r\n"):
            found.append(Span(opened[1], start + len(line)))
            opened = None
    if opened is not None:
        found.append(Span(opened[1], len(text)))
    return tuple(found)


def _lines_with_marks(text: str) -> Iterator[tuple[int, str]]:
    """The lines that hold three marks of a fence, each with its start. The others are never looked at."""
    backticks, tildes = text.find("```"), text.find("~~~")
    while backticks >= 0 or tildes >= 0:
        at = backticks if tildes < 0 or 0 <= backticks < tildes else tildes
        start = text.rfind("\n", 0, at) + 1
        end = text.find("\n", at) + 1 or len(text)
        yield start, text[start:end]
        if 0 <= backticks < end:
            backticks = text.find("```", end)
        if 0 <= tildes < end:
            tildes = text.find("~~~", end)


def code(text: str) -> tuple[Span, ...]:
    """The fenced blocks and the code spans of ``text``, in order."""
    blocks = fences(text)
    found = list(blocks)
    start = 0
    for block in (*blocks, Span(len(text), len(text))):
        found.extend(
            Span(match.start(), match.end()) for match in _CODE_SPAN.finditer(text, start, block.start)
        )
        start = block.end
    return tuple(sorted(found))


def headings(text: str, position: int = 0) -> Iterator[tuple[int, str, int, int]]:
    """The ATX headings on lines that start at ``position`` or behind it: level, title, and the start and end
    of the line without its line end. Those inside fenced code do not count.
    """
    if position and text[position - 1] != "\n":
        position = text.find("\n", position) + 1 or len(text)
    blocks = iter(fences(text))
    block = next(blocks, None)
    while (position := _next_heading(text, position)) >= 0:
        while block is not None and block.end <= position:
            block = next(blocks, None)
        end = text.find("\n", position)
        line = text[position : len(text) if end < 0 else end + 1]
        if not (block is not None and block.contains(position)) and (match := _HEADING.match(line)):
            yield len(match[1]), (match[2] or "").strip(), position, position + len(line.rstrip("\r\n"))
        position += max(len(line), 1)


def sections(text: str) -> tuple[Section, ...]:
    """The sections of ``text`` by its ATX headings, in order and without overlap.

    Headings inside fenced code do not count. Text before the first heading is a section of level 0.
    """
    marks = [(level, title, Span(start, end)) for level, title, start, end in headings(text)]
    found: list[Section] = []
    first = marks[0][2].start if marks else len(text)
    if text[:first].strip():
        found.append(Section(0, "", Span(0, 0), Span(0, first)))
    for index, (level, title, heading) in enumerate(marks):
        end = marks[index + 1][2].start if index + 1 < len(marks) else len(text)
        found.append(Section(level, title, heading, Span(heading.start, end)))
    return tuple(found)


def _next_heading(text: str, position: int) -> int:
    """The next line that begins like a heading, from the line start ``position`` on; -1: there is none."""
    while (mark := text.find("#", position)) >= 0:
        start = mark
        while start > position and mark - start < 3 and text[start - 1] == " ":
            start -= 1
        if start == position or text[start - 1] == "\n":
            return start
        position = text.find("\n", mark) + 1
        if not position:
            break
    return -1
