"""Which folders did not change since the last pass?

A folder is taken as known while its inode and modification time, the stamp of its ignore file and the ignore
files above it are the same. Not kept are folders that changed just now, as their time may stand for two
states, and those whose state the time does not tell: links that are counted, repositories.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import NamedTuple

from agentbrief.disk import seam
from agentbrief.disk.values import Stamp
from agentbrief.workspace.folder import Folder
from agentbrief.workspace.ignore import Scope
from agentbrief.workspace.ignore_files import IGNORE_NAME

_RACY_NS = 50_000_000


class _Kept(NamedTuple):
    """A folder, packed: half a KB each is the aim, and a large project has a hundred thousand."""

    identity: int
    given: Scope | None
    scope: Scope | None
    files: str
    folders: str
    unlisted_folders: str
    counted: int
    python: int
    entries: int
    ignored_named: tuple[str, ...]
    ignore_file: Stamp | None


class Memory:
    """What the last pass over one project saw. ``now_ns`` is the clock, as features have none."""

    def __init__(self, now_ns: Callable[[], int]) -> None:
        self._now_ns = now_ns
        self._of: tuple[str, frozenset[str]] | None = None
        self._before: dict[str, _Kept] = {}
        self._now: dict[str, _Kept] = {}
        self._racy_from = 0

    def __len__(self) -> int:
        """The number of folders that are kept."""
        return len(self._now) + len(self._before.keys() - self._now.keys())

    def begin(self, project: str, names: frozenset[str]) -> None:
        """A pass over ``project`` that asks for ``names`` begins."""
        if self._of != (project, names):
            self._before = {}
            self._of = (project, names)
        self._now = {}
        self._racy_from = self._now_ns() - _RACY_NS

    def end(self, *, complete: bool) -> None:
        """The pass is over. After a complete one, folders that it did not see are forgotten."""
        self._before = self._now if complete else self._before | self._now
        self._now = {}

    def known(
        self,
        fs: seam.FS,
        path: str,
        relative: str,
        status: os.stat_result,
        given: Scope | None,
        count: bool,
    ) -> Folder | None:
        """The folder as the last pass saw it, if it is the same."""
        kept = self._before.get(relative)
        if kept is None or kept.identity != _identity(status) or kept.given is not given:
            return None
        if (count and kept.counted < 0) or (
            kept.ignore_file is not None and kept.ignore_file != _ignore_stamp(fs, path)
        ):
            return None
        self._now[relative] = kept
        return Folder(
            kept.scope, _split(kept.files), _split(kept.folders), _split(kept.unlisted_folders), kept.counted,
            kept.python, kept.entries, kept.ignored_named, True,
        )  # fmt: skip

    def keep(
        self,
        fs: seam.FS,
        path: str,
        relative: str,
        status: os.stat_result,
        given: Scope | None,
        count: bool,
        folder: Folder,
    ) -> None:
        """Remember ``folder``, whose ``status`` was read before it was listed."""
        if not folder.lasting or status.st_mtime_ns >= self._racy_from:
            return
        ignore_file = None
        if given is not None and folder.scope is not given:
            ignore_file = _ignore_stamp(fs, path)
            if ignore_file is None or ignore_file.mtime_ns >= self._racy_from:
                return
        self._now[relative] = _Kept(
            _identity(status), given, folder.scope, "/".join(folder.files), "/".join(folder.folders),
            "/".join(folder.unlisted_folders), folder.counted if count else -1, folder.python, folder.entries,
            folder.ignored_named, ignore_file,
        )  # fmt: skip


def _identity(status: os.stat_result) -> int:
    return status.st_mtime_ns << 64 | status.st_ino


def _split(names: str) -> list[str]:
    return names.split("/") if names else []


def _ignore_stamp(fs: seam.FS, path: str) -> Stamp | None:
    try:
        return Stamp.of(fs.lstat(os.path.join(path, IGNORE_NAME)))
    except OSError:
        return None
