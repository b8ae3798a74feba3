"""Where do the elements of a JSON array stand in its bytes?"""

from __future__ import annotations

import re

_BLANK = re.compile(rb"[ \t\r\n]*")
_TOKEN = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"|[\[\]{},]', re.DOTALL)


def element_slices(data: bytes, start: int, end: int) -> tuple[tuple[int, int], ...]:
    """The elements of the valid array that stands at ``data[start:end]``: for each its start and its end."""
    found: list[tuple[int, int]] = []
    depth = 0
    begin = _after_blank(data, start + 1)
    for token in _TOKEN.finditer(data, start, end):
        sign = token[0]
        if sign in (b"[", b"{"):
            depth += 1
        elif sign in (b"]", b"}"):
            depth -= 1
            if depth == 0 and token.start() > begin:
                found.append((begin, _before_blank(data, begin, token.start())))
        elif sign == b"," and depth == 1:
            found.append((begin, _before_blank(data, begin, token.start())))
            begin = _after_blank(data, token.end())
    return tuple(found)


def _after_blank(data: bytes, position: int) -> int:
    found = _BLANK.match(data, position)
    return found.end() if found else position


def _before_blank(data: bytes, start: int, end: int) -> int:
    return start + len(data[start:end].rstrip(b" \t\r\n"))
