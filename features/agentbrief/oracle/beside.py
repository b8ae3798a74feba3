"""Which files does Claude Code's hook name for a folder, and which of them is an agent predicted to send?

Claude Code and the agent of a brief are two agents: that they differ is no fault of either. A file is the
same for both where its path is, or where both paths lead to one file on the disk.

Source: agents.md 5.12.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from agentbrief.brief import Brief, Entry
from agentbrief.disk.files import Files
from agentbrief.disk.spelling import refused_spelling
from agentbrief.oracle.log import Loaded, LogDamage

Problem = Literal[
    "relative", "refused", "missing", "empty", "unreadable", "not-a-file", "outside-roots", "dangling-link",
    "no-session",
]  # fmt: skip

_EVERYWHERE = frozenset(("user", "managed"))
"""Kinds of memory that Claude Code loads wherever it is started."""

_Identity = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Session:
    """What the hook said of one folder in the newest session that it saw there.

    ``session_id`` is None where the log names no sessions: then it is all that it says of the folder.
    """

    session_id: str | None
    loads: tuple[Loaded, ...]


@dataclass(frozen=True, slots=True)
class BesideRow:
    """One file: what the hook says of it (nothing: it does not name the file), and for each brief in turn
    whether its agent is predicted to send it.
    """

    path: str
    loads: tuple[Loaded, ...]
    sent: tuple[bool, ...]

    @property
    def is_in_log(self) -> bool:
        """Whether the hook names the file."""
        return bool(self.loads)


@dataclass(frozen=True, slots=True)
class Beside:
    """The log at ``path`` beside the briefs of agents that are started in ``start``.

    ``problem``: why there is nothing to compare, ``detail`` a word or a path to it. ``skipped`` are the bytes
    of the log that were not read, before those that were.
    """

    path: str
    start: str
    problem: Problem | None = None
    detail: str = ""
    skipped: int = 0
    damages: tuple[LogDamage, ...] = ()
    session: Session | None = None
    rows: tuple[BesideRow, ...] = ()


def newest_session(records: Sequence[Loaded], folder: str, files: Files) -> Session | None:
    """The newest session of which the log tells something for ``folder``; None if it tells nothing.

    A load belongs to the folder that it was made in; where the hook did not say in which, to those at, above
    and below that of its file.
    """
    place = _Folder(folder, files)
    here = [record for record in records if place.holds(record)]
    if not here:
        return None
    # A file of the user is loaded everywhere: it tells least of where.
    certain = [record for record in here if record.cwd or not _is_everywhere(record)]
    newest = (certain or here)[-1].session_id
    return Session(newest, tuple(record for record in here if record.session_id == newest))


class _Folder:
    """A folder under whatever name; what was asked of it once is known."""

    def __init__(self, folder: str, files: Files) -> None:
        self._files = files
        self._path = os.path.normpath(folder)
        self._identity = _identity(folder, files)
        self._above = {_identity(each, files) for each in _upwards(self._path)} - {None}
        self._answers: dict[tuple[str | None, str, str], bool] = {}

    def holds(self, record: Loaded) -> bool:
        key = (record.cwd, "" if record.cwd else record.file_path, record.memory_type)
        answer = self._answers.get(key)
        if answer is None:
            answer = self._answers[key] = self._is(record.cwd) if record.cwd else self._may_load(record)
        return answer

    def _is(self, folder: str) -> bool:
        if os.path.normpath(folder) == self._path:
            return True
        return self._identity is not None and _identity(folder, self._files) == self._identity

    def _may_load(self, record: Loaded) -> bool:
        if _is_everywhere(record):
            return True
        owner = _owner(os.path.normpath(record.file_path))
        if _is_at_or_below(self._path, owner) or _is_at_or_below(owner, self._path):
            return True
        return _identity(owner, self._files) in self._above or any(map(self._is, _upwards(owner)))


def _upwards(folder: str) -> Iterator[str]:
    """``folder`` and the folders that hold it."""
    yield folder
    while (parent := os.path.dirname(folder)) != folder:
        yield parent
        folder = parent


def _is_everywhere(record: Loaded) -> bool:
    return record.memory_type.lower() in _EVERYWHERE


def _owner(path: str) -> str:
    """The folder that an instruction file of Claude Code is for: the one that holds ``.claude``, or the
    file's own.
    """
    folder = os.path.dirname(path)
    parts = folder.split(os.sep)
    if ".claude" in parts:
        return os.sep.join(parts[: parts.index(".claude")]) or os.sep
    return folder


def _is_at_or_below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


def rows_of(session: Session, briefs: Sequence[Brief], files: Files) -> tuple[BesideRow, ...]:
    """Each file that the hook names or an agent is predicted to send: those of the briefs in their order of
    views, then those that the log alone names, in its order.
    """
    known = _Known(briefs, files)
    loads: dict[str, list[Loaded]] = {}
    for record in session.loads:
        loads.setdefault(known.name_of(record), []).append(record)
    sent = [{entry.file.path for entry in brief.entries} for brief in briefs]
    paths = dict.fromkeys(placed.file.path for brief in briefs for placed in brief.by_priority)
    wanted = [path for path in paths if path in loads or any(path in each for each in sent)]
    return tuple(
        BesideRow(path, tuple(loads.get(path, ())), tuple(path in each for each in sent))
        for path in dict.fromkeys((*wanted, *loads))
    )


class _Known:
    """The names under which files are shown: those of the briefs, then those that the log came with."""

    def __init__(self, briefs: Sequence[Brief], files: Files) -> None:
        self._files = files
        self._paths = {placed.file.path for brief in briefs for placed in brief.placements}
        self._by_identity: dict[_Identity, str] = {}
        for path, identity in (*_identities(briefs, sent=True), *_identities(briefs, sent=False)):
            self._by_identity.setdefault(identity, path)
        self._names: dict[str, str] = {}

    def name_of(self, record: Loaded) -> str:
        path = record.file_path
        if not os.path.isabs(path) and record.cwd and os.path.isabs(record.cwd):
            path = os.path.join(record.cwd, path)
        name = self._names.get(path)
        if name is None:
            name = self._names[path] = self._found(path)
        return name

    def _found(self, path: str) -> str:
        for spelled in (path, os.path.normpath(path)):
            if spelled in self._paths:
                return spelled
        identity = _identity(path, self._files)
        return path if identity is None else self._by_identity.setdefault(identity, path)


def _identities(briefs: Sequence[Brief], *, sent: bool) -> Iterator[tuple[str, _Identity]]:
    for brief in briefs:
        for placed in brief.placements:
            stamp = placed.file.stamp
            if isinstance(placed, Entry) is sent and stamp is not None and (stamp.dev, stamp.ino) != (0, 0):
                yield placed.file.path, (stamp.dev, stamp.ino)


def _identity(path: str, files: Files) -> _Identity | None:
    """Which file or folder ``path``, which a stranger may have spelled, leads to; None if to none."""
    if not os.path.isabs(path) or refused_spelling(path) is not None:
        return None
    target = files.look(path).target
    return None if target is None or (target.dev, target.ino) == (0, 0) else (target.dev, target.ino)
