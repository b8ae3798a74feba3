"""What do the first and the last records of a transcript say about it?

Enough for a row in a list; the records between are not read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, Protocol, TypeVar, cast

from agentbrief.jsonio import JsonValue, loads, loads_inexact

Value = dict[str, JsonValue]


class Sketch(NamedTuple):
    """What is known of a session without reading it whole; None: nothing says it.

    ``given_title`` by the user, ``made_title`` by the agent. ``telling_prompt`` is the first typed prompt
    that is more than a greeting. ``used_tokens`` is what the last call took in, as the agent reports it, and
    ``window_tokens`` the context of the model where the session states it. ``parent_id``: the session that
    this one was forked from or works for.
    """

    session_id: str | None = None
    cwd: str | None = None
    version: str | None = None
    model: str | None = None
    branch: str | None = None
    first_time: str | None = None
    last_time: str | None = None
    given_title: str | None = None
    made_title: str | None = None
    prompt: str | None = None
    telling_prompt: str | None = None
    parent_id: str | None = None
    is_subagent: bool = False
    used_tokens: int | None = None
    window_tokens: int | None = None


NOTHING = Sketch()

SHORT_BYTES = 4096
"""A record of a name or a title is no longer than this."""

NEAR_BYTES = 200
"""A program that writes the kind of a record, its identifiers and its time first has the next key by then."""

START_BYTES = 1024
"""The type of a record, and who wrote a message, stand so near the line's start, whatever the keys' order."""


Read = TypeVar("Read")


class Lines:
    """Complete lines, looked up by the bytes in them; what a line means is told by decoding it.

    They are those of ``data`` from ``start`` to ``end``, where a line begins and one ends; nothing is copied.
    """

    def __init__(self, data: bytes, start: int = 0, end: int | None = None) -> None:
        self._data = data
        self._start = start
        self._end = len(data) if end is None else end
        self._known: dict[tuple[int, object], object] = {}

    def values(self) -> list[Value]:
        """All objects, in order."""
        return list(self.each())

    def each(self) -> Iterator[Value]:
        """The objects in order, decoded when they are asked for."""
        for start, end in self._bounds():
            if end > start and (value := value_of(self._data[start:end])) is not None:
                yield value

    def short_ones_with(self, *words: bytes) -> Iterator[bytes]:
        """The lines of at most :data:`SHORT_BYTES` that hold one of ``words`` near their start, in order."""
        data = self._data
        find, size, start = data.find, self._end, self._start
        while start < size:
            end = find(b"\n", start)
            if end < 0:
                end = size
            if end - start <= SHORT_BYTES:
                stop = start + START_BYTES
                if stop > end:
                    stop = end
                for word in words:
                    if find(word, start, stop) >= 0:
                        yield data[start:end]
                        break
            start = end + 1

    def of_type(self, kind: bytes) -> list[bytes]:
        """The lines whose type is ``kind``, in order, of a program that writes the type of a record first."""
        data, start, size = self._data, self._start, self._end
        find, begins, begin = data.find, data.startswith, b'{"type":"' + kind + b'"'
        found: list[bytes] = []
        while start < size:
            end = find(b"\n", start)
            if end < 0:
                end = size
            if begins(begin, start):
                found.append(data[start:end])
            start = end + 1
        return found

    @property
    def writes_type_first(self) -> bool:
        """Whether the first record has its type as its first key."""
        return self._data.startswith(b'{"type":"', self._start, self._end)

    def beginning_with(self, word: bytes) -> Iterator[bytes]:
        """The lines that hold ``word`` in their first :data:`START_BYTES`, in order."""
        find, size, start = self._data.find, self._end, self._start
        while start < size:
            end = find(b"\n", start)
            if end < 0:
                end = size
            stop = start + START_BYTES
            if find(word, start, stop if stop < end else end) >= 0:
                yield self._data[start:end]
            start = end + 1

    def whose(self, key: bytes, text: bytes) -> Iterator[bytes]:
        """The lines whose first ``key`` is ``text``, in order, of a program that writes that key early.

        Where it stands later or is written otherwise, those with ``text`` in their first :data:`START_BYTES`.
        """
        data, size, start = self._data, self._end, self._start
        find, begins, opening, quoted = data.find, data.startswith, b'"' + key + b'":"', b'"' + text + b'"'
        wanted, length = quoted[1:], len(opening)
        while start < size:
            end = find(b"\n", start)
            if end < 0:
                end = size
            at = find(opening, start, start + NEAR_BYTES)
            if 0 <= at < end:
                is_one = begins(wanted, at + length)
            else:
                is_one = find(quoted, start, min(start + START_BYTES, end)) >= 0
            if is_one:
                yield data[start:end]
            start = end + 1

    def last(
        self, word: bytes, wanted: Callable[[Read], bool], read: Callable[[bytes], Read | None]
    ) -> Read | None:
        """What ``read`` finds on the last line with ``word`` on which it finds what is ``wanted``."""
        data, first, size = self._data, self._start, self._end
        at = data.rfind(word, first, size)
        while at >= 0:
            start, end = data.rfind(b"\n", first, at) + 1 or first, data.find(b"\n", at, size)
            key = start, read
            if key not in self._known:
                self._known[key] = read(data[start : end if end >= 0 else size])
            found = cast("Read | None", self._known[key])
            if found is not None and wanted(found):
                return found
            at = data.rfind(word, first, start)
        return None

    def backwards(self) -> Iterator[tuple[bytes, int, int]]:
        """The lines, the last first, each as where it begins and ends in the bytes that come with it."""
        data, first, end = self._data, self._start, self._end
        back = data.rfind
        while end > first:
            start = back(b"\n", first, end) + 1 or first
            if start < end:
                yield data, start, end
            end = start - 1

    def _bounds(self) -> Iterator[tuple[int, int]]:
        find, size, start = self._data.find, self._end, self._start
        while start < size:
            end = find(b"\n", start)
            if end < 0:
                end = size
            yield start, end
            start = end + 1


class Sketcher(Protocol):
    """How one format is sketched."""

    def sketch(self, head: Lines, tail: Lines) -> Sketch:
        """What the lines at the head and at the tail of a file say."""
        ...

    def prompts_in(self, lines: Lines) -> Iterator[str]:
        """What a person typed on ``lines``, in order."""
        ...


def value_of(line: bytes) -> Value | None:
    """The object that ``line`` holds, for looking at it; None if it holds none."""
    try:
        value: JsonValue = loads_inexact(line)
    except ValueError:
        # Some lines are read at a second try, more slowly: those with half a surrogate pair, say.
        try:
            value = loads(line)
        except ValueError:
            return None
    return value if isinstance(value, dict) else None


def first_text(values: Iterable[Value], key: str) -> str | None:
    """The first text that one of ``values`` has at ``key``."""
    return next((found for value in values if isinstance(found := value.get(key), str) and found), None)
