r"""What counts as white space, and what is a line, for a program that uses Unicode's White_Space property?

Python's own ``str.strip``, ``str.split`` and ``\s`` also take U+001C to U+001F, and ``str.splitlines``
splits at nine more characters. None of them may stand in for the functions here.
"""

from __future__ import annotations

import re

WHITE_SPACE = (
    "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004"
    "\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)
"""The 25 code points with the property White_Space (Unicode 15, PropList).

A byte-order mark is none of them.
"""

LINE_BREAKS = "\n\v\f\r\x85\u2028\u2029"
"""The members of :data:`WHITE_SPACE` that break a line."""

BYTE_ORDER_MARK = "\ufeff"
"""No white space to a program that uses White_Space."""

_BLANK_RUN = re.compile(r"\n{3,}")


def trim(text: str) -> str:
    """``text`` without the white space at both ends."""
    return text.strip(WHITE_SPACE)


def trim_end(text: str) -> str:
    """``text`` without the white space at its end."""
    return text.rstrip(WHITE_SPACE)


def is_blank(text: str) -> bool:
    """Whether nothing is left of ``text`` once it is trimmed."""
    return not trim(text)


def lines(text: str) -> list[str]:
    r"""The lines of ``text`` without their ends, split at LF only.

    One empty last piece is dropped, and one CR right before an LF. A lone CR does not split, and a last line
    without LF keeps its CR. This is how Rust's ``str::lines`` counts.
    """
    pieces = text.split("\n")
    last = pieces.pop()
    found = [piece.removesuffix("\r") for piece in pieces]
    if last:
        found.append(last)
    return found


def collapse(text: str) -> str:
    """``text`` with each line right-trimmed, runs of blank lines made one, and trimmed as a whole.

    Two texts that differ only in line ends, trailing blanks or the number of blank lines give the same
    result.
    """
    joined = "\n".join(trim_end(line) for line in lines(text))
    return trim(_BLANK_RUN.sub("\n\n", joined))
