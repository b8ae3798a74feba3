"""How is a file copied so that the copy is known to be good before anything else happens?"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from agentbrief.disk import seam
from agentbrief.disk.folder import holder
from agentbrief.disk.present import same_version, sha256_of
from agentbrief.disk.read import Roots, close, opened
from agentbrief.disk.refusal import Conflict, Refused, What
from agentbrief.disk.temporary import discard, publish, write_temporary
from agentbrief.disk.values import ReadProblem, Stamp, hashed

_CHUNK_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class Copied:
    """A copy that was read back: its path, its stamp with the content's SHA-256, and the original's stamp."""

    path: str
    stamp: Stamp
    source: Stamp


def copy_verified(
    fs: seam.FS,
    source: str,
    target: str,
    *,
    read_roots: Roots,
    roots: Roots,
    expect: Stamp | None = None,
    keep_times: bool = False,
) -> Copied:
    """The copy of ``source`` under the free name ``target``: written, synced, read back, its hash compared.

    ``source`` lies in ``read_roots`` and is only read; ``target`` lies in ``roots`` and has mode 0600.

    Raises:
        Conflict: the source is not the version ``expect``, or changed while it was copied.
        Refused: the copy could not be made or differs (``copy-differs``); it is gone then.
    """
    with holder(fs, target, roots) as (folder, name):
        found = opened(fs, source, read_roots)
        if found is None or isinstance(found, ReadProblem):
            raise _refusal(found, source)
        descriptor, status, _ = found
        try:
            if expect is not None and not same_version(expect, status):
                raise Conflict(source)
            digest = hashlib.sha256()
            times = status if keep_times else None
            temporary, stamp = write_temporary(
                fs, folder, _pieces(fs, descriptor, digest.update), times_of=times
            )
            try:
                after = fs.fstat(descriptor)
                written = digest.hexdigest()
                if Stamp.of(after) != Stamp.of(status) or _differs(expect, written):
                    raise Conflict(source)
                if sha256_of(fs, folder, temporary) != written or _read_again(fs, descriptor) != written:
                    raise Refused("copy-differs", target)
            except BaseException:
                discard(fs, folder, temporary)
                raise
        finally:
            close(fs, descriptor)
        publish(fs, folder, temporary, name)
        return Copied(target, hashed(stamp, written), Stamp.of(status, written))


def _refusal(problem: ReadProblem | None, source: str) -> Refused:
    if problem is None:
        return Refused("vanished", source)
    what: What = "failed"
    if problem.kind == "outside-roots":
        what = "outside"
    elif problem.kind in ("not-a-file", "dangling-link"):
        what = "not-a-file"
    elif problem.detail == "eacces":
        what = "no-access"
    return Refused(what, source, detail=problem.detail)


def _pieces(fs: seam.FS, descriptor: int, seen: Callable[[bytes], object]) -> Iterator[bytes]:
    while piece := fs.read(descriptor, _CHUNK_BYTES):
        seen(piece)
        yield piece


def _read_again(fs: seam.FS, descriptor: int) -> str:
    """The hash of the original, read a second time: the first reading may have been wrong."""
    digest = hashlib.sha256()
    offset = 0
    while piece := fs.pread(descriptor, _CHUNK_BYTES, offset):
        digest.update(piece)
        offset += len(piece)
    return digest.hexdigest()


def _differs(expect: Stamp | None, sha256: str) -> bool:
    return expect is not None and expect.sha256 not in (None, sha256)
