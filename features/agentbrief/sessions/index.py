"""Which records does a transcript of any size hold, and where?

The index keeps columns, not records: where each line begins, its type, its identifier and its parent's, and
the numbers of each call. It is made from chunks of any size and grows with its file. Only the keys that a
column needs are decoded, so a line counts as bad here if those cannot be read; what else is wrong with it is
told by ``records.py``.

Source: performance.md 3.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from agentbrief.jsonio import Partial
from agentbrief.sessions.json_tokens import string_in_head
from agentbrief.sessions.lines import Record
from agentbrief.sessions.model import Usage
from agentbrief.sessions.records import MAX_LINE_BYTES, read_lines
from agentbrief.sessions.usage import Call

Row = TypeVar("Row")

BAD, BLANK, UNTYPED = "(bad)", "(blank)", "(none)"
"""The types of lines that hold no record, and of records without a type."""

_MOST_BLOCK_BYTES = 1 << 20
_LEAST_BLOCK_BYTES = 1 << 15
_PAUSED_BLOCK_BYTES = 1 << 18
_HEAD_BYTES = 4096
_MOST_TOKENS = (1 << 63) - 1
_CallName = tuple[str | None, str | None]


CallRow = tuple[int, str | None, str | None, int, int, int, int]
"""A call in a block of rows: which row states it, key and request, and its four parts in tokens:

input, output, written to the cache, read from the cache.
"""


@dataclass(frozen=True, slots=True)
class IndexShape(Generic[Row]):
    """What the index of one format keeps of a row. Each function is given many rows at once.

    ``marks`` are rows of a kind that is looked for later, such as ``boundary``.
    """

    row: type[Row]
    types: Callable[[Sequence[Row]], list[str | None]]
    ids: Callable[[Sequence[Row]], list[str | None]]
    parents: Callable[[Sequence[Row]], list[str | None]]
    calls: Callable[[Sequence[Row]], list[CallRow]]
    marks: Callable[[Sequence[Row]], Iterable[tuple[int, str]]]


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
        self._names: dict[str | None, int] = {}
        self._held: list[bytes] = []
        self._held_bytes = 0
        self.size = 0
        self.offsets = array("Q")
        self.types = array("H")
        self.ids: list[str | None] = []
        self.parents: list[str | None] = []
        self.marks: dict[str, array[int]] = {}
        self._call_rows = array("Q")
        self._call_names: list[_CallName | None] = []
        self._last_call: _CallName | None = None
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
                end = chunk.rfind(b"\n", start, start + self._block_bytes) + 1
                end = end or chunk.find(b"\n", start) + 1
                self._block(chunk, view, start, end)
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
        found: list[Call] = []
        name: _CallName = (None, None)
        for row, named, *parts in zip(self._call_rows, self._call_names, *self._call_parts, strict=True):
            name = name if named is None else named
            key, request = name
            if any(parts):
                found.append(Call(row + 1, Usage(*parts), key, request, row in aside))
        return tuple(found)

    # Adding

    def _block(self, chunk: bytes, view: memoryview, start: int, end: int) -> None:
        shift = self.size - start
        starts: list[int] = []
        add, find, at = starts.append, chunk.find, start
        while at < end:
            add(at + shift)
            at = find(b"\n", at) + 1
        rows = self._partial.rows(view[start:end])
        if rows is None or len(rows) != len(starts) or not _are_objects(chunk, starts, shift, end):
            self._piece_by_piece(chunk, view, start, end)
            return
        self._block_bytes = min(self._block_bytes * 2, self._most_block)
        self.offsets.extend(starts)
        self.size += end - start
        self._add(rows)

    def _piece_by_piece(self, chunk: bytes, view: memoryview, start: int, end: int) -> None:
        """Add a block that holds a bad line: in smaller blocks, the smallest of them line by line."""
        smaller = self._block_bytes // 4
        if smaller >= _LEAST_BLOCK_BYTES and end - start > smaller:
            self._block_bytes = smaller
            while start < end:
                stop = chunk.rfind(b"\n", start, min(start + self._block_bytes, end)) + 1
                stop = stop or chunk.find(b"\n", start) + 1
                self._block(chunk, view, start, stop)
                start = stop
            return
        while start < end:
            stop = chunk.find(b"\n", start)
            self._line(chunk[start:stop])
            start = stop + 1

    def _line(self, line: bytes) -> None:
        """Add one line, given without its end."""
        offset = self.size
        self.size += len(line) + 1
        self.offsets.append(offset)
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
        types = shape.types(rows)
        try:
            self.types.extend([self._names[each] for each in types])
        except KeyError:
            for each in types:
                self._names.setdefault(each, len(self._names))
            self.types.extend([self._names[each] for each in types])
        self.ids += shape.ids(rows)
        self.parents += shape.parents(rows)
        self._add_calls(first, shape.calls(rows))
        for row, word in shape.marks(rows):
            self.marks.setdefault(word, array("Q")).append(first + row)

    def _add_calls(self, first: int, calls: list[CallRow]) -> None:
        if not calls:
            return
        rows, keys, requests, *parts = zip(*calls, strict=True)
        self._call_rows.extend([first + row for row in rows])
        names: list[_CallName] = list(zip(keys, requests, strict=True))
        before = [self._last_call, *names]
        self._call_names += [
            None if name == each and name[0] else name for name, each in zip(names, before, strict=False)
        ]
        self._last_call = names[-1]
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


def _are_objects(chunk: bytes, starts: list[int], shift: int, end: int) -> bool:
    """Whether each line from ``starts`` up to ``end`` begins and ends as an object does.

    With as many objects as lines that makes it one object a line: neither can two stand on one line while
    another is blank, nor can one go on in the next line.
    """
    firsts = [at - shift for at in starts]
    lasts = [at - 2 for at in firsts[1:]]
    lasts.append(end - 2)
    item = chunk.__getitem__
    return bytes(map(item, firsts)) == b"{" * len(firsts) and bytes(map(item, lasts)) == b"}" * len(lasts)
