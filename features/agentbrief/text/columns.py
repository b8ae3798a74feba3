"""How wide does a text stand on a screen, and what is left of one that is too wide?

Characters are what a reader takes for one: a letter with its marks, an emoji with all its parts, a flag. One
of East Asia is two columns wide, an emoji too. Source: Unicode Standard Annex 29 (extended grapheme clusters)
and 11, as far as the standard library knows the characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from unicodedata import category, combining, east_asian_width

_ZERO_WIDTH = frozenset({"Mn", "Me", "Cf"})
_MARKS = _ZERO_WIDTH | {"Mc"}
_JOINER = "\u200d"
_AS_EMOJI = "\ufe0f"
_VIRAMA = 9
_LOOSE_END = re.compile(r"[\s,;:.·…/&+\-–—(\[{“‘「《（，、；：。]+\Z")


def columns(text: str) -> int:
    """The width of ``text`` in columns."""
    return len(text) if text.isascii() else sum(map(_width, characters(text)))


def shortened(text: str, most: int) -> str:
    """``text`` in at most ``most`` columns (1 or more); what is too wide ends in an ellipsis.

    It ends with a whole word, or, where that would leave less than half, with a whole character.
    """
    if columns(text) <= most:
        return text
    kept: list[str] = []
    ends: list[tuple[int, int]] = []
    width = 0
    for character in characters(text):
        if kept and _may_part(kept[-1], character):
            ends.append((len(kept), width))
        if width + _width(character) > most - 1:
            break
        kept.append(character)
        width += _width(character)
    count = max((end for end, before in ends if 2 * before >= most), default=len(kept))
    return _LOOSE_END.sub("", "".join(kept[:count])) + "…"


def characters(text: str) -> Iterator[str]:
    """The characters of ``text`` as a reader counts them."""
    start = 0
    for position in range(1, len(text)):
        if not _belongs(text, start, position):
            yield text[start:position]
            start = position
    if text:
        yield text[start:]


def _belongs(text: str, start: int, position: int) -> bool:
    """Whether the code point at ``position`` is part of the character that begins at ``start``."""
    char, before = text[position], text[position - 1]
    if char.isascii():
        return False
    if category(char) in _MARKS or _is_skin(char):
        return True
    if before == _JOINER:
        return category(char) == "So" == category(text[start])
    if _is_region(char):
        return position - start == 1 and _is_region(before)
    if _is_jamo_inside(char):
        return _is_hangul(before)
    return combining(before) == _VIRAMA and category(char) == "Lo"


def _width(character: str) -> int:
    first = character[0]
    if category(first) in _ZERO_WIDTH:
        return 0
    is_flag = len(character) > 1 and _is_region(first)
    return 2 if is_flag or _AS_EMOJI in character or east_asian_width(first) in "WF" else 1


def _may_part(before: str, after: str) -> bool:
    """Whether a line may end between two characters: at a blank, or beside one of East Asia."""
    if before.isspace() or after.isspace():
        return True
    return east_asian_width(before[0]) in "WF" or east_asian_width(after[0]) in "WF"


def _is_skin(char: str) -> bool:
    return "\U0001f3fb" <= char <= "\U0001f3ff"


def _is_region(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"


def _is_jamo_inside(char: str) -> bool:
    return "\u1160" <= char <= "\u11ff"


def _is_hangul(char: str) -> bool:
    return "\u1100" <= char <= "\u11ff" or "\uac00" <= char <= "\ud7a3"
