r"""How does a text from a file stand in Markdown without acting as Markdown?

In a hover each character with a meaning gets a backslash; in an export the text stands in a fence that it
cannot close. Source: reliability.md 12.
"""

from __future__ import annotations

import re

_ACTIVE = re.compile(r"[\[\]()<>\\*_#|`]")
_BACKTICKS = re.compile(r"`+")
_SHORTEST_FENCE = 3


def escape_markdown(text: str) -> str:
    r"""``text`` with a backslash before each of ``[ ] ( ) < > \ * _ # |`` and the backtick."""
    return _ACTIVE.sub(lambda found: "\\" + found[0], text)


def fence(text: str) -> str:
    """The backticks that may stand around ``text``: one more than its longest run, at least 3."""
    if "`" not in text:
        return "`" * _SHORTEST_FENCE
    longest = max(len(match[0]) for match in _BACKTICKS.finditer(text))
    return "`" * max(longest + 1, _SHORTEST_FENCE)


def fenced(text: str, info: str = "") -> str:
    """``text`` as a fenced code block, which ends with a line end. ``info`` is a word of our own."""
    around = fence(text)
    return f"{around}{info}\n{text}\n{around}\n"
