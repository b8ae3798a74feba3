"""What stays whatever the limits say, and why?

The session that is in use, its files, what was touched just now, and the conversation a live thread was
copied from (openclaw.md 7.5). Protected sessions stay and count.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from agentbrief.disk.folder import Entry
from agentbrief.maintenance.values import Guard, Protection
from agentbrief.sessions.store.entries import StoreEntry
from agentbrief.sessions.store.folder import StoreFolder
from agentbrief.sessions.store.keys import canonical_key, thread_parent

RECENT_MS = 5 * 60 * 1000
"""A file that changed later than this before the plan is in use."""


@dataclass(frozen=True, slots=True)
class Protected:
    """Key → reason for sessions, file name → reason for files."""

    keys: Mapping[str, Protection] = field(hash=False)
    files: Mapping[str, Protection] = field(hash=False)


def protected(folder: StoreFolder, now_ms: int, guard: Guard) -> Protected:
    """Everything in ``folder`` that stays."""
    files: dict[str, Protection] = {}
    recent_ns = (now_ms - RECENT_MS) * 1_000_000
    used = guard.open_files | guard.locked_files
    near = [file for file in folder.files if file.mtime_ns >= recent_ns]
    if used:
        near += [file for file in folder.files if file.name in used]
    for file in near:
        if (why := _file_reason(file, now_ms, guard)) is not None:
            files[file.name] = why
    keys: dict[str, Protection] = {}
    for entry in folder.store.entries:
        reason = _entry_reason(entry, guard)
        for name in folder.files_of(entry) if files else ():
            reason = reason or files.get(name)
        if reason is not None:
            keys[entry.key] = reason
    for parent in _parents(folder, keys, guard):
        keys.setdefault(parent.key, "parent-of-live-fork")
    for entry in folder.store.entries if keys else ():
        if entry.key in keys:
            for name in folder.files_of(entry):
                files.setdefault(name, keys[entry.key])
    return Protected(keys, files)


def mtime_ms(file: Entry) -> int:
    """When the file changed last, in ms."""
    return file.mtime_ns // 1_000_000


def _entry_reason(entry: StoreEntry, guard: Guard) -> Protection | None:
    if guard.active_key is not None and canonical_key(guard.active_key) == canonical_key(entry.key):
        return "active"
    if guard.open_session_ids and entry.session_id in guard.open_session_ids:
        return "open"
    return "running" if entry.text("status") == "running" else None


def _file_reason(file: Entry, now_ms: int, guard: Guard) -> Protection | None:
    if file.name in guard.open_files:
        return "open"
    if file.name in guard.locked_files:
        return "locked"
    changed = mtime_ms(file)
    if changed > now_ms:
        return "future"
    return "recent" if now_ms - changed < RECENT_MS else None


def _parents(folder: StoreFolder, keys: Mapping[str, Protection], guard: Guard) -> list[StoreEntry]:
    """The entries that a live session was copied from."""
    live = [entry for entry in folder.store.entries if entry.key in keys]
    parent_files = {
        guard.fork_parents[name]
        for entry in live
        for name in folder.files_of(entry)
        if name in guard.fork_parents
    }
    names = set[str]()
    for entry in live:
        if (name := entry.text("parentSessionKey")) is not None:
            names.add(canonical_key(name))
        if entry.flag("forkedFromParent") and (parent := thread_parent(entry.key)) is not None:
            names.add(canonical_key(parent))
    if not names and not parent_files:
        return []
    return [
        entry
        for entry in folder.store.entries
        if canonical_key(entry.key) in names or not parent_files.isdisjoint(folder.files_of(entry))
    ]
