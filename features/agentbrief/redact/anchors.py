"""Which of the anchors of the shapes can a text hold at all?

Most texts hold none. An anchor is looked for by its rarest character, which the language finds quickest, and
by the characters around it only where that one stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

_RAREST = "JKI_%:.-x"
"""Characters that anchors have, those that text seldom has first. Of any other anchor the last one counts."""


class _Group(NamedTuple):
    """Anchors that share their rarest character."""

    character: str
    pattern: re.Pattern[str]
    anchors: frozenset[str]


class Anchors:
    """A set of anchors, grouped."""

    def __init__(self, anchors: Iterable[str]) -> None:
        groups: dict[str, list[str]] = {}
        for anchor in dict.fromkeys(anchors):
            groups.setdefault(_rarest(anchor), []).append(anchor)
        self._groups = tuple(_group(character, found) for character, found in groups.items())

    def possible_in(self, text: str) -> frozenset[str]:
        """The anchors that ``text`` may hold: all that it holds, and no other than those of their groups."""
        found: frozenset[str] = frozenset()
        for character, pattern, anchors in self._groups:
            if character in text and pattern.search(text) is not None:
                found |= anchors
        return found


def _rarest(anchor: str) -> str:
    return next((character for character in _RAREST if character in anchor), anchor[-1])


def _group(character: str, anchors: list[str]) -> _Group:
    around: list[str] = []
    for anchor in anchors:
        before, _, behind = anchor.partition(character)
        around.append(f"(?<={re.escape(before + character)})(?={re.escape(behind)})")
    return _Group(character, re.compile(f"{re.escape(character)}(?:{'|'.join(around)})"), frozenset(anchors))
