"""Who may change a store now? One lock a store, and only who holds it can call what changes files.

The lock is the operating system's, on one permanent file ``.agentbrief.lock`` in the store's folder, which is
never deleted: a lock on a file that is replaced would stay on the old one.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agentbrief.disk import seam
from agentbrief.disk.folder import holder
from agentbrief.disk.read import Roots
from agentbrief.disk.refusal import Refused, refused

if TYPE_CHECKING:
    from filelock import BaseFileLock

LOCK_NAME = ".agentbrief.lock"
WAIT_SECONDS = 10.0

_STEP_SECONDS = 0.005
_LONGEST_PAUSE_SECONDS = 0.1
_LONGEST_NOTE_BYTES = 64
_UNSUPPORTED = (errno.ENOSYS, errno.ENOLCK, errno.ENOTSUP, errno.EOPNOTSUPP)


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks for a lock, and by which clock: features have neither.

    ``now_ns`` is the time since 1970, ``pause`` sleeps for some seconds.
    """

    pid: int
    now_ns: Callable[[], int]
    pause: Callable[[float], None]


@dataclass(frozen=True, slots=True)
class Held:
    """A store whose lock is held. ``store`` is its real path; writing is possible below ``roots`` only."""

    fs: seam.FS
    store: str
    roots: Roots
    caller: Caller


@contextmanager
def hold(
    fs: seam.FS,
    store: str,
    caller: Caller,
    *,
    also: Roots = frozenset(),
    wait_seconds: float = WAIT_SECONDS,
) -> Generator[Held]:
    """The lock of the folder ``store``, released at the end. ``also`` are further real folders to write in.

    Waits by the sum of its pauses, not by a clock that may jump.

    Raises:
        Refused: another process holds it (``locked``, ``locked-by``), or it cannot be taken there.
    """
    try:
        real = fs.real_path(store)
    except OSError as error:
        raise refused(error, store) from error
    roots = also | {real}
    path = os.path.join(real, LOCK_NAME)
    with holder(fs, path, roots) as (folder, name):
        try:
            if not seam.is_regular(fs.lstat_in(folder, name)):
                raise Refused("lock-unreadable", path)
        except FileNotFoundError:
            pass
        lock = _acquired(fs, folder, path, caller, wait_seconds)
    try:
        with suppress(Refused), holder(fs, path, roots) as (folder, _):
            _leave_note(fs, folder, caller)
        yield Held(fs, real, roots, caller)
    finally:
        lock.release()


def _acquired(
    fs: seam.FS, folder: seam.Folder, path: str, caller: Caller, wait_seconds: float
) -> BaseFileLock:
    from filelock import FileLock, Timeout

    lock = FileLock(path, timeout=0, mode=0o600, thread_local=False, preserve_lock_file=True)
    waited, pause = 0.0, 0.0
    while True:
        try:
            lock.acquire()
        except Timeout:
            if waited >= wait_seconds:
                raise _locked(fs, folder, path, caller) from None
        except OSError as error:
            if error.errno in _UNSUPPORTED:
                raise Refused("lock-unsupported", path) from error
            raise
        else:
            return lock
        pause = min(pause + _STEP_SECONDS, _LONGEST_PAUSE_SECONDS)
        caller.pause(pause)
        waited += pause


def _leave_note(fs: seam.FS, folder: seam.Folder, caller: Caller) -> None:
    """Who holds the lock since when, for the message of who waits. Nothing depends on it."""
    descriptor = fs.open_append(folder, LOCK_NAME)
    try:
        fs.truncate(descriptor, 0)
        fs.write(descriptor, b"%d %d\n" % (caller.pid, caller.now_ns()))
    finally:
        fs.close(descriptor)


def _locked(fs: seam.FS, folder: seam.Folder, path: str, caller: Caller) -> Refused:
    with suppress(OSError, ValueError):
        descriptor = fs.open_in(folder, LOCK_NAME)
        try:
            pid, since_ns = fs.read(descriptor, _LONGEST_NOTE_BYTES).split()
        finally:
            fs.close(descriptor)
        seconds = max(0, caller.now_ns() - int(since_ns)) // 1_000_000_000
        return Refused("locked-by", path, arguments=(("pid", str(int(pid))), ("seconds", seconds)))
    return Refused("locked", path)
