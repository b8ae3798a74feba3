"""Which earlier states of a session can come back, newest first?"""

from __future__ import annotations

import os
from dataclasses import dataclass, field

from agentbrief.checkpoints.checkpoint import Cause
from agentbrief.checkpoints.listing import Checkpoints, CopyState, ListedCheckpoint, checkpoints_in
from agentbrief.checkpoints.openclaw_store import StoreAsRead, StoreCheckpoint, checkpoints_of, copy_path
from agentbrief.disk.folder import Entry, entries
from agentbrief.disk.read import real_roots
from agentbrief.disk.refusal import Refused
from agentbrief.disk.values import ReadProblem
from agentbrief.sessions.sniff import openclaw
from agentbrief.sessions.store.entries import StoreEntry
from agentbrief.tasks.compaction.tree import entry_of_file
from agentbrief.tasks.sessions.read import NotASession, SessionFile, session_file, told_of
from agentbrief.tasks.sessions.setup import SessionsSetup
from agentbrief.tasks.store.look import NOTHING_IN_USE, StoreLook, look_at, with_data
from agentbrief.tasks.store.place import store_at

MAX_COUNTED_BYTES = 16 << 20
"""Up to this size the messages of a copy are counted where nobody noted them."""


@dataclass(frozen=True, slots=True)
class CheckpointRow:
    """One checkpoint.

    Numbers are None where neither its record nor its copy tells them; ``tokens`` estimated.

    ``path`` is that of the copy, None where the record names none; ``state`` is what stands there.
    ``noted`` is its record in our own index, ``in_store`` the one in OpenClaw's store.
    """

    id: str
    session_id: str
    created_ms: int
    cause: Cause
    messages: int | None
    tokens: int | None
    size: int | None
    path: str | None
    state: CopyState
    noted: ListedCheckpoint | None = None
    in_store: StoreCheckpoint | None = None


@dataclass(frozen=True, slots=True)
class SessionCheckpoints:
    """The checkpoints of ``file``, newest first.

    ``known`` is the index of its folder; ``store`` and ``entry`` are OpenClaw's where one names the session.
    """

    file: SessionFile
    folder: str
    rows: tuple[CheckpointRow, ...]
    known: Checkpoints = field(repr=False)
    store: StoreAsRead | None = field(default=None, repr=False)
    entry: StoreEntry | None = field(default=None, repr=False)

    def by_id(self, identifier: str) -> CheckpointRow | None:
        """The checkpoint of that identifier, or of one that begins so if only one does."""
        exact = [row for row in self.rows if row.id == identifier]
        found = exact or [row for row in self.rows if identifier and row.id.startswith(identifier)]
        return found[0] if len(found) == 1 else None


def session_checkpoints(setup: SessionsSetup, file: SessionFile) -> SessionCheckpoints:
    """The checkpoints of ``file``.

    Raises:
        Refused: the index, or the store, is there and cannot be read.
    """
    folder = _folder_of(setup, file)
    known = checkpoints_in(setup.fs, folder, real_roots(setup.fs, (folder,)))
    if file.format == openclaw.FORMAT:
        found = _in_store(setup, file, folder, known)
        if found is not None:
            return found
    name = os.path.basename(file.path)
    rows = tuple(
        _noted(item)
        for item in known.items
        if item.checkpoint.source == name or item.checkpoint.session_id == file.session_id
    )
    return SessionCheckpoints(file, folder, rows, known)


def _in_store(
    setup: SessionsSetup, file: SessionFile, folder: str, known: Checkpoints
) -> SessionCheckpoints | None:
    look = look_at(setup.fs, store_at(setup, os.path.join(folder, "sessions.json")), setup.now_ms)
    if isinstance(look, ReadProblem):
        return None
    look, data = with_data(setup.fs, look, setup.now_ms, NOTHING_IN_USE)
    entry = entry_of_file(look, file.path)
    if entry is None:
        return None
    noted = {item.checkpoint.id: item for item in known.items}
    rows = tuple(_stored(setup, look, each, noted) for each in checkpoints_of(entry, known))
    return SessionCheckpoints(file, folder, rows, known, StoreAsRead(look.folder, data), entry)


def _noted(item: ListedCheckpoint) -> CheckpointRow:
    found = item.checkpoint
    return CheckpointRow(
        found.id,
        found.session_id,
        found.created_ms,
        found.reason,
        found.messages,
        found.tokens,
        found.size,
        item.path,
        item.state,
        item,
    )


def _stored(
    setup: SessionsSetup, look: StoreLook, found: StoreCheckpoint, noted: dict[str, ListedCheckpoint]
) -> CheckpointRow:
    if (item := noted.get(found.id)) is not None:
        return _noted(item)
    path = copy_path(look.folder, found)
    entry = _entry_at(setup, path) if path is not None else None
    state = _state(entry, found.size)
    messages = _counted(setup, path) if path is not None and state in ("there", "size-differs") else None
    size = found.size if found.size is not None else entry.stamp.size if entry is not None else None
    return CheckpointRow(
        found.id,
        found.session_id,
        found.created_ms,
        found.cause,
        messages,
        found.tokens_before,
        size,
        path,
        state,
        in_store=found,
    )


def _entry_at(setup: SessionsSetup, path: str) -> Entry | None:
    folder, name = os.path.split(path)
    listed = entries(setup.fs, folder, real_roots(setup.fs, (folder,))) or ()
    return next((entry for entry in listed if entry.name == name), None)


def _state(entry: Entry | None, size: int | None) -> CopyState:
    if entry is None:
        return "missing"
    if entry.kind != "file":
        return "link" if entry.kind == "link" else "not-a-file"
    if entry.links != 1:
        return "several-names"
    return "there" if size in (None, entry.stamp.size) else "size-differs"


def _counted(setup: SessionsSetup, path: str) -> int | None:
    try:
        found = session_file(setup.fs, path, real_roots(setup.fs, (os.path.dirname(path),)))
        if isinstance(found, NotASession) or found.stamp.size > MAX_COUNTED_BYTES:
            return None
        return sum(1 for _ in told_of(setup.fs, found).messages())
    except (Refused, ValueError):
        return None


def _folder_of(setup: SessionsSetup, file: SessionFile) -> str:
    """The real folder of the session."""
    roots = real_roots(setup.fs, (file.path,))
    return os.path.dirname(next(iter(roots), file.path))
