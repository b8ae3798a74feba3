"""Every call to the operating system's files, in one object.

Tests put a failing one in its place: whatever a promise says about crashes and full disks is tried by making
call 1, 2, 3 … of this object fail. Nothing else in the package calls ``os`` for files.
"""

from __future__ import annotations

import errno
import os
import stat as stat_module
from collections.abc import Iterator

_READ_FLAGS = (
    os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
)


class FS:
    """The file calls of the operating system; each raises :class:`OSError` as it does."""

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
        return os.pread(descriptor, size, offset)

    def close(self, descriptor: int) -> None:
        """Give the descriptor back."""
        os.close(descriptor)


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
