"""What was added to a transcript since the last look, and where does it stand now?

A file that only grew is read on from its last line end. Another inode, a smaller size or other bytes before
that place mean that it was rewritten, and it is read again.

Source: reliability.md 7 (Reading a growing file); performance.md 3 (Follow).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

from agentbrief.disk.read import Roots
from agentbrief.disk.seam import FS
from agentbrief.disk.stream import Growth, Position, Stream, growth, streamed
from agentbrief.disk.values import ReadProblem
from agentbrief.sessions.index import IndexShape, TranscriptIndex

Row = TypeVar("Row")

Change = Literal["same", "grew", "read-again"]


@dataclass(frozen=True, slots=True)
class Followed(Generic[Row]):
    """A transcript and its index up to ``position``. The index grows: an older value sees it too.

    ``change`` is what the last look found; ``first_new_line`` the first line (from 1) that it added.
    """

    path: str
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
    if before is not None:
        grown = growth(fs, path, roots, before.position)
        if isinstance(grown, Growth):
            if not grown.data:
                return Followed(
                    path, before.index, grown.position, "same", len(before.index) + 1, grown.pending_bytes
                )
            first = len(before.index) + 1
            before.index.feed(grown.data)
            return Followed(path, before.index, grown.position, "grew", first, grown.pending_bytes)
        if grown is None or isinstance(grown, ReadProblem):
            return grown
    with streamed(fs, path, roots) as stream:
        if not isinstance(stream, Stream):
            return stream
        index: TranscriptIndex[Row] = TranscriptIndex(shape, pause)
        for chunk in stream.chunks():
            index.feed(chunk)
        pending = index.drop_pending()
        return Followed(path, index, stream.position(index.size), "read-again", 1, pending)
