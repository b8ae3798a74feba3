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
from agentbrief.sessions.jsonl.index_shape import CallRow, IndexShape, Row
from agentbrief.sessions.jsonl.json_tokens import string_in_head
from agentbrief.sessions.jsonl.lines import Record
from agentbrief.sessions.jsonl.records import MAX_LINE_BYTES, read_lines
from agentbrief.sessions.model import Usage
from agentbrief.sessions.usage import Call

BAD, BLANK, UNTYPED = "(bad)", "(blank)", "(none)"
"""The types of lines that hold no record, and of records without a type."""

_BLOCK_BYTES = 1 << 20
_PAUSED_BLOCK_BYTES = 1 << 18
"""So much is decoded at once; less where others want to run."""

_CAREFUL_BLOCK_BYTES, _CAREFUL_BLOCKS = 1 << 15, 64
"""Where one line is bad others are: the next blocks are small, so that little is decoded twice."""

_HEAD_BYTES = 4096
_OBJECT = ord("{")
_MOST_TOKENS = (1 << 63) - 1


class TranscriptIndex(Generic[Row]):
    """The index of one file; :meth:`feed` adds what comes next in it.

    ``pause`` is called after each few lines, so that a caller can let others run. The columns have one place
    for each line of the file, blank and bad ones too: line ``n`` is at ``n - 1``.
    """

    def __init__(self, shape: IndexShape[Row], pause: Callable[[], None] | None = None) -> None:
        self._shape = shape
        self._partial = Partial(shape.row)
        self._pause = pause
        self._block_bytes = _BLOCK_BYTES if pause is None else _PAUSED_BLOCK_BYTES
        self._careful_blocks = 0
        self._names: dict[str | None, int] = {}
        self._held: list[bytes] = []
        self._held_bytes = 0
        self._waiting: list[Row] = []
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

    def feed(self, chunk: bytes) -> int:
        """Add the bytes that follow those fed before; how many are pending, of a last line without end."""
        start = 0
        if self._held_bytes:
            start = chunk.find(b"\n") + 1
            if not start:
                self._hold(chunk)
                return self._held_bytes
            self._hold(chunk[: start - 1])
            self._end_held()
        last = chunk.rfind(b"\n") + 1
        with memoryview(chunk) as view:
            self._lines(chunk, view, start, last)
        self._add(())
        if rest := chunk[max(start, last) :]:
            self._hold(rest)
        return self._held_bytes

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
        return tuple(at + 1 for at, code in enumerate(self.types) if code == self._names.get(BAD, -1))

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

    def _lines(self, chunk: bytes, view: memoryview, start: int, end: int) -> None:
        """Add the complete lines from ``start`` to ``end``: in blocks, and one by one where one is bad."""
        rows: list[Row] = []
        begin = start
        while start < end:
            size = _CAREFUL_BLOCK_BYTES if self._careful_blocks else self._block_bytes
            stop = chunk.rfind(b"\n", start, min(start + size, end)) + 1 or chunk.find(b"\n", start) + 1
            found = self._partial.rows(view[start:stop])
            if found is not None:
                rows += found
                self._careful_blocks -= self._careful_blocks > 0
            else:
                self._careful_blocks = _CAREFUL_BLOCKS
                begin = self._one_by_one(chunk, view, begin, start, stop, rows)
            start = stop
            if self._pause is not None:
                self._pause()
        self._add_lines(chunk, begin, end, rows)

    def _one_by_one(
        self, chunk: bytes, view: memoryview, begin: int, start: int, end: int, rows: list[Row]
    ) -> int:
        """Decode the lines from ``start``; ``rows`` are those of the lines from ``begin`` on.

        A line without a record ends them: they are added, and so is it. Returns where the lines now begin
        whose rows wait.
        """
        while start < end:
            stop = chunk.find(b"\n", start)
            try:
                rows.append(self._partial.quick_row(view[start:stop]))
            except (ValueError, RecursionError):
                line = chunk[start:stop]
                row = self._row(line)
                if row is not None:
                    rows.append(row)
                else:
                    self._add_lines(chunk, begin, start, rows)
                    rows.clear()
                    self._add_empty(len(line), BAD if line.strip() else BLANK)
                    begin = stop + 1
            start = stop + 1
        return begin

    def _row(self, line: bytes) -> Row | None:
        """The row of one line, given without its end; None if it holds no record."""
        try:
            return self._partial.row(line)
        except ValueError:
            found = next(read_lines((line + b"\n",), offset=self.size), None)
            return self._partial.of(found.value) if isinstance(found, Record) else None

    def _add_lines(self, chunk: bytes, start: int, end: int, rows: list[Row]) -> None:
        """Add the lines from ``start`` to ``end``, of which ``rows`` were decoded."""
        offsets, shift = self.offsets, self.size - start
        first = len(offsets)
        add, find, at = offsets.append, chunk.find, start
        # With as many objects as lines it is one object a line if each line begins as an object does: where
        # two stand on one line, another one is blank or goes on with the object before it.
        are_objects = True
        while at < end:
            add(at + shift)
            if chunk[at] != _OBJECT:
                are_objects = False
            at = find(b"\n", at) + 1
        if are_objects and len(rows) == len(offsets) - first:
            self.size += end - start
            self._add(rows)
            return
        starts = [offset - shift for offset in offsets[first:]]
        del offsets[first:]
        for at in starts:
            line = chunk[at : find(b"\n", at)]
            row = self._row(line)
            if row is None:
                self._add_empty(len(line), BAD if line.strip() else BLANK)
            else:
                self._add_line(len(line), row)

    def _add_line(self, length: int, row: Row) -> None:
        """Add one line of ``length`` bytes without its end; its row waits for those that follow."""
        self.offsets.append(self.size)
        self.size += length + 1
        self._waiting.append(row)

    def _add(self, rows: Sequence[Row]) -> None:
        """Add the rows that wait, and ``rows``, to the columns."""
        if self._waiting:
            rows, self._waiting = [*self._waiting, *rows], []
        if not rows:
            return
        shape, first = self._shape, len(self.ids)
        try:
            codes = shape.codes(rows, self._names)
        except KeyError:
            for each in shape.types(rows):
                self._names.setdefault(each, len(self._names))
            codes = shape.codes(rows, self._names)
        self.types.fromlist(codes)
        ids = shape.ids(rows)
        self.parents += _sharing(shape.parents(rows), [*(self.ids[-1:] or (None,)), *ids[:-1]])
        self.ids += ids
        if calls := shape.calls(rows, first):
            self._add_calls(calls)
        for place, word in shape.marks(rows, first):
            self.marks.setdefault(word, array("Q")).append(place)
        boundary, at = self._names.get(shape.boundaries, -1), -1
        for _ in range(codes.count(boundary)):
            at = codes.index(boundary, at + 1)
            if shape.is_boundary(rows[at]):
                self.marks.setdefault("boundary", array("Q")).append(first + at)

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

    def _add_empty(self, length: int, name: str) -> None:
        """Add a line without a record, of ``length`` bytes without its end."""
        self._add(())
        self.offsets.append(self.size)
        self.size += length + 1
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
        row = self._row(line) if size <= MAX_LINE_BYTES else None
        if row is not None:
            self._add_line(size, row)
        elif size > MAX_LINE_BYTES:
            self._add_empty(size, string_in_head(line, "type") or BAD)
        else:
            self._add_empty(size, BAD if line.strip() else BLANK)


def _sharing(parents: list[str | None], before: list[str | None]) -> list[str | None]:
    """``parents``, each of them the text in ``before`` where that is equal.

    Most records hang on the one before them: of a large file that saves a fifth of the memory.
    """
    if parents == before:
        return before
    return [own if own == parent else parent for parent, own in zip(parents, before, strict=True)]
