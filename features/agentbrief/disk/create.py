"""How does a new file appear, complete or not at all?"""

from __future__ import annotations

from collections.abc import Iterable

from agentbrief.disk import seam
from agentbrief.disk.folder import holder
from agentbrief.disk.read import Roots
from agentbrief.disk.temporary import publish, write_temporary
from agentbrief.disk.values import Stamp


def create(fs: seam.FS, path: str, data: bytes, roots: Roots, *, durable: bool = True) -> Stamp:
    """The stamp of the new file ``path`` with content ``data``, mode 0600. It appears complete or not at all.

    No lock is needed: a name that is taken is never touched.

    Raises:
        Refused: the name is taken (``exists``), or nothing could be written.
    """
    return create_from(fs, path, (data,), roots, durable=durable)


def create_from(
    fs: seam.FS, path: str, pieces: Iterable[bytes], roots: Roots, *, durable: bool = True
) -> Stamp:
    """As :func:`create`, of content that comes in ``pieces`` and is never held as a whole.

    Raises:
        Refused: the name is taken (``exists``), or nothing could be written.
    """
    with holder(fs, path, roots) as (folder, name):
        temporary, stamp = write_temporary(fs, folder, pieces, durable=durable)
        publish(fs, folder, temporary, name, durable=durable)
        return stamp
