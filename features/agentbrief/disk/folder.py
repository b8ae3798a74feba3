"""Which folder may be worked in, and what lies in it?"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager, suppress
from stat import S_ISREG
from typing import Literal, NamedTuple

from agentbrief.disk import seam
from agentbrief.disk.read import Roots, lies_in
from agentbrief.disk.refusal import Conflict, Refused, refused
from agentbrief.disk.spelling import refused_spelling
from agentbrief.disk.values import Stamp

EntryKind = Literal["file", "folder", "link", "other"]


class Entry(NamedTuple):
    """One name in a folder: what stands there itself, links not followed.

    ``dev`` to ``mtime_ns`` are the parts of its stamp, which is made when it is asked for: a store has
    thousands of files. ``links`` is the number of names of the file.
    """

    name: str
    kind: EntryKind
    dev: int
    ino: int
    size: int
    mtime_ns: int
    links: int = 1

    @property
    def stamp(self) -> Stamp:
        """Which version of which file it is."""
        return Stamp(self.dev, self.ino, self.size, self.mtime_ns)


_NewEntry = Callable[[type[Entry], Iterable[object]], Entry]


@contextmanager
def holder(fs: seam.FS, path: str, roots: Roots) -> Generator[tuple[seam.Folder, str]]:
    """The open folder in which ``path`` stands, and the name there. The folder's real path lies in ``roots``.

    Raises:
        Refused: the folder is missing, may not be opened, or lies elsewhere.
        ValueError: ``path`` is no spelling of a file.
    """
    parent, name = os.path.split(path)
    if name in ("", os.curdir, os.pardir) or not parent or refused_spelling(path):
        raise ValueError(f"no path of a file: {path!r}")
    folder = _open(fs, parent, path, roots)
    try:
        yield folder, name
    except OSError as error:
        raise refused(error, path) from error
    finally:
        _close_folder(fs, folder)


def _close_folder(fs: seam.FS, folder: seam.Folder) -> None:
    with suppress(OSError):
        fs.close_folder(folder)


def _open(fs: seam.FS, parent: str, path: str, roots: Roots) -> seam.Folder:
    try:
        real = fs.real_path(parent)
        if not lies_in(real, roots):
            raise Refused("outside", path, detail=real)
        folder = fs.open_folder(real)
    except OSError as error:
        raise refused(error, path) from error
    try:
        said = None if folder.descriptor is None else fs.path_of(folder.descriptor)
        if said is None:
            said = fs.real_path(parent)
        if said != real:
            raise Conflict(path, detail=said)
    except OSError as error:
        _close_folder(fs, folder)
        raise refused(error, path) from error
    except BaseException:
        _close_folder(fs, folder)
        raise
    return folder


def make_folder(fs: seam.FS, path: str, roots: Roots) -> str:
    """The real path of the folder ``path``; what is missing of it is made, mode 0700, below ``roots`` only.

    Raises:
        Refused: something else stands there, or the system does not let it be made.
    """
    missing: list[str] = []
    while (real := real_folder(fs, path, roots)) is None:
        missing.append(path)
        path = os.path.dirname(path)
    made: list[str] = []
    try:
        for path in reversed(missing):
            with holder(fs, path, roots) as (folder, name):
                try:
                    fs.make_folder(folder, name)
                    made.append(path)
                except FileExistsError:
                    if not seam.is_folder(fs.lstat_in(folder, name)):
                        raise
                fs.sync_folder(folder)
                real = os.path.join(folder.path, name)
    except Refused as refusal:
        if not all(_unmade(fs, path, roots) for path in reversed(made)):
            refusal.leaving("partly-done")
        raise
    return real


def real_folder(fs: seam.FS, path: str, roots: Roots) -> str | None:
    """The real path of the folder ``path``, which lies in ``roots``; None when nothing is there.

    Raises:
        Refused: something else stands there, it lies elsewhere, or may not be looked at.
    """
    try:
        real = fs.real_path(path)
        is_folder = seam.is_folder(fs.stat(real))
    except OSError as error:
        if not seam.is_missing(error) or os.path.dirname(path) == path:
            raise refused(error, path) from error
        return None
    if not is_folder:
        raise Refused("not-a-folder", path)
    if not lies_in(real, roots):
        raise Refused("outside", path, detail=real)
    return real


def _unmade(fs: seam.FS, path: str, roots: Roots) -> bool:
    try:
        with holder(fs, path, roots) as (folder, name):
            fs.remove_folder(folder, name)
    except Refused:
        return False
    return True


def entries(fs: seam.FS, path: str, roots: Roots) -> tuple[Entry, ...] | None:
    """What lies in the folder ``path``, sorted by name; None when there is no such folder in ``roots``.

    Raises:
        Refused: the folder may not be listed.
    """
    found: list[Entry] = []
    # A store has thousands of files: each name costs its status, and as little as can be besides.
    new: _NewEntry = tuple.__new__  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    try:
        folder = _open(fs, path, path, roots)
    except Refused as refusal:
        if refusal.what in ("vanished", "not-a-folder", "outside"):
            return None
        raise
    try:
        for name, status in fs.lstat_each(folder, sorted(fs.names_in(folder))):
            kind: EntryKind = "file" if S_ISREG(status.st_mode) else _kind(status)
            dev, ino, size, mtime_ns = status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns
            found.append(new(Entry, (name, kind, dev, ino, size, mtime_ns, status.st_nlink)))
    except OSError as error:
        raise refused(error, path) from error
    finally:
        _close_folder(fs, folder)
    return tuple(found)


def stamp_of(fs: seam.FS, path: str) -> Stamp | None:
    """The stamp of what stands at ``path`` itself, links not followed; None when nothing does.

    Raises:
        Refused: it may not be looked at.
    """
    try:
        return Stamp.of(fs.lstat(path))
    except OSError as error:
        if seam.is_missing(error):
            return None
        raise refused(error, path) from error


def _kind(status: os.stat_result) -> EntryKind:
    """What a status that is no plain file's stands for."""
    if seam.is_folder(status):
        return "folder"
    return "link" if seam.is_link(status) else "other"
