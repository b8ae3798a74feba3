"""What was added to a transcript since the last look, and where does it stand now?

A file that only grew is read on from its last line end. Another inode, a smaller size or other bytes before
that place mean that it was rewritten, and it is read again.

Source: reliability.md 7 (Reading a growing file); performance.md 3 (Follow).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Generic, Literal, TypeVar

from agentbrief.disk.read import Roots
from agentbrief.disk.refusal import refused
from agentbrief.disk.seam import FS
from agentbrief.disk.stream import (
    CHUNK_BYTES,
    FINGERPRINT_BYTES,
    MAX_GROWTH_BYTES,
    Position,
    Stream,
    streamed,
)
from agentbrief.disk.values import ReadProblem, Stamp
from agentbrief.sessions.jsonl.index import TranscriptIndex
from agentbrief.sessions.jsonl.index_shape import IndexShape

Row = TypeVar("Row")

Change = Literal["same", "grew", "read-again"]


@dataclass(frozen=True, slots=True)
class Followed(Generic[Row]):
    """A transcript and its index up to ``position``. The index grows: an older value sees it too.

    ``change`` is what the last look found; ``first_new_line`` the first line (from 1) that it added.
    ``pending_bytes`` are those of a last line without end.
    """

    path: str
    real_path: str
    index: TranscriptIndex[Row]
    position: Position
    change: Change
    first_new_line: int
    pending_bytes: int

    @property
    def size(self) -> int:
        """The size of the file in bytes, a line that is still being written included."""
        return self.position.stamp.size


def follow(
    fs: FS,
    path: str,
    roots: Roots,
    shape: IndexShape[Row],
    before: Followed[Row] | None = None,
    pause: Callable[[], None] | None = None,
) -> Followed[Row] | ReadProblem | None:
    """The transcript at ``path`` as it is now; None when there is none. ``before`` is the last look.

    ``pause`` is called between small steps, so that a caller can let others run.

    Raises:
        Refused: the disk reports an error.
    """
    if before is not None and (grown := _grown(fs, path, before)) is not None:
        return grown
    with streamed(fs, path, roots) as stream:
        if not isinstance(stream, Stream):
            return stream
        index = index_of(stream, shape, pause)
        pending = index.drop_pending()
        position = stream.position(index.size)
        return Followed(path, stream.real_path, index, position, "read-again", 1, pending)


def index_of(
    stream: Stream, shape: IndexShape[Row], pause: Callable[[], None] | None = None
) -> TranscriptIndex[Row]:
    """The index of a whole file; a last line without end is pending in it.

    Raises:
        Refused: the disk reports an error.
    """
    index: TranscriptIndex[Row] = TranscriptIndex(shape, pause)
    position = 0
    while chunk := stream.chunk(position):
        pending = index.feed(chunk)
        position += len(chunk)
        if pending < len(chunk):
            # To read a line again whose end comes with the next chunk costs less than to put it together.
            position -= index.drop_pending()
        del chunk  # Freed before the next one is read: it then comes into the same, cached memory.
    return index


def _grown(fs: FS, path: str, before: Followed[Row]) -> Followed[Row] | None:
    """The transcript read on from where it was; None if it has to be read again.

    The file at ``path`` is the one that was read before, which lay where it may be read: its inode says so.
    """
    known = before.position
    try:
        stamp = Stamp.of(fs.stat(path))
    except (OSError, ValueError):
        return None
    if stamp == known.stamp:
        return replace(before, change="same", first_new_line=len(before.index) + 1)
    if (
        not _is_same_file(stamp, known.stamp)
        or not known.offset <= stamp.size <= known.offset + MAX_GROWTH_BYTES
    ):
        return None
    try:
        descriptor = fs.open_read(before.real_path)
    except OSError:
        return None
    try:
        stamp = Stamp.of(fs.fstat(descriptor))
        if not _is_same_file(stamp, known.stamp) or stamp.size < known.offset:
            return None
        start = known.offset - len(known.last)
        first = fs.pread(descriptor, len(known.first), 0) if known.offset else b""
        data = fs.pread(descriptor, stamp.size - start, start)
        while len(data) < stamp.size - start and (
            more := fs.pread(descriptor, CHUNK_BYTES, start + len(data))
        ):
            data += more
    except OSError as error:
        raise refused(error, path) from error
    finally:
        fs.close(descriptor)
    if first != known.first or not data.startswith(known.last):
        return None
    end = data.rfind(b"\n", len(known.last)) + 1 or len(known.last)
    first_new_line = len(before.index) + 1
    added = data[len(known.last) : end]
    before.index.feed(added)
    if len(known.first) < FINGERPRINT_BYTES:
        first = (first + added)[:FINGERPRINT_BYTES]
    position = Position(stamp, start + end, first, data[:end][-FINGERPRINT_BYTES:])
    change: Change = "grew" if added else "same"
    return Followed(path, before.real_path, before.index, position, change, first_new_line, len(data) - end)


def _is_same_file(one: Stamp, other: Stamp) -> bool:
    return (one.dev, one.ino) == (other.dev, other.ino)
