"""How is a file locked against a program that has a lock file of its own?

The lock is a file beside the locked one, made in one step, that names the process which holds it. It is taken
over only from a process that is dead or has become another one, never because of its age; one that cannot
be read is left alone. What stands in it is the other program's format and comes in as :class:`LockFormat`.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Literal

from agentbrief.disk import seam
from agentbrief.disk.folder import holder
from agentbrief.disk.lock import Held
from agentbrief.disk.read import Roots, close
from agentbrief.disk.refusal import Refused
from agentbrief.disk.temporary import publish, write_temporary

_MAX_LOCK_BYTES = 1 << 16
_MAX_PID = (1 << 31) - 1
_RELEASE_ATTEMPTS = 3


@dataclass(frozen=True, slots=True)
class Owner:
    """Whom a lock file names: a process, when it started (clock ticks), and the host if it names one."""

    pid: int
    start: int | None = None
    host: str = ""


@dataclass(frozen=True, slots=True)
class LockFormat:
    """How a program names and writes its lock files.

    ``write`` gets a process number, its start and the time (ns since 1970); ``read`` gives None for what is
    no lock of that program.
    """

    suffix: str
    guard_suffix: str
    write: Callable[[int, int | None, int], bytes]
    read: Callable[[bytes], Owner | None]


@dataclass(frozen=True, slots=True)
class Beside:
    """A lock file that we hold: its path, device and inode."""

    held: Held
    path: str
    dev: int
    ino: int

    def require(self) -> None:
        """Return if the lock is still ours.

        Raises:
            Refused: another program took it away (``lock-lost``).
        """
        with holder(self.held.fs, self.path, self.held.roots) as (folder, name):
            if not _is(self.held.fs, folder, name, self.dev, self.ino):
                raise Refused("lock-lost", self.path)


_State = Literal["free", "live", "stale", "unreadable"]


@dataclass(frozen=True, slots=True)
class _Look:
    state: _State
    dev: int = 0
    ino: int = 0
    owner: Owner | None = None


@dataclass(frozen=True, slots=True)
class LockSeen:
    """A lock file as it is found.

    ``is_held``: a living process holds it, or it cannot be told whether one does. ``owner`` is whom it names,
    if it can be read.
    """

    is_held: bool
    owner: Owner | None = None


def lock_seen(fs: seam.FS, path: str, roots: Roots, lock_format: LockFormat) -> LockSeen | None:
    """The lock file of the file ``path``, only looked at; None if there is none.

    Raises:
        Refused: it may not be looked at.
    """
    lock_path = path + lock_format.suffix
    with holder(fs, lock_path, roots) as (folder, name):
        try:
            look = _look(fs, folder, name, lock_path, lock_format)
        except Refused:
            return LockSeen(True)
    return None if look.state == "free" else LockSeen(look.state != "stale", look.owner)


@contextmanager
def hold_beside(
    held: Held, path: str, lock_format: LockFormat, *, wait_seconds: float = 10.0
) -> Generator[Beside]:
    """The lock file of ``path``, removed at the end if it is still ours. Our own lock is held already.

    Raises:
        Refused: a live process holds it (``locked-by``), or it cannot be read (``lock-unreadable``).
    """
    lock_path = path + lock_format.suffix
    with holder(held.fs, lock_path, held.roots) as (folder, name):
        beside = _acquired(held, folder, name, lock_path, lock_format, wait_seconds)
    try:
        yield beside
    finally:
        _let_go(beside)


def _acquired(
    held: Held, folder: seam.Folder, name: str, path: str, lock_format: LockFormat, wait_seconds: float
) -> Beside:
    waited = 0.0
    attempt = 0
    while True:
        look = _look(held.fs, folder, name, path, lock_format)
        if look.state == "stale":
            _reclaim(held, folder, name, path, lock_format, look)
            look = _look(held.fs, folder, name, path, lock_format)
        if look.state == "free" and (made := _make(held, folder, name, lock_format)) is not None:
            return Beside(held, path, *made)
        if waited >= wait_seconds:
            break
        attempt += 1
        pause = min(1.0, 0.05 * attempt)
        held.caller.pause(pause)
        waited += pause
    if look.owner is None:
        raise Refused("lock-unreadable", path)
    raise Refused("held-by", path, arguments=(("pid", str(look.owner.pid)),))


def _make(held: Held, folder: seam.Folder, name: str, lock_format: LockFormat) -> tuple[int, int] | None:
    """Device and inode of the lock file that was made; None if there is one.

    It gets its name when its content is complete, so a crash leaves none that cannot be read.
    """
    pid = held.caller.pid
    process = held.fs.process(pid)
    content = lock_format.write(pid, process.start if process else None, held.caller.now_ns())
    temporary, stamp = write_temporary(held.fs, folder, (content,), durable=False)
    try:
        publish(held.fs, folder, temporary, name, durable=False)
    except FileExistsError:
        return None
    return stamp.dev, stamp.ino


def _look(fs: seam.FS, folder: seam.Folder, name: str, path: str, lock_format: LockFormat) -> _Look:
    try:
        if not seam.is_regular(fs.lstat_in(folder, name)):
            raise Refused("lock-unreadable", path)
        descriptor = fs.open_in(folder, name)
    except FileNotFoundError:
        return _Look("free")
    try:
        status = fs.fstat(descriptor)
        if not seam.is_regular(status):
            raise Refused("lock-unreadable", path)
        owner = lock_format.read(fs.pread(descriptor, _MAX_LOCK_BYTES, 0))
    finally:
        close(fs, descriptor)
    if owner is None or not 0 < owner.pid <= _MAX_PID:
        return _Look("unreadable", status.st_dev, status.st_ino)
    return _Look("stale" if _is_stale(fs, owner) else "live", status.st_dev, status.st_ino, owner)


def _is_stale(fs: seam.FS, owner: Owner) -> bool:
    """Whether the process is gone, or another one has its number now. One of another host is out of sight."""
    if owner.host:
        return False
    process = fs.process(owner.pid)
    if process is None:
        return True
    return owner.start is not None and process.start is not None and owner.start != process.start


def _reclaim(
    held: Held, folder: seam.Folder, name: str, path: str, lock_format: LockFormat, seen: _Look
) -> None:
    """Remove a stale lock, behind a guard that only one process holds at a time."""
    fs = held.fs
    guard = name + lock_format.guard_suffix
    guard_path = path + lock_format.guard_suffix
    made = _make(held, folder, guard, lock_format)
    if made is None:
        left = _look(held.fs, folder, guard, guard_path, lock_format)
        # Only one of our processes gets here, as our own lock is held: a guard of a dead one is in no use.
        if left.state == "stale":
            _release(fs, folder, guard, left.dev, left.ino)
            made = _make(held, folder, guard, lock_format)
        elif left.state == "unreadable":
            raise Refused("lock-unreadable", guard_path)
        if made is None:
            return
    try:
        if _look(fs, folder, name, path, lock_format) == seen:
            fs.unlink(folder, name)
    finally:
        _release(fs, folder, guard, *made)


def _release(fs: seam.FS, folder: seam.Folder, name: str, dev: int, ino: int) -> None:
    if _is(fs, folder, name, dev, ino):
        fs.unlink(folder, name)


def _let_go(beside: Beside) -> None:
    """Remove a lock file that is still ours. Tried again: one that stays keeps others out."""
    for _ in range(_RELEASE_ATTEMPTS):
        with suppress(Refused), holder(beside.held.fs, beside.path, beside.held.roots) as (folder, name):
            _release(beside.held.fs, folder, name, beside.dev, beside.ino)
            return


def _is(fs: seam.FS, folder: seam.Folder, name: str, dev: int, ino: int) -> bool:
    try:
        status = fs.lstat_in(folder, name)
    except FileNotFoundError:
        return False
    return (status.st_dev, status.st_ino) == (dev, ino)
