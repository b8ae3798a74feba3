"""How does content get a name only once it is complete? Temporary files beside their target."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable
from contextlib import suppress

from agentbrief.disk import seam
from agentbrief.disk.folder import holder
from agentbrief.disk.lock import Held
from agentbrief.disk.read import close
from agentbrief.disk.refusal import Refused, refused
from agentbrief.disk.values import Stamp

PREFIX = ".agentbrief-"
SUFFIX = ".tmp"

OLD_NS = 5 * 60 * 1_000_000_000
"""No operation takes so long: a temporary file of that age was left by a crash."""

_NO_LINKS = frozenset(
    [errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK, errno.EACCES]
)


def write_all(fs: seam.FS, descriptor: int, data: bytes) -> int:
    """How many bytes were written: all.

    Raises:
        OSError: the system takes no more; it does not say how much of the rest it took.
    """
    view = memoryview(data)
    written = 0
    while written < len(data):
        count = fs.write(descriptor, bytes(view[written:]) if written else data)
        if count <= 0:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        written += count
    return written


def temporary_name(fs: seam.FS) -> str:
    """A name for a temporary file that nobody can foresee."""
    return f"{PREFIX}{fs.unique()}{SUFFIX}"


def write_temporary(
    fs: seam.FS,
    folder: seam.Folder,
    pieces: Iterable[bytes],
    *,
    durable: bool = True,
    mode: int | None = None,
    times_of: os.stat_result | None = None,
) -> tuple[str, Stamp]:
    """The name and the stamp of a new file in ``folder`` that holds ``pieces`` and has reached the disk.

    It is gone when anything fails. Permissions and times are those given.
    """
    name = temporary_name(fs)
    descriptor = fs.create(folder, name)
    try:
        try:
            for piece in pieces:
                write_all(fs, descriptor, piece)
            if mode is not None:
                fs.set_mode(descriptor, mode)
            if times_of is not None:
                fs.set_modified(descriptor, times_of)
            if durable:
                fs.sync(descriptor)
            stamp = Stamp.of(fs.fstat(descriptor))
        finally:
            close(fs, descriptor)
    except BaseException:
        discard(fs, folder, name)
        raise
    return name, stamp


def discard(fs: seam.FS, folder: seam.Folder, name: str) -> None:
    """Remove a temporary file of ours; what cannot be removed is swept later."""
    with suppress(OSError):
        fs.unlink(folder, name)


def publish(fs: seam.FS, folder: seam.Folder, temporary: str, name: str, *, durable: bool = True) -> None:
    """Give a temporary file its name, which must be free. After an error neither name is there.

    Raises:
        FileExistsError: the name is taken.
        Refused: the name could neither be made durable nor be taken back (``unsure``).
    """
    try:
        if linked(fs, folder, temporary, name):
            discard(fs, folder, temporary)
        elif _exists(fs, folder, name):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), name)
        else:
            fs.replace(folder, temporary, folder, name)
    except BaseException:
        discard(fs, folder, temporary)
        raise
    if not durable:
        return
    try:
        fs.sync_folder(folder)
    except OSError as error:
        path = os.path.join(folder.path, name)
        try:
            fs.unlink(folder, name)
        except OSError:
            raise refused(error, path, "unsure") from error
        raise


def linked(fs: seam.FS, folder: seam.Folder, name: str, second: str) -> bool:
    """Whether the file ``name`` has the second name now; False where the file system has no second names."""
    try:
        fs.link(folder, name, folder, second)
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        return False
    return True


def _exists(fs: seam.FS, folder: seam.Folder, name: str) -> bool:
    try:
        fs.lstat_in(folder, name)
    except FileNotFoundError:
        return False
    return True


def drop_twins(fs: seam.FS, folder: seam.Folder, status: os.stat_result) -> None:
    """Remove temporary names of the file that ``status`` describes: a crash between two calls left them."""
    for name in fs.names_in(folder):
        if is_temporary(name):
            other = fs.lstat_in(folder, name)
            if (other.st_dev, other.st_ino) == (status.st_dev, status.st_ino):
                fs.unlink(folder, name)


def is_temporary(name: str) -> bool:
    """Whether ``name`` is that of a temporary file of ours."""
    return name.startswith(PREFIX) and name.endswith(SUFFIX)


def sweep(held: Held, folder: str) -> tuple[str, ...]:
    """The temporary files that a crash left in ``folder`` more than 5 minutes ago, now removed.

    Nothing depends on it: what cannot be looked at or removed stays.
    """
    now_ns = held.caller.now_ns()
    gone: list[str] = []
    with suppress(Refused), holder(held.fs, os.path.join(folder, PREFIX), held.roots) as (opened, _):
        for name in held.fs.names_in(opened):
            if is_temporary(name) and now_ns - held.fs.lstat_in(opened, name).st_mtime_ns > OLD_NS:
                held.fs.unlink(opened, name)
                gone.append(name)
    return tuple(gone)
