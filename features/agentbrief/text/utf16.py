r"""How long is a text, and where may it be cut, for a program that counts UTF-16 units?

OpenClaw and pi are such programs: a character above U+FFFF counts two. No cut made here ever splits such a
character. Their white space is JavaScript's, which is neither Python's nor Unicode's White_Space property:
U+FEFF belongs to it, U+0085 does not.
"""

from __future__ import annotations

import re

JS_WHITE_SPACE = (
    "\t\n\v\f\r \xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
r"""What ``trim``, ``\s`` and ``trimEnd`` of JavaScript take for white space."""

WHITE_SPACE_RUN = re.compile(f"[{JS_WHITE_SPACE}]+")
"""One or more characters of :data:`JS_WHITE_SPACE`."""


def length(text: str) -> int:
    """The UTF-16 units of ``text``."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def offset(text: str, units: int) -> int:
    """The code-point offset at most ``units`` UTF-16 units from the start of ``text``.

    A place inside a character is moved to that character's start, one past the end to the end.
    """
    if units <= 0:
        return 0
    if len(text) <= units // 2:
        return len(text)
    if text[:units].isascii():
        return min(units, len(text))
    used = 0
    for index, char in enumerate(text):
        used += 2 if char > "\uffff" else 1
        if used > units:
            return index
    return len(text)


def head(text: str, units: int) -> str:
    """The longest start of ``text`` that holds no more than ``units`` UTF-16 units."""
    return text[: offset(text, units)]


def tail(text: str, units: int) -> str:
    """The last ``units`` UTF-16 units of ``text``; one more where that would begin inside a character."""
    return text[offset(text, length(text) - units) :] if units > 0 else ""


def trim(text: str) -> str:
    """``text`` without the white space at both ends, as JavaScript trims."""
    return text.strip(JS_WHITE_SPACE)


def trim_start(text: str) -> str:
    """``text`` without the white space at its start, as JavaScript trims."""
    return text.lstrip(JS_WHITE_SPACE)


def trim_end(text: str) -> str:
    """``text`` without the white space at its end, as JavaScript trims."""
    return text.rstrip(JS_WHITE_SPACE)
