"""What stands at the end of a file of any size?"""

from __future__ import annotations

from agentbrief.disk import seam
from agentbrief.disk.read import Roots
from agentbrief.disk.refusal import Refused
from agentbrief.disk.stream import Stream, streamed
from agentbrief.disk.values import FileTail, ReadProblem


def read_tail(fs: seam.FS, path: str, roots: Roots, max_bytes: int) -> FileTail | ReadProblem | None:
    """The last bytes of the plain file at ``path``, at most ``max_bytes``, or why they were not read; None
    when there is no such entry.

    What is written behind the end while it is read is not among them.
    """
    with streamed(fs, path, roots) as stream:
        if not isinstance(stream, Stream):
            return stream
        start = max(0, stream.stamp.size - max_bytes)
        try:
            data = b"".join(stream.chunks(start))
        except Refused as error:
            return ReadProblem(path, "unreadable", detail=error.what)
        return FileTail(path, stream.real_path, data, stream.stamp, start)
