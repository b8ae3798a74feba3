"""What lies in the trash of a store, and how does it come back?

A file goes to ``.agentbrief/trash/<day>/`` under its own name, or the next free one. The manifest gets its
line before the file moves: after a crash in between the file stands at its old place, or in the trash and
listed. What lies in the trash without a line is listed too.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass

from agentbrief.changes.places import day_of, trash_folder, trash_manifest
from agentbrief.disk import seam
from agentbrief.disk.append import append
from agentbrief.disk.folder import entries, make_folder, real_folder
from agentbrief.disk.lock import Held
from agentbrief.disk.move import move, remove, remove_empty_folder
from agentbrief.disk.read import Roots
from agentbrief.disk.refusal import Refused
from agentbrief.disk.stream import Stream, streamed
from agentbrief.disk.values import ReadProblem, Stamp
from agentbrief.jsonio import JsonValue, dumps, loads

_NS_PER_DAY = 86_400 * 1_000_000_000
_NS_PER_MS = 1_000_000


@dataclass(frozen=True, slots=True)
class TrashItem:
    """One file in the trash.

    ``trashed`` is where it lies, ``path`` where it stood (None where that is not known), ``moved_ms`` when it
    was moved (ms since 1970), ``day`` the folder's name, ``label`` what was noted for people.
    """

    trashed: str
    path: str | None
    day: str
    moved_ms: int | None
    stamp: Stamp
    label: str = ""


def trash_items(fs: seam.FS, store: str, roots: Roots) -> tuple[TrashItem, ...]:
    """What lies in the trash of the folder ``store``, the newest day first.

    Raises:
        Refused: the trash may not be read.
    """
    folder = trash_folder(store)
    noted = _noted(fs, store, roots)
    found: list[TrashItem] = []
    for day in entries(fs, folder, roots) or ():
        if day.kind != "folder":
            continue
        for entry in entries(fs, os.path.join(folder, day.name), roots) or ():
            if entry.kind != "file":
                continue
            record = noted.get(f"{day.name}/{entry.name}", {})
            path, moved_ms, label = record.get("path"), record.get("time"), record.get("label")
            found.append(
                TrashItem(
                    os.path.join(folder, day.name, entry.name),
                    os.path.normpath(os.path.join(store, path)) if isinstance(path, str) and path else None,
                    day.name,
                    moved_ms if isinstance(moved_ms, int) else None,
                    entry.stamp,
                    label if isinstance(label, str) else "",
                )
            )
    return tuple(sorted(found, key=lambda item: (item.day, item.moved_ms or 0), reverse=True))


def to_trash(held: Held, path: str, stamp: Stamp, label: str = "") -> tuple[str, Stamp]:
    """Where the file ``path`` lies now, and its stamp.

    Raises:
        Refused: nothing was changed; ``Conflict`` if the file is not the version ``stamp``.
    """
    now_ns = held.caller.now_ns()
    day = day_of(now_ns)
    folder = make_folder(held.fs, os.path.join(trash_folder(held.store), day), held.roots)
    taken = {entry.name for entry in entries(held.fs, folder, held.roots) or ()}
    name = _free_name(os.path.basename(path), taken)
    record: dict[str, JsonValue] = {
        "action": "trash",
        "trash": f"{day}/{name}",
        "path": _from_store(held, path),
        "time": now_ns // _NS_PER_MS,
        "size": stamp.size,
    }
    if label:
        record["label"] = label
    append(held, trash_manifest(held.store), dumps(record))
    trashed = os.path.join(folder, name)
    return trashed, move(held, path, trashed, expect=stamp)


def from_trash(held: Held, trashed: str, path: str, stamp: Stamp) -> Stamp:
    """The stamp of ``path``, where the file ``trashed`` stands again.

    Raises:
        Refused: the name is taken (``exists``), or the system refuses; nothing was changed.
    """
    make_folder(held.fs, os.path.dirname(path), held.roots)
    _note(held, "restore", trashed)
    found = move(held, trashed, path, expect=stamp)
    remove_empty_folder(held, os.path.dirname(trashed))
    return found


def expired(items: Iterable[TrashItem], now_ns: int, days: int) -> tuple[TrashItem, ...]:
    """Those ``items`` that have been in the trash for more than ``days`` days, oldest first.

    An item whose time is not known counts from the end of its day.
    """
    limit_ns = now_ns - days * _NS_PER_DAY
    old: list[TrashItem] = []
    for item in items:
        is_old = (
            item.moved_ms * _NS_PER_MS < limit_ns
            if item.moved_ms is not None
            else item.day < day_of(limit_ns)
        )
        if is_old:
            old.append(item)
    return tuple(sorted(old, key=lambda item: (item.day, item.moved_ms or 0)))


def purge(held: Held, items: Iterable[TrashItem]) -> tuple[TrashItem, ...]:
    """Those ``items`` that are gone for good now; what changed or refuses to go stays and is left out."""
    gone: list[TrashItem] = []
    for item in items:
        _note(held, "purge", item.trashed)
        try:
            remove(held, item.trashed, expect=item.stamp)
        except Refused:
            continue
        gone.append(item)
        remove_empty_folder(held, os.path.dirname(item.trashed))
    return tuple(gone)


def _note(held: Held, action: str, trashed: str) -> None:
    day, name = os.path.split(trashed)
    record: dict[str, JsonValue] = {
        "action": action,
        "trash": f"{os.path.basename(day)}/{name}",
        "time": held.caller.now_ns() // _NS_PER_MS,
    }
    append(held, trash_manifest(held.store), dumps(record))


def _noted(fs: seam.FS, store: str, roots: Roots) -> dict[str, dict[str, JsonValue]]:
    """The last record of a move to each place in the trash; lines that say nothing are passed over."""
    found: dict[str, dict[str, JsonValue]] = {}
    with streamed(fs, trash_manifest(store), roots) as stream:
        if isinstance(stream, ReadProblem) and stream.kind == "unreadable":
            raise Refused("failed", stream.path, detail=stream.detail)
        if not isinstance(stream, Stream):
            return found
        for line in stream.lines():
            try:
                record = loads(line.data or b"null")
            except ValueError:
                continue
            if isinstance(record, dict) and record.get("action") == "trash":
                place = record.get("trash")
                if isinstance(place, str):
                    found[place] = record
    return found


def _from_store(held: Held, path: str) -> str:
    """``path`` as seen from its store, so that a store can be moved with its trash."""
    folder = real_folder(held.fs, os.path.dirname(path), held.roots)
    if folder is None:
        raise Refused("vanished", path)
    inside = (folder + os.sep).removeprefix(held.store + os.sep)
    return os.path.join(inside, os.path.basename(path))


def _free_name(name: str, taken: set[str]) -> str:
    if name not in taken:
        return name
    number = 2
    while f"{name}.{number}" in taken:
        number += 1
    return f"{name}.{number}"
