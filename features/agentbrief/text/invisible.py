"""Which parts of a text does a program read that a person cannot see, or easily overlooks?

Five kinds, each a run of characters that has no use in prose of any script: tag characters, direction
controls, zero-width characters, runs of variation selectors, and text that is out of sight. Marks and joiners
that Arabic, Persian, Indic scripts and emoji need are none of them.

Source: reliability.md 9; corpora/README.md.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from agentbrief.text.out_of_sight import out_of_sight
from agentbrief.text.span import Span

Kind = Literal[
    "hidden-text",
    "direction-control",
    "invisible-character",
    "variation-selector-data",
    "easy-to-miss-text",
]

TAGS = r"\U000e0000-\U000e007f"
SELECTORS = r"\ufe00-\ufe0f\U000e0100-\U000e01ef"
CONTROLS = r"\u202a-\u202e\u2066-\u2069"
ZERO_WIDTH = r"\u00ad\u200b-\u200d\u2060-\u2064\ufeff"
"""The members of the four classes, as they stand between the brackets of a pattern."""

_CANDIDATE = re.compile(f"[{TAGS}{SELECTORS}{CONTROLS}{ZERO_WIDTH}]")
_RUN = re.compile(
    f"(?P<zero_width>[{ZERO_WIDTH}]+)|(?P<selectors>[{SELECTORS}]+)|(?P<tags>[{TAGS}]+)|(?P<control>.)"
)
_ALWAYS = re.compile(r"[\u2061-\u2064\ufeff]+")
_LINE_END = re.compile(r"[\r\n]")
_ASCII_LETTER = re.compile(r"[A-Za-z]")
_ARABIC_OR_INDIC = re.compile(
    r"[\u0600-\u06ff\u0750-\u077f\u0870-\u08ff\ufb50-\ufdff\ufe70-\ufefc\U00010ec0-\U00010eff"
    r"\U0001ee00-\U0001eeff\u0900-\u0dff\u1cd0-\u1cff\ua8e0-\ua8ff]"
)
_BLACK_FLAG = "\U0001f3f4"
_CANCEL_TAG = "\U000e007f"
_FLAGS = tuple(
    "".join(chr(0xE0000 + ord(letter)) for letter in region) + _CANCEL_TAG
    for region in ("gbeng", "gbsct", "gbwls")
)
_LONG_RUN = 8
_OPENING_ISOLATES = "\u2066\u2067\u2068"
_POP_ISOLATE = "\u2069"
_POP_EMBEDDING = "\u202c"


@dataclass(frozen=True, slots=True)
class Hidden:
    """One stretch that a person does not see.

    ``span`` holds those characters; for a direction change its opening control and the text that it turns
    around, for text out of sight the whole comment, or the blanks and the text behind them. ``closing`` is
    the offset of the control that ends a direction change, where there is one.
    """

    kind: Kind
    span: Span
    closing: int | None = None


MOST_OF_A_KIND = 1000
"""How many stretches of a kind are reported. A text made of such characters would have millions."""


@lru_cache(maxsize=128)
def reported(text: str) -> Mapping[Kind, tuple[Hidden, ...]]:
    """The first :data:`MOST_OF_A_KIND` stretches of each kind that ``text`` holds, by place.

    The same text object is searched once, whatever the number of rules that ask.
    """
    found: dict[Kind, list[Hidden]] = {}
    for hidden in invisible(text):
        of_kind = found.setdefault(hidden.kind, [])
        if len(of_kind) < MOST_OF_A_KIND:
            of_kind.append(hidden)
    return {kind: tuple(of_kind) for kind, of_kind in found.items()}


def invisible(text: str) -> tuple[Hidden, ...]:
    """What of ``text`` cannot be seen, by place."""
    found = [Hidden("easy-to-miss-text", span) for span in out_of_sight(text)]
    if not text.isascii():
        found.extend(_characters(text))
        found.sort(key=lambda each: (each.span, each.kind))
    return tuple(found)


def _characters(text: str) -> Iterator[Hidden]:
    controls: list[int] = []
    position = 0
    while match := _CANDIDATE.search(text, position):
        run = _RUN.match(text, match.start())
        assert run is not None
        start, position = run.span()
        match run.lastgroup:
            case "zero_width":
                yield from _zero_width(text, start, position)
            case "selectors":
                if position - start > 1:
                    yield Hidden("variation-selector-data", Span(start, position))
            case "tags":
                if (start := _behind_flag(text, start)) < position:
                    yield Hidden("hidden-text", Span(start, position))
            case _:
                controls.append(start)
    yield from _directions(text, controls)


def _behind_flag(text: str, start: int) -> int:
    if start and text[start - 1] == _BLACK_FLAG:
        for flag in _FLAGS:
            if text.startswith(flag, start):
                return start + len(flag)
    return start


def _zero_width(text: str, start: int, end: int) -> Iterator[Hidden]:
    if start == 0 and text[0] == "\ufeff":
        # The byte-order mark of the file, which has a rule of its own.
        start = 1
    size = end - start
    if size >= _LONG_RUN or (size > 1 and not _touches_joined_script(text, start, end)):
        spans: Iterable[Span] = (Span(start, end),)
    elif size == 1 and _inside_word(text, start):
        spans = (Span(start, end),)
    else:
        spans = (Span(*each.span()) for each in _ALWAYS.finditer(text, start, end))
    for span in spans:
        yield Hidden("invisible-character", span)


def _touches_joined_script(text: str, start: int, end: int) -> bool:
    return any(
        # A virama is a mark, and joiners stand behind it: letters and their marks count alike.
        _ARABIC_OR_INDIC.match(char) is not None and unicodedata.category(char)[0] in "LM"
        for char in (text[start - 1 : start], text[end : end + 1])
        if char
    )


def _inside_word(text: str, offset: int) -> bool:
    before, after = text[offset - 1 : offset], text[offset + 1 : offset + 2]
    return _ASCII_LETTER.match(before) is not None and _ASCII_LETTER.match(after) is not None


def _directions(text: str, controls: Iterable[int]) -> Iterator[Hidden]:
    """One finding an opening control, up to the control that ends it or the end of its line.

    Source: Unicode Standard Annex 9, X1 to X8: the end of an isolate also ends the embeddings inside it, the
    end of an embedding never reaches out of an isolate, and nothing reaches over the end of a line.
    """
    opened: list[int] = []
    isolates = 0
    line_end = -1
    for offset in controls:
        if offset > line_end:
            yield from (Hidden("direction-control", Span(start, line_end)) for start in opened)
            opened.clear()
            isolates = 0
            match = _LINE_END.search(text, offset)
            line_end = match.start() if match else len(text)
        control = text[offset]
        if control == _POP_ISOLATE:
            while isolates and text[opened[-1]] not in _OPENING_ISOLATES:
                yield Hidden("direction-control", Span(opened.pop(), offset))
            if isolates:
                isolates -= 1
                yield Hidden("direction-control", Span(opened.pop(), offset), offset)
        elif control == _POP_EMBEDDING:
            if opened and text[opened[-1]] not in _OPENING_ISOLATES:
                yield Hidden("direction-control", Span(opened.pop(), offset), offset)
        else:
            opened.append(offset)
            isolates += control in _OPENING_ISOLATES
    yield from (Hidden("direction-control", Span(start, line_end)) for start in opened)
