"""Which steps of a cleanup may still be taken, now that the lock is held?

Each item is looked at again in the folder as it is: what grew, went away or came into use since the plan is
left out, and nothing is ever added (reliability.md 7).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from agentbrief.disk.folder import Entry
from agentbrief.maintenance.protection import Protected, protected
from agentbrief.maintenance.values import Guard, PlanItem, Protection
from agentbrief.sessions.store.entries import StoreEntry
from agentbrief.sessions.store.folder import StoreFolder
from agentbrief.sessions.store.keys import canonical_key

LeftOutWhy = Literal["gone", "changed", "in-use", "session-stays", "name-taken"] | Protection


@dataclass(frozen=True, slots=True)
class LeftOut:
    """An item that is not carried out, and why."""

    item: PlanItem
    why: LeftOutWhy


@dataclass(frozen=True, slots=True)
class Rechecked:
    """What is carried out, in the order of the plan, and what is left out."""

    items: tuple[PlanItem, ...]
    left_out: tuple[LeftOut, ...]


def recheck(items: tuple[PlanItem, ...], folder: StoreFolder, now_ms: int, guard: Guard) -> Rechecked:
    """The ``items`` of a plan that still hold in ``folder``, read after the lock was taken."""
    safe = protected(folder, now_ms, guard)
    entries = {canonical_key(entry.key): entry for entry in folder.store.entries}
    files = {file.name: file for file in folder.files}
    grown = {item.key for item in items if item.key is not None and _has_changed(item, files.get(item.what))}
    drops: dict[str, LeftOutWhy | None] = {
        item.what: _drop_fault(item, entries.get(canonical_key(item.what)), safe)
        or ("changed" if item.what in grown else None)
        for item in items
        if item.action == "drop-entry"
    }
    going = {key for key, why in drops.items() if why is None}
    used = _used_by_others(folder, going)
    kept: list[PlanItem] = []
    left_out: list[LeftOut] = []
    for item in items:
        why = drops[item.what] if item.action == "drop-entry" else _file_fault(item, files, used, safe, drops)
        if why is None:
            kept.append(item)
        else:
            left_out.append(LeftOut(item, why))
    return Rechecked(tuple(kept), tuple(left_out))


def _drop_fault(item: PlanItem, entry: StoreEntry | None, safe: Protected) -> LeftOutWhy | None:
    if entry is None:
        return "gone"
    if item.entry is None or dict(entry.stored) != dict(item.entry.stored):
        return "changed"
    return safe.keys.get(entry.key)


def _file_fault(
    item: PlanItem,
    files: Mapping[str, Entry],
    used: frozenset[str],
    safe: Protected,
    drops: Mapping[str, LeftOutWhy | None],
) -> LeftOutWhy | None:
    file = files.get(item.what)
    if file is None:
        return "gone"
    if _has_changed(item, file):
        return "changed"
    if item.new_name is not None and item.new_name in files:
        return "name-taken"
    if item.action == "rotate":
        return None
    if item.key is not None and drops.get(item.key) is not None:
        return "session-stays"
    if item.what in used:
        return "in-use"
    return safe.files.get(item.what)


def _has_changed(item: PlanItem, file: Entry | None) -> bool:
    """Whether the file is there and is not the version that was planned on."""
    if file is None or item.action == "drop-entry":
        return False
    return item.stamp is None or _without_hash(file) != _version(item)


def _used_by_others(folder: StoreFolder, going: set[str]) -> frozenset[str]:
    """The files of the sessions that stay."""
    staying: list[StoreEntry] = [entry for entry in folder.store.entries if entry.key not in going]
    return frozenset(name for entry in staying for name in folder.files_of(entry))


def _without_hash(file: Entry) -> tuple[int, int, int, int]:
    return file.dev, file.ino, file.size, file.mtime_ns


def _version(item: PlanItem) -> tuple[int, int, int, int] | None:
    stamp = item.stamp
    return None if stamp is None else (stamp.dev, stamp.ino, stamp.size, stamp.mtime_ns)
