"""Which text stands at a path, when an editor has some of the files open?"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from agentbrief.disk.files import Conclusion, Files
from agentbrief.disk.look import Looked
from agentbrief.disk.read import Roots
from agentbrief.disk.values import BYTE_ORDER_MARK, FileTail, FileText, ReadProblem, Stamp

_NONE: frozenset[str] = frozenset()


class _Asked:
    """What was asked of the open texts while something was concluded, and what they were then."""

    __slots__ = ("names", "opened", "texts")

    def __init__(self) -> None:
        self.texts: dict[str, str | None] = {}
        self.names: dict[str, frozenset[str]] = {}
        self.opened: dict[str, bool] = {}

    def take(self, other: _Asked) -> None:
        self.texts.update(other.texts)
        self.names.update(other.names)
        self.opened.update(other.opened)


class _Concluded(NamedTuple):
    value: Any
    asked: _Asked


class OpenFiles:
    """The texts of open editors over another ``Files``. Immutable;

    an open text hides the disk's, not the disk's problems.
    """

    __slots__ = ("_asked", "_below", "_names", "_texts")

    def __init__(
        self,
        below: Files,
        texts: Mapping[str, str],
        asked: _Asked | None = None,
        names: Mapping[str, frozenset[str]] | None = None,
    ) -> None:
        self._below = below
        self._texts = texts
        self._names = _names_by_folder(frozenset(texts)) if names is None else names
        self._asked = asked

    def read(self, path: str, roots: Roots) -> FileText | ReadProblem | None:
        """See :meth:`Files.read`."""
        found = self._below.read(path, roots)
        text = self._texts.get(path)
        if self._asked is not None:
            self._asked.texts[path] = text
        if text is None or isinstance(found, ReadProblem):
            return found
        if found is None:
            return FileText(path, path, text, Stamp(0, 0, 0, 0), is_open=True)
        hidden = int(found.text.startswith(BYTE_ORDER_MARK) and not text.startswith(BYTE_ORDER_MARK))
        shown = BYTE_ORDER_MARK * hidden + text if hidden else text
        return FileText(path, found.real_path, shown, found.stamp, hidden, True)

    def names(self, folder: str) -> frozenset[str] | None:
        """See :meth:`Files.names`; files that are open and not saved yet are among them."""
        found = self._below.names(folder)
        extra = self._names.get(folder, _NONE)
        if self._asked is not None:
            self._asked.names[folder] = extra
        return found if found is None or extra <= found else found | extra

    def exists(self, path: str) -> bool:
        """See :meth:`Files.exists`."""
        is_open = path in self._texts
        if self._asked is not None:
            self._asked.opened[path] = is_open
        return is_open or self._below.exists(path)

    def is_folder(self, path: str) -> bool | None:
        """See :meth:`Files.is_folder`."""
        return self._below.is_folder(path)

    def look(self, path: str) -> Looked:
        """See :meth:`Files.look`."""
        return self._below.look(path)

    def tail(self, path: str, roots: Roots, max_bytes: int) -> FileTail | ReadProblem | None:
        """See :meth:`Files.tail`."""
        return self._below.tail(path, roots, max_bytes)

    def forget(self) -> None:
        """See :meth:`Files.forget`."""
        self._below.forget()

    def roots(self, folders: tuple[str, ...]) -> Roots:
        """See :meth:`Files.roots`."""
        return self._below.roots(folders)

    def glance(self) -> Files:
        """See :meth:`Files.glance`."""
        return OpenFiles(self._below.glance(), self._texts, self._asked, self._names)

    def remembered(
        self,
        key: Hashable,
        conclude: Callable[[Files], Conclusion],
        holds: Callable[[Conclusion], bool] = lambda _: True,
    ) -> Conclusion:
        """See :meth:`Files.remembered`. It depends on the open texts it asked for, and on no others."""

        def over(below: Files) -> _Concluded:
            asked = _Asked()
            return _Concluded(conclude(OpenFiles(below, self._texts, asked, self._names)), asked)

        def still(found: _Concluded) -> bool:
            return self._answer(found.asked) and holds(found.value)

        found = self._below.remembered((OpenFiles, key), over, still)
        if self._asked is not None:
            self._asked.take(found.asked)
        value: Conclusion = found.value
        return value

    def _answer(self, asked: _Asked) -> bool:
        """Whether the open texts would say today what they said then."""
        texts, names = self._texts, self._names
        for path, text in asked.texts.items():
            if texts.get(path) is not text:
                return False
        for folder, extra in asked.names.items():
            if names.get(folder, _NONE) != extra:
                return False
        return all((path in texts) is is_open for path, is_open in asked.opened.items())


@lru_cache(maxsize=16)
def _names_by_folder(paths: frozenset[str]) -> Mapping[str, frozenset[str]]:
    """For each folder above one of ``paths``: the names in it that lead there."""
    found: dict[str, set[str]] = {}
    for path in paths:
        folder, separator, name = path.rpartition("/")
        while separator:
            found.setdefault(folder or "/", set()).add(name)
            folder, separator, name = folder.rpartition("/")
    return {folder: frozenset(names) for folder, names in found.items()}
