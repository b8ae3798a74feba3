"""Where does an escape in a line name half a surrogate pair, and how does the line read without it?"""

from __future__ import annotations

import re
from collections.abc import Iterator

_HIGH_OR_LOW = re.compile(rb"\\u[dD][89a-fA-F]")
_ESCAPE = re.compile(rb"\\(?:u([0-9a-fA-F]{4})|.)", re.DOTALL)


def has_half_pair(line: bytes) -> bool:
    """Whether an escape in ``line`` names half a surrogate pair without the other half beside it."""
    if b"\\" not in line:
        return False
    return _HIGH_OR_LOW.search(line) is not None and next(_half_pairs(line), None) is not None


def with_replacement_characters(line: bytes) -> bytes:
    """``line`` with U+FFFD for each such escape; all else keeps its bytes."""
    pieces: list[bytes] = []
    position = 0
    for start, end in _half_pairs(line):
        pieces += [line[position:start], b"\\ufffd"]
        position = end
    return b"".join([*pieces, line[position:]])


def _half_pairs(line: bytes) -> Iterator[tuple[int, int]]:
    """The places of the escapes, in bytes."""
    high: tuple[int, int] | None = None
    for escape in _ESCAPE.finditer(line):
        unit = int(escape[1], 16) if escape[1] else 0
        if high is not None:
            if escape.start() == high[1] and 0xDC00 <= unit <= 0xDFFF:
                high = None
                continue
            yield high
            high = None
        if 0xD800 <= unit <= 0xDBFF:
            high = escape.span()
        elif 0xDC00 <= unit <= 0xDFFF:
            yield escape.span()
    if high is not None:
        yield high
