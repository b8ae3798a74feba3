"""How is a file of any size read, and read on after it grew, without being held in memory?

Lines end at byte ``0a`` only. A file that others append to is read up to its last line end; what follows is a
line that is still being written.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from agentbrief.disk import seam
from agentbrief.disk.read import Opened, Roots, close, opened
from agentbrief.disk.refusal import refused
from agentbrief.disk.values import MAX_RECORD_BYTES, ReadProblem, Stamp

CHUNK_BYTES = 1 << 20
FINGERPRINT_BYTES = 4096
MAX_GROWTH_BYTES = 64 * 1024 * 1024
"""A file that grew by more since the last look is read again from its start, in pieces."""


class Position(NamedTuple):
    """Up to where a file was read: ``offset`` bytes, behind a line end, and what it looked like then.

    ``first`` and ``last`` are the first and the last 4 KiB before ``offset``.
    """

    stamp: Stamp
    offset: int
    first: bytes
    last: bytes


class Growth(NamedTuple):
    """What came since a position: complete lines, and how many bytes of an unfinished one follow."""

    data: bytes
    position: Position
    pending_bytes: int


class Rewritten(NamedTuple):
    """What was read is no longer the start of the file, or too much was added: read it again."""

    stamp: Stamp


class RawLine(NamedTuple):
    """One line: its offset and length in bytes, line end left out.

    ``data`` is None where the line is too long to be held; ``ended`` is false for a last line without end.
    """

    offset: int
    length: int
    data: bytes | None
    ended: bool


class Stream:
    """An open file that is read in pieces."""

    def __init__(self, fs: seam.FS, path: str, found: Opened) -> None:
        self._fs = fs
        self._path = path
        self._descriptor = found.descriptor
        self.real_path = found.real_path
        self.stamp = Stamp.of(found.status)

    def chunks(self, start: int = 0, end: int | None = None) -> Iterator[bytes]:
        """The bytes from ``start`` up to ``end``, at most what stood there when the file was opened.

        Raises:
            Refused: the disk reports an error.
        """
        while piece := self.chunk(start, end):
            yield piece
            start += len(piece)

    def chunk(self, start: int, end: int | None = None) -> bytes:
        """The first of :meth:`chunks`; empty at the end.

        Raises:
            Refused: the disk reports an error.
        """
        end = self.stamp.size if end is None else min(end, self.stamp.size)
        return self._pread(min(CHUNK_BYTES, end - start), start) if start < end else b""

    def lines(self, start: int = 0, max_bytes: int = MAX_RECORD_BYTES) -> Iterator[RawLine]:
        """The lines from ``start``, which is the start of one."""
        return lines(self.chunks(start), offset=start, max_bytes=max_bytes)

    def position(self, offset: int) -> Position:
        """The position behind the line end before ``offset``, to look from later."""
        first = self._pread(min(FINGERPRINT_BYTES, offset), 0)
        start = max(0, offset - FINGERPRINT_BYTES)
        return Position(self.stamp, offset, first, self._pread(offset - start, start))

    def _pread(self, size: int, offset: int) -> bytes:
        try:
            return self._fs.pread(self._descriptor, size, offset) if size else b""
        except OSError as error:
            raise refused(error, self._path) from error


@contextmanager
def streamed(fs: seam.FS, path: str, roots: Roots) -> Generator[Stream | ReadProblem | None]:
    """The file at ``path`` open for reading, why it was not opened, or None when there is none."""
    found = opened(fs, path, roots)
    if found is None or isinstance(found, ReadProblem):
        yield found
        return
    try:
        yield Stream(fs, path, found)
    finally:
        close(fs, found.descriptor)


def lines(
    chunks: Iterable[bytes], *, offset: int = 0, max_bytes: int = MAX_RECORD_BYTES
) -> Iterator[RawLine]:
    """The lines of ``chunks``, blank ones too; one of more than ``max_bytes`` is measured, not held."""
    held: list[bytes] = []
    length = 0
    for chunk in chunks:
        start = 0
        while (end := chunk.find(b"\n", start)) >= 0:
            piece = chunk[start:end]
            length += len(piece)
            yield RawLine(offset, length, _whole(held, piece) if length <= max_bytes else None, True)
            offset += length + 1
            held, length = [], 0
            start = end + 1
        rest = chunk[start:] if start else chunk
        length += len(rest)
        if length > max_bytes:
            held = []
        elif rest:
            held.append(rest)
    if length:
        yield RawLine(offset, length, _whole(held, b"") if length <= max_bytes else None, False)


def _whole(held: list[bytes], piece: bytes) -> bytes:
    return b"".join([*held, piece]) if held else piece


def growth(fs: seam.FS, path: str, roots: Roots, since: Position) -> Growth | Rewritten | ReadProblem | None:
    """What was added at ``path`` since a position; the file is opened only if its stamp is new.

    Raises:
        Refused: the disk reports an error.
    """
    try:
        if Stamp.of(fs.stat(path)) == since.stamp:
            return Growth(b"", since, since.stamp.size - since.offset)
    except (OSError, ValueError):
        pass
    with streamed(fs, path, roots) as stream:
        if not isinstance(stream, Stream):
            return stream
        stamp = stream.stamp
        is_same_file = (stamp.dev, stamp.ino) == (since.stamp.dev, since.stamp.ino)
        if not is_same_file or not since.offset <= stamp.size <= since.offset + MAX_GROWTH_BYTES:
            return Rewritten(stamp)
        before = stream.position(since.offset)
        if (before.first, before.last) != (since.first, since.last):
            return Rewritten(stamp)
        data = b"".join(stream.chunks(since.offset))
        complete = data.rfind(b"\n") + 1
        position = before if not complete else stream.position(since.offset + complete)
        return Growth(data[:complete], position, len(data) - complete)
