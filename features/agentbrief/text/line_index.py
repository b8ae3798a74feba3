"""On which line and in which column is an offset?

The only place that turns code-point offsets into lines and columns and back. Lines end at LF, CR LF or CR:
the three of the LSP specification (types/textDocuments.md), and no others.
"""

from __future__ import annotations

import io
from bisect import bisect_right
from itertools import accumulate
from typing import Literal

Encoding = Literal["utf-8", "utf-16", "utf-32"]


_MOST_SEARCHES = 12


class LineIndex:
    """The lines of one text. Lines and columns count from 0; a column never lies inside a character."""

    __slots__ = ("_ascii", "_known_starts", "_last", "_searches", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self._ascii = text.isascii()
        self._known_starts: list[int] | None = None
        self._last = (0, 0)
        # A few positions are found faster without an index, where LF alone ends lines.
        self._searches = 0 if "\r" in text else _MOST_SEARCHES

    @property
    def _starts(self) -> list[int]:
        """The offset of each line's first character."""
        if self._known_starts is None:
            starts = list(accumulate(map(len, io.StringIO(self.text, newline="")), initial=0))
            if len(starts) > 1 and not self.text.endswith(("\n", "\r")):
                starts.pop()
            self._known_starts = starts
        return self._known_starts

    def __len__(self) -> int:
        """The number of lines; a text that ends with a line end has one empty line more."""
        return len(self._starts)

    def line_start(self, line: int) -> int:
        """The offset of the first character of ``line``; past the last line, the end of the text."""
        return self._starts[line] if line < len(self._starts) else len(self.text)

    def line_end(self, line: int) -> int:
        """The offset behind the last character of ``line``, its line end left out."""
        if line >= len(self._starts):
            return len(self.text)
        if line + 1 == len(self._starts):
            return len(self.text)
        end = self._starts[line + 1] - 1
        if self.text[end] == "\n" and end > self._starts[line] and self.text[end - 1] == "\r":
            end -= 1
        return end

    def line_of(self, offset: int) -> int:
        """The line that holds ``offset``; the end of the text belongs to the last line."""
        return bisect_right(self._starts, min(max(offset, 0), len(self.text))) - 1

    def position(self, offset: int, encoding: Encoding = "utf-32") -> tuple[int, int]:
        """``(line, column)`` of ``offset``, the column in units of ``encoding``.

        An offset outside the text is moved to its nearer end, one inside a line end to the end of that line.
        """
        offset = min(max(offset, 0), len(self.text))
        if self._known_starts is None and self._searches:
            self._searches -= 1
            line, start = self._searched(offset)
        else:
            line = self.line_of(offset)
            start = self._starts[line]
            offset = min(offset, self.line_end(line))
        if self._ascii or encoding == "utf-32":
            return line, offset - start
        return line, _width(self.text[start:offset], encoding)

    def _searched(self, offset: int) -> tuple[int, int]:
        """The line of ``offset`` and its start, counted on from the last place where that is nearer."""
        line, start = self._last if self._last[1] <= offset else (0, 0)
        line += self.text.count("\n", start, offset)
        start = self.text.rfind("\n", start, offset) + 1 or start
        self._last = line, start
        return line, start

    def offset(self, line: int, column: int, encoding: Encoding = "utf-32") -> int:
        """The offset of ``(line, column)``.

        A column past the end of the line gives the end of the line, a line past the end the end of the text,
        and a column inside a character that character's start.
        """
        if line < 0:
            return 0
        if line >= len(self._starts):
            return len(self.text)
        start, end = self._starts[line], self.line_end(line)
        if column <= 0:
            return start
        if self._ascii or encoding == "utf-32":
            return min(start + column, end)
        # Each character takes one unit at least, so no more than ``column`` of them need a look.
        piece = self.text[start : min(end, start + column)]
        return start + (len(piece) if piece.isascii() else _characters(piece, column, encoding))


def _width(piece: str, encoding: Encoding) -> int:
    if encoding == "utf-16":
        return len(piece) if piece.isascii() else len(piece.encode("utf-16-le", "surrogatepass")) // 2
    return len(piece.encode("utf-8", "surrogatepass"))


def _characters(piece: str, column: int, encoding: Encoding) -> int:
    """The number of characters of ``piece`` that end at or before ``column`` units."""
    try:
        # The codecs count a line of a megabyte in a millisecond; a loop takes a hundred times as long.
        if encoding == "utf-16":
            units = piece.encode("utf-16-le")[: 2 * column]
            is_split = len(units) == 2 * column and 0xD8 <= units[-1] <= 0xDB
            return len((units[:-2] if is_split else units).decode("utf-16-le"))
        octets = piece.encode("utf-8")
        while column < len(octets) and octets[column] & 0xC0 == 0x80:
            column -= 1
        return len(octets[:column].decode("utf-8"))
    except UnicodeEncodeError:
        return _characters_one_by_one(piece, column, encoding)


def _characters_one_by_one(piece: str, column: int, encoding: Encoding) -> int:
    """As :func:`_characters`, for a text with lone surrogates, which no codec takes."""
    used = 0
    for index, char in enumerate(piece):
        used += _width(char, encoding)
        if used > column:
            return index
    return len(piece)
