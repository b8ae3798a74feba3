"""Which text stands at a path, and which names are in a folder?

:class:`Files` is what the features see. :class:`DiskFiles` answers from the disk and reads nothing twice
while its stamp is unchanged; :class:`OpenFiles` lays the texts of open editors over another ``Files``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Protocol

from agentbrief.disk import seam
from agentbrief.disk.read import MAX_TEXT_BYTES, Roots, read_text, real_roots
from agentbrief.disk.values import BYTE_ORDER_MARK, FileText, ReadProblem, Stamp

_RACY_NS = 50_000_000
"""A stamp younger than this when it was taken may stand for two versions: file systems round their clocks."""


class Files(Protocol):
    """What exists, by absolute path with forward or native separators."""

    def read(self, path: str, roots: Roots) -> FileText | ReadProblem | None:
        """The text at ``path``; None when there is no such entry. Its real path must lie in ``roots``."""
        ...

    def names(self, folder: str) -> frozenset[str] | None:
        """The names in ``folder`` as they are spelled;

        empty when it is no folder, None when it may not be listed.
        """
        ...

    def exists(self, path: str) -> bool:
        """Whether an entry of that name exists. It is only looked at, never opened."""
        ...

    def is_folder(self, path: str) -> bool | None:
        """Whether ``path`` is a folder, links followed; None when nothing is there."""
        ...

    def forget(self) -> None:
        """Drop all that is known; the next look is a fresh one."""
        ...

    def roots(self, folders: tuple[str, ...]) -> Roots:
        """``folders`` with their links resolved, as a set that :meth:`read` accepts."""
        ...


class DiskFiles:
    """The disk itself.

    ``now_ns`` is the clock, an argument because features have none: an entry that changed less than 50 ms
    before it was looked at is looked at again, as its stamp may not tell two versions apart.
    """

    def __init__(self, fs: seam.FS, now_ns: Callable[[], int]) -> None:
        self._fs = fs
        self._now_ns = now_ns
        self._texts: dict[tuple[str, Roots], tuple[Stamp, bool, FileText | ReadProblem]] = {}
        self._names: dict[str, tuple[Stamp, frozenset[str]]] = {}
        self._roots: dict[tuple[str, ...], Roots] = {}

    def read(self, path: str, roots: Roots) -> FileText | ReadProblem | None:
        """See :meth:`Files.read`. The file is opened only if its stamp is new."""
        try:
            status = self._fs.lstat(path)
            is_link = seam.is_link(status)
            if is_link:
                status = self._fs.stat(path)
        except OSError:
            return read_text(self._fs, path, roots)
        key = (path, roots)
        stamp = Stamp.of(status)
        known = self._texts.get(key)
        if known is not None and known[0] == stamp and known[1] == is_link:
            return known[2]
        before = self._now_ns()
        found = read_text(self._fs, path, roots)
        if found is None:
            return None
        if not isinstance(found, FileText) or found.stamp == stamp:
            if before - status.st_ctime_ns > _RACY_NS and before - status.st_mtime_ns > _RACY_NS:
                self._texts[key] = (stamp, is_link, found)
            else:
                self._texts.pop(key, None)
        return found

    def names(self, folder: str) -> frozenset[str] | None:
        """See :meth:`Files.names`. The folder is listed only if its stamp is new."""
        try:
            status = self._fs.stat(folder)
        except OSError:
            return frozenset()
        if not seam.is_folder(status):
            return frozenset()
        stamp = Stamp.of(status)
        known = self._names.get(folder)
        if known is not None and known[0] == stamp:
            return known[1]
        before = self._now_ns()
        try:
            found = frozenset(self._fs.names(folder))
        except OSError:
            return None
        if before - status.st_mtime_ns > _RACY_NS:
            self._names[folder] = (stamp, found)
        else:
            self._names.pop(folder, None)
        return found

    def exists(self, path: str) -> bool:
        """See :meth:`Files.exists`."""
        try:
            self._fs.lstat(path)
        except (OSError, ValueError):
            return False
        return True

    def is_folder(self, path: str) -> bool | None:
        """See :meth:`Files.is_folder`."""
        try:
            return seam.is_folder(self._fs.stat(path))
        except (OSError, ValueError):
            return None

    def roots(self, folders: tuple[str, ...]) -> Roots:
        """See :meth:`Files.roots`. Resolved once for each set of folders; :meth:`forget` clears that."""
        if (found := self._roots.get(folders)) is None:
            found = self._roots[folders] = real_roots(self._fs, folders)
        return found

    def forget(self) -> None:
        """Drop all that is known; the next look is a fresh one."""
        self._texts.clear()
        self._names.clear()
        self._roots.clear()


class OpenFiles:
    """The texts of open editors over another ``Files``. Immutable;

    an open text hides the disk's, not the disk's problems.
    """

    __slots__ = ("_below", "_texts")

    def __init__(self, below: Files, texts: Mapping[str, str]) -> None:
        self._below = below
        self._texts = texts

    def read(self, path: str, roots: Roots) -> FileText | ReadProblem | None:
        """See :meth:`Files.read`."""
        found = self._below.read(path, roots)
        text = self._texts.get(path)
        if text is None or isinstance(found, ReadProblem):
            return found
        if found is None:
            return FileText(path, path, text, Stamp(0, 0, 0, 0), is_open=True)
        hidden = int(found.text.startswith(BYTE_ORDER_MARK) and not text.startswith(BYTE_ORDER_MARK))
        return replace(found, text=BYTE_ORDER_MARK * hidden + text, hidden=hidden, is_open=True)

    def names(self, folder: str) -> frozenset[str] | None:
        """See :meth:`Files.names`; files that are open and not saved yet are among them."""
        found = self._below.names(folder)
        prefix = folder if folder.endswith("/") else folder + "/"
        if found is None:
            return None
        extra = {path[len(prefix) :].split("/", 1)[0] for path in self._texts if path.startswith(prefix)}
        return found | extra if extra - found else found

    def exists(self, path: str) -> bool:
        """See :meth:`Files.exists`."""
        return path in self._texts or self._below.exists(path)

    def is_folder(self, path: str) -> bool | None:
        """See :meth:`Files.is_folder`."""
        return self._below.is_folder(path)

    def forget(self) -> None:
        """See :meth:`Files.forget`."""
        self._below.forget()

    def roots(self, folders: tuple[str, ...]) -> Roots:
        """See :meth:`Files.roots`."""
        return self._below.roots(folders)


__all__ = ["MAX_TEXT_BYTES", "DiskFiles", "Files", "OpenFiles"]
