"""What does one folder hold?"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from itertools import islice
from typing import NamedTuple

from agentbrief.disk import seam
from agentbrief.workspace.ignore import Scope
from agentbrief.workspace.ignore_files import GIT_NAME, IGNORE_NAME, inside

_BATCH = 1024


class Folder(NamedTuple):
    """What one folder holds, as names.

    ``scope`` is what holds in it and below, None where nothing is listed. ``files`` are what git lists, links
    among them; ``folders`` those to enter under ``scope``, ``unlisted_folders`` the other ones. ``counted``
    and ``python`` are the numbers of regular files and links to such, and of those among them that end in
    ``.py``; ``entries`` that of all. ``ignored_named`` are ignored files with a name that was asked for.
    ``lasting`` is False where the modification time of the folder does not tell all that was looked at.
    """

    scope: Scope | None
    files: Sequence[str]
    folders: Sequence[str]
    unlisted_folders: Sequence[str]
    counted: int
    python: int
    entries: int
    ignored_named: tuple[str, ...]
    lasting: bool


class Look:
    """How folders are looked at in one pass.

    ``between`` is told the number of entries after each thousand of a folder; True ends the pass.
    """

    def __init__(self, fs: seam.FS, names: frozenset[str], between: Callable[[int], bool]) -> None:
        self._fs = fs
        self._names = names
        self._between = between

    def folder(self, path: str, relative: str, given: Scope | None, *, count: bool) -> Folder | None:
        """What the folder at ``path`` holds; None if the pass was ended.

        ``given`` is the scope of its parent, None if nothing is listed there; ``count`` asks for the counts.

        Raises:
            OSError: the folder cannot be listed.
        """
        files: list[str] = []
        folders: list[str] = []
        links: list[os.DirEntry[str]] = []
        listing = self._fs.scan(path)
        entries = 0
        while batch := list(islice(listing, _BATCH)):
            entries += len(batch)
            plain = [entry.name for entry in batch if entry.is_file(follow_symlinks=False)]
            files += plain
            if len(plain) < len(batch):
                for entry in batch:
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(entry.name)
                    elif entry.is_symlink():
                        links.append(entry)
            if len(batch) < _BATCH:
                break
            if self._between(_BATCH):
                _close(listing)
                return None
        counted = python = 0
        if count:
            counted = len(files)
            python = sum([name.endswith(".py") for name in files])
            for link in links:
                if _leads_to_file(link):
                    counted += 1
                    python += link.name.endswith(".py")
        return self._listed(
            path, relative, given, files, folders, links, (counted, python, entries), not (count and links)
        )

    def _listed(
        self,
        path: str,
        relative: str,
        scope: Scope | None,
        files: list[str],
        folders: list[str],
        links: list[os.DirEntry[str]],
        numbers: tuple[int, int, int],
        lasting: bool,
    ) -> Folder:
        if scope is not None and (IGNORE_NAME in files or GIT_NAME in folders or GIT_NAME in files):
            marks = frozenset(files).union(folders)
            given, scope = scope, inside(self._fs, scope, path, relative, marks)
            lasting = lasting and GIT_NAME not in marks and scope is not given
            files = [name for name in files if name != GIT_NAME]
        if scope is None:
            return Folder(None, (), (), folders, *numbers, (), lasting)
        if links:
            files += [link.name for link in links if link.name != GIT_NAME]
        verdicts = scope.verdicts(relative)
        named: tuple[str, ...] = ()
        if ignored := verdicts.files.ignored(files):
            files = [name for name in files if name not in ignored]
            named = tuple(sorted(ignored & self._names))
        unlisted: Sequence[str] = ()
        if folders:
            ignored = verdicts.folders.ignored(folders)
            if ignored or GIT_NAME in folders:
                unlisted = [name for name in folders if name in ignored or name == GIT_NAME]
                folders = [name for name in folders if name not in ignored and name != GIT_NAME]
        return Folder(scope, files, folders, unlisted, *numbers, named, lasting)


def _leads_to_file(link: os.DirEntry[str]) -> bool:
    try:
        return link.is_file()
    except OSError:
        return False


def _close(listing: object) -> None:
    close = getattr(listing, "close", None)
    if close is not None:
        close()
