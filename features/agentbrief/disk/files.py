"""Which text stands at a path, and which names are in a folder?

:class:`Files` is what the features see. :class:`DiskFiles` answers from the disk and reads nothing twice
while its stamp is unchanged; a :class:`Glance` at it looks at each entry once.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Mapping
from stat import S_ISDIR
from typing import Protocol, TypeVar, cast

from agentbrief.disk import seam
from agentbrief.disk.look import RACY_NS, Conclusions, Looked, is_as_it_was, look
from agentbrief.disk.read import MAX_TEXT_BYTES, Roots, read_text, real_roots
from agentbrief.disk.values import FileTail, FileText, ReadProblem

Conclusion = TypeVar("Conclusion")


def _any_holds(_: object) -> bool:
    return True


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

    def look(self, path: str) -> Looked:
        """What stands at ``path``, and where a link leads. Nothing is opened."""
        ...

    def tail(self, path: str, roots: Roots, max_bytes: int) -> FileTail | ReadProblem | None:
        """The last bytes at ``path`` on the disk, at most so many; else as :meth:`read`. Never kept."""
        ...

    def forget(self) -> None:
        """Drop all that is known; the next look is a fresh one."""
        ...

    def roots(self, folders: tuple[str, ...]) -> Roots:
        """``folders`` with their links resolved, as a set that :meth:`read` accepts."""
        ...

    def glance(self) -> Files:
        """The same files at one moment, for one answer: each entry is looked at once, when it is first
        needed.
        """
        ...

    def remembered(
        self,
        key: Hashable,
        conclude: Callable[[Files], Conclusion],
        holds: Callable[[Conclusion], bool] = _any_holds,
    ) -> Conclusion:
        """What ``conclude`` makes of these files. Asked again with the same key, the same object comes back,
        as long as all that was looked at for it is as it was, and the object ``holds``.

        ``conclude`` asks the files it is given and nothing else that changes.
        """
        ...


class Known:
    """What is known of a disk, with the looks it rests on."""

    def __init__(self) -> None:
        self.texts: dict[tuple[str, Roots], tuple[Looked, FileText | ReadProblem]] = {}
        self.names: dict[str, tuple[Looked, frozenset[str]]] = {}
        self.roots: dict[tuple[str, ...], Roots] = {}
        self.conclusions = Conclusions()

    def clear(self) -> None:
        self.texts.clear()
        self.names.clear()
        self.roots.clear()
        self.conclusions.clear()


class DiskFiles:
    """The disk itself.

    ``now_ns`` is the clock, an argument because features have none: an entry that changed less than 50 ms
    before it was looked at is looked at again, as its stamp may not tell two versions apart.
    """

    def __init__(self, fs: seam.FS, now_ns: Callable[[], int], known: Known | None = None) -> None:
        self._fs = fs
        self._now_ns = now_ns
        self._known = known or Known()

    def _look(self, path: str) -> Looked:
        return look(self._fs, path)

    def _rests_on(self, path: str) -> Looked:
        """As :meth:`_look`, where what is told depends on all that the look shows."""
        return self._look(path)

    def _rests_on_name(self, path: str) -> None:
        """What is told depends on whether that name is in its folder."""

    def read(self, path: str, roots: Roots) -> FileText | ReadProblem | None:
        """See :meth:`Files.read`. The file is opened only if its stamp is new."""
        looked = self._rests_on(path)
        if looked.target is None:
            return read_text(self._fs, path, roots)
        key = (path, roots)
        known = self._known.texts.get(key)
        if known is not None and known[0] == looked:
            return known[1]
        before = self._now_ns()
        found = read_text(self._fs, path, roots)
        if found is None:
            return None
        if not isinstance(found, FileText) or looked.target.is_version(found.stamp):
            if looked.is_older(before - RACY_NS):
                self._known.texts[key] = (looked, found)
            else:
                self._known.texts.pop(key, None)
        return found

    def names(self, folder: str) -> frozenset[str] | None:
        """See :meth:`Files.names`. The folder is listed only if its stamp is new."""
        looked = self._rests_on(folder)
        if looked.target is None or not S_ISDIR(looked.target.mode):
            return frozenset()
        known = self._known.names.get(folder)
        if known is not None and known[0] == looked:
            return known[1]
        before = self._now_ns()
        try:
            found = frozenset(self._fs.names(folder))
        except OSError:
            return None
        if looked.is_older(before - RACY_NS):
            self._known.names[folder] = (looked, found)
        else:
            self._known.names.pop(folder, None)
        return found

    def exists(self, path: str) -> bool:
        """See :meth:`Files.exists`."""
        self._rests_on_name(path)
        return self._look(path).itself is not None

    def is_folder(self, path: str) -> bool | None:
        """See :meth:`Files.is_folder`."""
        self._rests_on_name(path)
        looked = self._look(path)
        if looked.is_link:
            self._rests_on(path)
        return None if looked.target is None else S_ISDIR(looked.target.mode)

    def look(self, path: str) -> Looked:
        """See :meth:`Files.look`."""
        return self._rests_on(path)

    def tail(self, path: str, roots: Roots, max_bytes: int) -> FileTail | ReadProblem | None:
        """See :meth:`Files.tail`."""
        from agentbrief.disk.tail import read_tail

        self._rests_on(path)
        return read_tail(self._fs, path, roots, max_bytes)

    def roots(self, folders: tuple[str, ...]) -> Roots:
        """See :meth:`Files.roots`. Resolved once for each set of folders; :meth:`forget` clears that."""
        if (found := self._known.roots.get(folders)) is None:
            found = self._known.roots[folders] = real_roots(self._fs, folders)
        return found

    def forget(self) -> None:
        """Drop all that is known; the next look is a fresh one."""
        self._known.clear()

    def glance(self) -> Files:
        """See :meth:`Files.glance`."""
        return Glance(self._fs, self._now_ns, self._known)

    def remembered(
        self,
        key: Hashable,
        conclude: Callable[[Files], Conclusion],
        holds: Callable[[Conclusion], bool] = _any_holds,
    ) -> Conclusion:
        """See :meth:`Files.remembered`."""
        return self.glance().remembered(key, conclude, holds)


class Glance(DiskFiles):
    """The disk at one moment: each entry is looked at once. For one answer, and used by one thread."""

    def __init__(self, fs: seam.FS, now_ns: Callable[[], int], known: Known) -> None:
        super().__init__(fs, now_ns, known)
        self._seen: dict[str, Looked] = {}
        self._began_ns = now_ns()

    def _look(self, path: str) -> Looked:
        looked = self._seen.get(path)
        if looked is None:
            looked = self._seen[path] = look(self._fs, path)
        return looked

    def glance(self) -> Files:
        """This one: it is of one moment already."""
        return self

    def forget(self) -> None:
        """Drop all that is known; the next look is a fresh one."""
        super().forget()
        self._seen.clear()
        self._began_ns = self._now_ns()

    def remembered(
        self,
        key: Hashable,
        conclude: Callable[[Files], Conclusion],
        holds: Callable[[Conclusion], bool] = _any_holds,
    ) -> Conclusion:
        """See :meth:`Files.remembered`."""
        kept = self._known.conclusions.get(key)
        if kept is not None and self._bears_out(kept.looks):
            value = cast("Conclusion", kept.value)
            if holds(value):
                self._rests_on_all(kept.looks)
                return value
        inner = _Concluding(self)
        value = conclude(inner)
        self._known.conclusions.keep(key, value, inner.needed, self._began_ns)
        self._rests_on_all(inner.needed)
        return value

    def _bears_out(self, looks: Mapping[str, Looked]) -> bool:
        """Whether all ``looks`` show what they showed then."""
        seen, fs = self._seen, self._fs
        for path, looked in looks.items():
            known = seen.get(path)
            if known is None:
                if not is_as_it_was(fs, path, looked):
                    return False
                seen[path] = looked
            elif known is not looked and known != looked:
                return False
        return True

    def _rests_on_all(self, looks: Mapping[str, Looked]) -> None:
        """What is told depends on all these looks."""


class _Concluding(Glance):
    """A glance that notes what is asked of it, while something is concluded. All else is the outer one's."""

    def __init__(self, outer: Glance) -> None:
        self._fs, self._now_ns, self._known = outer._fs, outer._now_ns, outer._known
        self._seen, self._began_ns = outer._seen, outer._began_ns
        self.needed: dict[str, Looked] = {}

    def _rests_on(self, path: str) -> Looked:
        looked = self.needed[path] = self._look(path)
        return looked

    def _rests_on_name(self, path: str) -> None:
        # A folder changes when a name in it comes or goes. Where there is no folder, its own name counts;
        # where it changed just now, as the folder of temporary files does all the time, the entry itself.
        folder = os.path.dirname(path)
        looked = self._look(folder)
        if looked.target is None and folder != path:
            self._rests_on_name(folder)
        elif looked.is_older(self._began_ns - RACY_NS):
            self._rests_on(folder)
        else:
            self._rests_on(path)

    def _rests_on_all(self, looks: Mapping[str, Looked]) -> None:
        self.needed.update(looks)


__all__ = ["MAX_TEXT_BYTES", "DiskFiles", "Files", "Glance"]
