"""What may be left of a folder when the power fails? Everything that was not synced is lost, kept, or worse.

``PowerFS`` works on the real disk and keeps books: which contents and which names have reached it. A content
that was not synced may come back old, new, cut, or as zeros; of the changes of names that were not synced any
may be missing. A rename within one call is one change.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agentbrief.disk.lock import LOCK_NAME
from agentbrief.disk.seam import FS, Folder
from agentbrief.disk.temporary import is_temporary
from tests.disk.faults import Operation, Tree, caller, scratch, tree

FOLDER = -1

Names = dict[tuple[str, str], int]
"""(folder, name) → inode, or FOLDER."""


@dataclass(frozen=True)
class Content:
    synced: bytes
    now: bytes


@dataclass(frozen=True)
class Books:
    """What is known at one moment: names that are safe, changes that are not, contents."""

    names: Names
    pending: tuple[tuple[tuple[str, str, int | None], ...], ...]
    contents: dict[int, Content]


class PowerFS(FS):
    """The real disk with books; ``moments`` holds them as they were after each call that changes anything."""

    def __init__(self, root: Path) -> None:
        super().__init__()
        self.names_safe: Names = {}
        self.pending: list[tuple[tuple[str, str, int | None], ...]] = []
        self.contents: dict[int, Content] = {}
        for path in sorted(root.rglob("*")):
            key = (str(path.parent), path.name)
            if path.is_dir():
                self.names_safe[key] = FOLDER
            else:
                self.names_safe[key] = path.stat().st_ino
                self.contents[path.stat().st_ino] = Content(path.read_bytes(), path.read_bytes())
        self.moments: list[Books] = [self._books()]

    def _books(self) -> Books:
        return Books(dict(self.names_safe), tuple(self.pending), dict(self.contents))

    def _note(self, *changes: tuple[str, str, int | None]) -> None:
        if changes:
            self.pending.append(changes)
        self.moments.append(self._books())

    def _written(self, descriptor: int) -> None:
        status = os.fstat(descriptor)
        synced = self.contents[status.st_ino].synced if status.st_ino in self.contents else b""
        self.contents[status.st_ino] = Content(synced, os.pread(descriptor, status.st_size, 0))
        self._note()

    def create(self, folder: Folder, name: str) -> int:
        descriptor = super().create(folder, name)
        inode = os.fstat(descriptor).st_ino
        self.contents[inode] = Content(b"", b"")
        self._note((folder.path, name, inode))
        return descriptor

    def write(self, descriptor: int, data: bytes) -> int:
        count = super().write(descriptor, data)
        self._written(descriptor)
        return count

    def truncate(self, descriptor: int, size: int) -> None:
        super().truncate(descriptor, size)
        self._written(descriptor)

    def sync(self, descriptor: int) -> None:
        super().sync(descriptor)
        inode = os.fstat(descriptor).st_ino
        self.contents[inode] = Content(self.contents[inode].now, self.contents[inode].now)
        self._note()

    def sync_folder(self, folder: Folder) -> None:
        super().sync_folder(folder)
        left: list[tuple[tuple[str, str, int | None], ...]] = []
        for changes in self.pending:
            here = [change for change in changes if change[0] == folder.path]
            elsewhere = tuple(change for change in changes if change[0] != folder.path)
            _apply(self.names_safe, here)
            if elsewhere:
                left.append(elsewhere)
        self.pending = left
        self._note()

    def replace(self, folder: Folder, name: str, target: Folder, target_name: str) -> None:
        inode = self.lstat_in(folder, name).st_ino
        super().replace(folder, name, target, target_name)
        self._note((target.path, target_name, inode), (folder.path, name, None))

    def link(self, folder: Folder, name: str, target: Folder, target_name: str) -> None:
        super().link(folder, name, target, target_name)
        self._note((target.path, target_name, self.lstat_in(folder, name).st_ino))

    def unlink(self, folder: Folder, name: str) -> None:
        super().unlink(folder, name)
        self._note((folder.path, name, None))

    def make_folder(self, folder: Folder, name: str) -> None:
        super().make_folder(folder, name)
        self._note((folder.path, name, FOLDER))

    def remove_folder(self, folder: Folder, name: str) -> None:
        super().remove_folder(folder, name)
        self._note((folder.path, name, None))


def _apply(names: Names, changes: Any) -> None:
    for folder, name, inode in changes:
        if inode is None:
            names.pop((folder, name), None)
        else:
            names[(folder, name)] = inode


def after_power_loss(books: Books, root: Path, chance: random.Random | None) -> Tree:
    """One tree that may be found; without ``chance`` the one in which all that was not synced is gone."""
    names = dict(books.names)
    for changes in books.pending:
        if chance is not None and chance.random() < 0.5:
            _apply(names, changes)
    contents: dict[int, bytes] = {}
    found: Tree = {}
    for (folder, name), inode in sorted(names.items()):
        if is_temporary(name) or name == LOCK_NAME or not _reachable(names, folder, str(root)):
            continue
        path = os.path.relpath(os.path.join(folder, name), root)
        if inode == FOLDER:
            found[path] = None
        else:
            if inode not in contents:
                contents[inode] = _content(books.contents[inode], chance)
            found[path] = contents[inode]
    return found


def _reachable(names: Names, folder: str, root: str) -> bool:
    while folder != root:
        folder, name = os.path.split(folder)
        if names.get((folder, name)) != FOLDER:
            return False
    return True


def _content(content: Content, chance: random.Random | None) -> bytes:
    if content.synced == content.now or chance is None:
        return content.synced
    same = next(
        (
            number
            for number, pair in enumerate(zip(content.synced, content.now, strict=False))
            if pair[0] != pair[1]
        ),
        min(len(content.synced), len(content.now)),
    )
    cut = chance.randint(same, max(same, len(content.now)))
    return chance.choice(
        (
            content.synced,
            content.now,
            content.now[:cut],
            content.now[:cut] + bytes(len(content.now) - cut),
            content.now[:same] + chance.randbytes(len(content.now) - same),
        )
    )


def power_failures(operation: Operation, seeds: int) -> Iterator[str]:
    """What is wrong with what a power failure at any moment may leave; nothing if every promise holds."""
    with scratch() as root:
        operation.prepare(root)
        before = tree(root)
        fs = PowerFS(root)
        operation.run(fs, root, caller())
        # The promise of the last moment is the strongest: what was acknowledged is there.
        moments = fs.moments
        for seed in range(-1, seeds):
            for number, books in enumerate(moments):
                chance = None if seed < 0 else random.Random(seed * 1000 + number)
                found = after_power_loss(books, root, chance)
                is_last = number == len(moments) - 1
                if operation.is_after(before, found):
                    continue
                if is_last or not _may_be(operation, before, found):
                    yield f"{operation.name}: power failure at moment {number}, seed {seed}: {_sizes(found)}"


def _may_be(operation: Operation, before: Tree, found: Tree) -> bool:
    return (
        operation.is_untouched(before, found)
        or operation.is_torn(before, found)
        or operation.is_crash_state(before, found)
        or operation.is_power_state(before, found)
    )


def _sizes(found: Tree) -> dict[str, int | None]:
    return {path: None if data is None else len(data) for path, data in found.items()}
