"""Every call to the operating system's files, in one object.

Tests put a failing one in its place: whatever a promise says about crashes and full disks is tried by making
call 1, 2, 3 … of this object fail. Nothing else in the package calls ``os`` for files.

What changes the disk works on a name in an open :class:`Folder`, never on a path: a folder that is exchanged
for a link meanwhile leads nowhere.
"""

from __future__ import annotations

import errno
import os
import stat as stat_module
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import NamedTuple

try:
    import fcntl
except ImportError:
    fcntl = None  # type: ignore[assignment]

_ALWAYS = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOINHERIT", 0)
_NO_SURPRISE = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0) | _ALWAYS
_READ_FLAGS = os.O_RDONLY | _NO_SURPRISE
_FOLDER_FLAGS = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0) | _ALWAYS

_HAS_FOLDER_DESCRIPTORS = os.open in os.supports_dir_fd
_FULL_SYNC: int | None = getattr(fcntl, "F_FULLFSYNC", None)
_GET_PATH: int | None = getattr(fcntl, "F_GETPATH", None)

_WINDOWS_PAUSES = (0.01, 0.02, 0.04, 0.08, 0.16, 0.2, 0.2, 0.2)


class Folder(NamedTuple):
    """An open folder: its real path and, where the system has such, its descriptor."""

    path: str
    descriptor: int | None


class Process(NamedTuple):
    """A running process: when it started, in clock ticks since the machine's start, where that is told."""

    start: int | None


def _no_pause(seconds: float) -> None:
    pass


class FS:
    """The file calls of the operating system; each raises :class:`OSError` as it does.

    ``pause`` sleeps for some seconds: Windows refuses to replace a file that a scanner has open, and is
    asked again after each of ``replace_pauses``.
    """

    def __init__(self, pause: Callable[[float], None] = _no_pause) -> None:
        self.pause = pause
        self.replace_pauses: tuple[float, ...] = _WINDOWS_PAUSES if os.name == "nt" else ()

    # Looking

    def lstat(self, path: str) -> os.stat_result:
        """What stands at ``path`` itself, links not followed."""
        return os.lstat(path)

    def stat(self, path: str) -> os.stat_result:
        """What stands at ``path``, links followed."""
        return os.stat(path)

    def fstat(self, descriptor: int) -> os.stat_result:
        """What an open descriptor stands for."""
        return os.fstat(descriptor)

    def real_path(self, path: str) -> str:
        """``path`` with each link resolved; every part must exist.

        Raises:
            OSError: a part is missing, may not be searched, or the links form a loop.
        """
        return os.path.realpath(path, strict=True)

    def path_of(self, descriptor: int) -> str | None:
        """The real path under which ``descriptor`` was opened, as the system says; None if it does not."""
        with suppress(OSError):
            if sys.platform.startswith("linux"):
                return os.readlink(f"/proc/self/fd/{descriptor}").removesuffix(" (deleted)")
            if _GET_PATH is not None and fcntl is not None:
                return os.fsdecode(fcntl.fcntl(descriptor, _GET_PATH, bytes(1024)).rstrip(b"\0"))
        return None

    def names(self, folder: str) -> list[str]:
        """The names in ``folder``, in no order."""
        return os.listdir(folder)

    def scan(self, folder: str) -> Iterator[os.DirEntry[str]]:
        """The entries of ``folder``, each with the kind the system already told."""
        return os.scandir(folder)

    def open_read(self, path: str) -> int:
        """A descriptor on ``path`` that never blocks and never follows a last link."""
        return os.open(path, _READ_FLAGS)

    def read(self, descriptor: int, size: int) -> bytes:
        """At most ``size`` bytes from the descriptor's position; empty at the end."""
        return os.read(descriptor, size)

    def pread(self, descriptor: int, size: int, offset: int) -> bytes:
        """At most ``size`` bytes at ``offset``; empty at the end."""
        if hasattr(os, "pread"):
            return os.pread(descriptor, size, offset)
        os.lseek(descriptor, offset, os.SEEK_SET)
        return os.read(descriptor, size)

    def close(self, descriptor: int) -> None:
        """Give the descriptor back."""
        os.close(descriptor)

    def is_ours(self, status: os.stat_result) -> bool:
        """Whether the user we run as owns what ``status`` describes."""
        return not hasattr(os, "geteuid") or status.st_uid == os.geteuid()

    # Folders

    def open_folder(self, path: str) -> Folder:
        """``path``, a real path, as a folder to work in; a last link is not followed."""
        if _HAS_FOLDER_DESCRIPTORS:
            return Folder(path, os.open(path, _FOLDER_FLAGS))
        if not os.path.isdir(path):
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), path)
        return Folder(path, None)

    def close_folder(self, folder: Folder) -> None:
        """Give the folder back."""
        if folder.descriptor is not None:
            os.close(folder.descriptor)

    def lstat_in(self, folder: Folder, name: str) -> os.stat_result:
        """What stands at ``name`` in ``folder``, links not followed."""
        path, descriptor = _at(folder, name)
        return os.lstat(path, dir_fd=descriptor)

    def lstat_each(self, folder: Folder, names: Iterable[str]) -> Iterator[tuple[str, os.stat_result]]:
        """The ``names`` that stand in ``folder``, each with its status, links not followed."""
        parent, descriptor = folder
        for name in names:
            path = name if descriptor is not None else os.path.join(parent, name)
            try:
                yield name, os.lstat(path, dir_fd=descriptor)
            except OSError as error:
                if not is_missing(error):
                    raise

    def names_in(self, folder: Folder) -> list[str]:
        """The names in ``folder``, in no order."""
        return os.listdir(folder.path if folder.descriptor is None else folder.descriptor)

    def open_in(self, folder: Folder, name: str) -> int:
        """A descriptor to read ``name`` in ``folder``; it never blocks and never follows a link."""
        path, descriptor = _at(folder, name)
        return os.open(path, _READ_FLAGS, dir_fd=descriptor)

    # Changing

    def create(self, folder: Folder, name: str) -> int:
        """A descriptor to write and read a new file of mode 0600; the name must be free."""
        path, descriptor = _at(folder, name)
        flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_APPEND | _NO_SURPRISE
        return os.open(path, flags, 0o600, dir_fd=descriptor)

    def open_append(self, folder: Folder, name: str) -> int:
        """A descriptor that reads an existing file and writes at its end."""
        path, descriptor = _at(folder, name)
        return os.open(path, os.O_RDWR | os.O_APPEND | _NO_SURPRISE, dir_fd=descriptor)

    def write(self, descriptor: int, data: bytes) -> int:
        """How many bytes of ``data`` were written, which may be fewer than all."""
        return os.write(descriptor, data)

    def truncate(self, descriptor: int, size: int) -> None:
        """Cut the file to ``size`` bytes."""
        os.ftruncate(descriptor, size)

    def set_mode(self, descriptor: int, mode: int) -> None:
        """Give the file the permission bits ``mode``, where the system has such."""
        if hasattr(os, "fchmod"):
            os.fchmod(descriptor, mode)

    def set_modified(self, descriptor: int, status: os.stat_result) -> None:
        """Give the file the times of ``status``, where the system can."""
        if os.utime in os.supports_fd:
            os.utime(descriptor, ns=(status.st_atime_ns, status.st_mtime_ns))

    def sync(self, descriptor: int) -> None:
        """Return when the file's content has reached the disk."""
        if _FULL_SYNC is not None and fcntl is not None:
            with suppress(OSError):
                fcntl.fcntl(descriptor, _FULL_SYNC)
                return
        os.fsync(descriptor)

    def sync_folder(self, folder: Folder) -> None:
        """Return when the names in the folder have reached the disk; file systems that cannot say so pass."""
        if folder.descriptor is None:
            return
        try:
            os.fsync(folder.descriptor)
        except OSError as error:
            if error.errno not in (errno.EINVAL, errno.ENOTSUP):
                raise

    def replace(self, folder: Folder, name: str, target: Folder, target_name: str) -> None:
        """Give the file ``name`` the name ``target_name`` in ``target`` in one step, taken or not."""
        source_path, source = _at(folder, name)
        target_path, destination = _at(target, target_name)
        os.replace(source_path, target_path, src_dir_fd=source, dst_dir_fd=destination)

    def link(self, folder: Folder, name: str, target: Folder, target_name: str) -> None:
        """Give the file ``name`` a second name; that one must be free."""
        source_path, source = _at(folder, name)
        target_path, destination = _at(target, target_name)
        follows = os.link not in os.supports_follow_symlinks
        os.link(source_path, target_path, src_dir_fd=source, dst_dir_fd=destination, follow_symlinks=follows)

    def unlink(self, folder: Folder, name: str) -> None:
        """Take the name ``name`` from its file."""
        path, descriptor = _at(folder, name)
        os.unlink(path, dir_fd=descriptor)

    def make_folder(self, folder: Folder, name: str) -> None:
        """Make a folder of mode 0700 in ``folder``."""
        path, descriptor = _at(folder, name)
        os.mkdir(path, 0o700, dir_fd=descriptor)

    def remove_folder(self, folder: Folder, name: str) -> None:
        """Remove an empty folder."""
        path, descriptor = _at(folder, name)
        os.rmdir(path, dir_fd=descriptor)

    # What a lock must know

    def unique(self) -> str:
        """Sixteen hexadecimal digits that nobody can foresee, for names of temporary files."""
        return os.urandom(8).hex()

    def process(self, pid: int) -> Process | None:
        """The running process with this number; None when there is none, or only its exit status is left.

        Where that cannot be asked without harm, it runs.
        """
        if os.name == "nt":
            return Process(None)
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return None
        except OSError:
            pass
        try:
            descriptor = os.open(f"/proc/{pid}/stat", _READ_FLAGS)
            try:
                fields = os.read(descriptor, 4096).rpartition(b")")[2].split()
            finally:
                os.close(descriptor)
        except OSError:
            return Process(None)
        if fields[:1] in ([b"Z"], [b"X"]):
            return None
        return Process(int(fields[19]) if len(fields) > 19 and fields[19].isdigit() else None)


def _at(folder: Folder, name: str) -> tuple[str, int | None]:
    if folder.descriptor is None:
        return os.path.join(folder.path, name), None
    return name, folder.descriptor


def is_regular(status: os.stat_result) -> bool:
    """Whether a status is that of a plain file."""
    return stat_module.S_ISREG(status.st_mode)


def is_folder(status: os.stat_result) -> bool:
    """Whether a status is that of a folder."""
    return stat_module.S_ISDIR(status.st_mode)


def is_link(status: os.stat_result) -> bool:
    """Whether a status is that of a symbolic link."""
    return stat_module.S_ISLNK(status.st_mode)


def is_missing(error: OSError) -> bool:
    """Whether ``error`` says that there is no entry of that name, or that a parent is no folder."""
    return error.errno in (errno.ENOENT, errno.ENOTDIR)
