"""What stood at a path at one moment, and does what was concluded from earlier looks still hold?

A conclusion is kept together with the looks it rests on. It holds as long as the same looks show the same:
so an answer costs one status a folder and file, not one for each question that was asked.
"""

from __future__ import annotations

import os
from collections.abc import Hashable, Mapping
from contextlib import suppress
from typing import Generic, NamedTuple, TypeVar, cast

from agentbrief.disk import seam
from agentbrief.disk.values import Stamp

RACY_NS = 50_000_000
"""A status younger than this when it was taken may stand for two versions: disks round their clocks."""

MOST_KEPT = 8192
"""The most conclusions that are kept; the oldest are dropped first."""


class Entry(NamedTuple):
    """The part of a status that changes whenever the entry does; of a folder, when a name comes or goes."""

    mode: int
    dev: int
    ino: int
    size: int
    mtime_ns: int
    ctime_ns: int

    def is_version(self, stamp: Stamp) -> bool:
        """Whether ``stamp`` was taken of the same version of the same file."""
        return (self.dev, self.ino, self.size, self.mtime_ns) == (
            stamp.dev, stamp.ino, stamp.size, stamp.mtime_ns
        )  # fmt: skip


class Looked(NamedTuple):
    """What stood at a path: the entry ``itself``, and where it leads if it is a link (else ``itself``).

    None: nothing that could be seen.
    """

    itself: Entry | None
    target: Entry | None

    @property
    def is_link(self) -> bool:
        """Whether the entry is a link, wherever it leads."""
        return self.itself is not None and self.itself is not self.target

    def is_older(self, time_ns: int) -> bool:
        """Whether the entry, and what it leads to, last changed before that time."""
        itself, target = self
        return (itself is None or (itself.mtime_ns < time_ns and itself.ctime_ns < time_ns)) and (
            target is itself or target is None or (target.mtime_ns < time_ns and target.ctime_ns < time_ns)
        )


NOTHING = Looked(None, None)


def look(fs: seam.FS, path: str) -> Looked:
    """What stands at ``path`` now. One call of the system, two where a link stands there."""
    try:
        status = fs.lstat(path)
    except (OSError, ValueError):
        return NOTHING
    itself = _entry(status)
    if not seam.is_link(status):
        return Looked(itself, itself)
    try:
        return Looked(itself, _entry(fs.stat(path)))
    except (OSError, ValueError):
        return Looked(itself, None)


def is_as_it_was(fs: seam.FS, path: str, looked: Looked) -> bool:
    """Whether a look at ``path`` shows now what it showed then."""
    entry = looked.itself
    if entry is None or entry is not looked.target:
        return look(fs, path) == looked
    try:
        status = fs.lstat(path)
    except OSError:
        return False
    # Compared in place: this is asked for each folder and file of a chain, before each answer.
    return (
        status.st_mtime_ns == entry.mtime_ns
        and status.st_ctime_ns == entry.ctime_ns
        and status.st_size == entry.size
        and status.st_ino == entry.ino
        and status.st_dev == entry.dev
        and status.st_mode == entry.mode
    )


def _entry(status: os.stat_result) -> Entry:
    return Entry(
        status.st_mode, status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns
    )


Value = TypeVar("Value")


class Same(Generic[Value]):
    """Stands in a key for a ``value`` that is equal to itself alone."""

    __slots__ = ("value",)

    def __init__(self, value: Value) -> None:
        self.value = value

    def __hash__(self) -> int:
        """The identity of the value, which lives as long as this."""
        return id(self.value)

    def __eq__(self, other: object) -> bool:
        """Whether both stand for one object."""
        return isinstance(other, Same) and cast("Same[object]", other).value is self.value


class Kept(NamedTuple):
    """A conclusion, and the looks it rests on."""

    value: object
    looks: Mapping[str, Looked]


class Conclusions:
    """What was concluded, by key. Asked and filled by several threads."""

    def __init__(self) -> None:
        self._kept: dict[Hashable, Kept] = {}

    def get(self, key: Hashable) -> Kept | None:
        """What is kept under ``key``."""
        return self._kept.get(key)

    def keep(self, key: Hashable, value: object, looks: Mapping[str, Looked], began_ns: int) -> None:
        """Keep ``value``, unless one of its looks may stand for two versions.

        ``began_ns``: the time before the first of the looks.
        """
        before = self._kept.get(key)
        if before is not None and before.looks == looks:
            self._kept[key] = Kept(value, before.looks)
            return
        self._kept.pop(key, None)
        settled = began_ns - RACY_NS
        if all(looked.is_older(settled) for looked in looks.values()):
            self._kept[key] = Kept(value, looks)
            if len(self._kept) > MOST_KEPT:
                with suppress(RuntimeError, StopIteration):
                    self._kept.pop(next(iter(self._kept)), None)

    def clear(self) -> None:
        """Keep nothing."""
        self._kept.clear()
