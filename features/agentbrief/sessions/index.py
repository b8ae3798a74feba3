"""Which records does a transcript of any size hold, and where?

The index keeps columns, not records: where each line begins, its type, its identifier and its parent's, and
the numbers of each call. It is made from chunks of any size and grows with its file. Only the keys that a
column needs are decoded, so a line counts as bad here if those cannot be read; what else is wrong with it is
told by ``records.py``.

Source: performance.md 3.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from typing import Generic

from agentbrief.jsonio import Partial
from agentbrief.sessions.index_shape import CallRow, IndexShape, Row
from agentbrief.sessions.json_tokens import string_in_head
from agentbrief.sessions.lines import Record
from agentbrief.sessions.model import Usage
from agentbrief.sessions.records import MAX_LINE_BYTES, read_lines
from agentbrief.sessions.usage import Call

BAD, BLANK, UNTYPED = "(bad)", "(blank)", "(none)"
"""The types of lines that hold no record, and of records without a type."""

_MOST_BLOCK_BYTES = 1 << 20
_LEAST_BLOCK_BYTES = 1 << 15
_PAUSED_BLOCK_BYTES = 1 << 18
_HEAD_BYTES = 4096
_MOST_TOKENS = (1 << 63) - 1
_GOOD_BLOCKS = 64
"""So many blocks without a bad line make the next ones larger."""


class TranscriptIndex(Generic[Row]):
    """The index of one file; :meth:`feed` adds what comes next in it.

    ``pause`` is called after each few lines, so that a caller can let others run. The columns have one place
    for each line of the file, blank and bad ones too: line ``n`` is at ``n - 1``.
    """

    def __init__(self, shape: IndexShape[Row], pause: Callable[[], None] | None = None) -> None:
        self._shape = shape
        self._partial = Partial(shape.row)
        self._pause = pause
        self._most_block = _MOST_BLOCK_BYTES if pause is None else _PAUSED_BLOCK_BYTES
        self._block_bytes = self._most_block
        self._good_blocks = 0
        self._names: dict[str | None, int] = {}
        self._held: list[bytes] = []
        self._held_bytes = 0
        self.size = 0
        self.offsets = array("Q")
        self.types = array("H")
        self.ids: list[str | None] = []
        self.parents: list[str | None] = []
        self.marks: dict[str, array[int]] = {}
        self._call_places = array("Q")
        self._call_keys: list[str | None] = []
        self._call_requests: list[str | None] = []
        self._call_parts = (array("Q"), array("Q"), array("Q"), array("Q"))

    # Growing

    def feed(self, chunk: bytes) -> None:
        """Add the bytes that follow those fed before."""
        start = 0
        if self._held_bytes:
            start = chunk.find(b"\n") + 1
            if not start:
                self._hold(chunk)
                return
            self._hold(chunk[: start - 1])
            self._end_held()
        last = chunk.rfind(b"\n") + 1
        with memoryview(chunk) as view:
            while start < last:
                end = _block_end(chunk, start, last, self._block_bytes)
                if not self._block(chunk, view, start, end):
                    self._small_blocks(chunk, view, start, end)
                start = end
                if self._pause is not None:
                    self._pause()
        if start < len(chunk):
            self._hold(chunk[start:])

    def drop_pending(self) -> int:
        """Forget a last line without end, to be fed again with what follows it; its bytes so far."""
        pending, self._held, self._held_bytes = self._held_bytes, [], 0
        return pending

    # Asking

    def __len__(self) -> int:
        return len(self.offsets)

    def slice_of(self, line: int) -> tuple[int, int]:
        """Where line ``line`` (from 1) begins and ends in the file, line end included."""
        end = self.offsets[line] if line < len(self.offsets) else self.size
        return self.offsets[line - 1], end

    def type_of(self, line: int) -> str:
        """The type of line ``line`` (from 1); :data:`BAD` and :data:`BLANK` for lines without a record."""
        code = self.types[line - 1]
        return next(name or UNTYPED for name, known in self._names.items() if known == code)

    def sizes(self) -> dict[str, tuple[int, int]]:
        """For each type how many lines have it and how many bytes those take, line ends included."""
        counts = [0] * len(self._names)
        sums = [0] * len(self._names)
        ends = [*self.offsets[1:], self.size]
        for code, start, end in zip(self.types, self.offsets, ends, strict=True):
            counts[code] += 1
            sums[code] += end - start
        return {name or UNTYPED: (counts[code], sums[code]) for name, code in self._names.items()}

    def bad_lines(self) -> tuple[int, ...]:
        """The lines (from 1) of which nothing can be read."""
        code = self._names.get(BAD, -1)
        return tuple(at + 1 for at, each in enumerate(self.types) if each == code)

    def marked(self, word: str) -> tuple[int, ...]:
        """The lines (from 1) with that mark."""
        return tuple(at + 1 for at in self.marks.get(word, ()))

    def calls(self) -> tuple[Call, ...]:
        """The calls as their lines state them; :func:`agentbrief.sessions.usage.distinct` tells copies."""
        aside = set(self.marks.get("sidechain", ()))
        columns = (self._call_places, self._call_keys, self._call_requests, *self._call_parts)
        return tuple(
            Call(place + 1, Usage(*parts), key, request, place in aside)
            for place, key, request, *parts in zip(*columns, strict=True)
            if any(parts)
        )

    # Adding

    def _block(self, chunk: bytes, view: memoryview, start: int, end: int) -> bool:
        """Whether each line of a block holds one object; they are added then, and nothing is otherwise."""
        starts: list[int] = []
        add, find, at = starts.append, chunk.find, start
        while at < end:
            add(at)
            at = find(b"\n", at) + 1
        rows = self._partial.rows(view[start:end])
        if rows is None or len(rows) != len(starts) or not _are_objects(chunk, starts, end):
            return False
        shift = self.size - start
        self.offsets.extend([at + shift for at in starts])
        self.size += end - start
        self._add(rows)
        self._grow_block()
        return True

    def _small_blocks(self, chunk: bytes, view: memoryview, start: int, end: int) -> None:
        """Add a block that holds a bad line: in small blocks, and those with one line by line.

        The blocks stay small for a while: where one line is bad others are.
        """
        self._good_blocks = 0
        self._block_bytes = _LEAST_BLOCK_BYTES
        while start < end:
            stop = _block_end(chunk, start, end, _LEAST_BLOCK_BYTES)
            if not self._block(chunk, view, start, stop):
                self._line_by_line(chunk, start, stop)
            start = stop

    def _line_by_line(self, chunk: bytes, start: int, end: int) -> None:
        good: list[Row] = []
        while start < end:
            stop = chunk.find(b"\n", start)
            line = chunk[start:stop]
            try:
                good.append(self._partial.row(line))
                self._begin_line(len(line))
            except ValueError:
                if good:
                    self._add(good)
                    good = []
                self._line(line)
            start = stop + 1
        if good:
            self._add(good)

    def _grow_block(self) -> None:
        self._good_blocks += 1
        if self._good_blocks >= _GOOD_BLOCKS and self._block_bytes < self._most_block:
            self._good_blocks = 0
            self._block_bytes = min(self._block_bytes * 2, self._most_block)

    def _begin_line(self, length: int) -> None:
        self.offsets.append(self.size)
        self.size += length + 1

    def _line(self, line: bytes) -> None:
        """Add one line, given without its end."""
        offset = self.size
        self._begin_line(len(line))
        try:
            rows = (self._partial.row(line),)
        except ValueError:
            found = next(read_lines((line + b"\n",), offset=offset), None)
            if not isinstance(found, Record):
                self._add_empty(BLANK if found is None else BAD)
                return
            rows = (self._partial.of(found.value),)
        self._add(rows)

    def _add(self, rows: Sequence[Row]) -> None:
        shape, first = self._shape, len(self.ids)
        try:
            codes = shape.codes(rows, self._names)
        except KeyError:
            for each in shape.types(rows):
                self._names.setdefault(each, len(self._names))
            codes = shape.codes(rows, self._names)
        self.types.extend(codes)
        self.ids += shape.ids(rows)
        self.parents += shape.parents(rows)
        if calls := shape.calls(rows, first):
            self._add_calls(calls)
        for place, word in shape.marks(rows, first):
            self.marks.setdefault(word, array("Q")).append(place)
        boundary = self._names.get(shape.boundaries)
        if boundary is not None and boundary in codes:
            for place, (code, row) in enumerate(zip(codes, rows, strict=True), first):
                if code == boundary and shape.is_boundary(row):
                    self.marks.setdefault("boundary", array("Q")).append(place)

    def _add_calls(self, calls: list[CallRow]) -> None:
        places, keys, requests, *parts = zip(*calls, strict=True)
        self._call_places.extend(places)
        self._call_keys += keys
        self._call_requests += requests
        for column, part in zip(self._call_parts, parts, strict=True):
            try:
                column.extend(array("Q", part))
            except OverflowError:
                column.extend([min(max(tokens, 0), _MOST_TOKENS) for tokens in part])

    def _add_empty(self, name: str) -> None:
        self.types.append(self._names.setdefault(name, len(self._names)))
        self.ids.append(None)
        self.parents.append(None)

    # A line that is not at its end yet

    def _hold(self, piece: bytes) -> None:
        is_long = self._held_bytes > MAX_LINE_BYTES
        self._held_bytes += len(piece)
        if is_long:
            return
        self._held.append(piece)
        if self._held_bytes > MAX_LINE_BYTES:
            self._held = [b"".join(self._held)[:_HEAD_BYTES]]

    def _end_held(self) -> None:
        line, size = b"".join(self._held), self._held_bytes
        self._held, self._held_bytes = [], 0
        if size <= MAX_LINE_BYTES:
            self._line(line)
            return
        self.offsets.append(self.size)
        self.size += size + 1
        self._add_empty(string_in_head(line, "type") or BAD)


def _are_objects(chunk: bytes, starts: list[int], end: int) -> bool:
    """Whether each line from ``starts`` up to ``end`` begins and ends as an object does.

    With as many objects as lines that makes it one object a line: neither can two stand on one line while
    another is blank, nor can one go on in the next line.
    """
    byte_at = chunk.__getitem__
    lasts = [at - 2 for at in starts[1:]]
    lasts.append(end - 2)
    count = len(starts)
    return bytes(map(byte_at, starts)) == b"{" * count and bytes(map(byte_at, lasts)) == b"}" * count


def _block_end(chunk: bytes, start: int, end: int, size: int) -> int:
    """Where a block from ``start`` ends: behind the last line end in ``size`` bytes, or behind the first."""
    return chunk.rfind(b"\n", start, min(start + size, end)) + 1 or chunk.find(b"\n", start) + 1
