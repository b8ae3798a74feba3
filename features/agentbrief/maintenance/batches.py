"""In which pieces is a plan carried out, and which steps make up a piece?

The lock of a store is held for seconds only, so a long plan is done in pieces. A session and its files are in
one piece; the session leaves the store before its files get another name, so that a crash in between leaves
files without a session, never a session without its files (openclaw.md 3.4, 7.2).
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from agentbrief.changes.steps import CopyVerified, EditStore, EntryEdit, MoveToTrash, RenameFile, Step
from agentbrief.changes.store_text import entries_of
from agentbrief.maintenance.cleanup_record import trash_label
from agentbrief.maintenance.values import PlanItem
from agentbrief.sessions.store.folder import StoreFolder

MOST_IN_A_BATCH = 250
"""So many items are carried out under one lock, unless one session has more files."""


@dataclass(frozen=True, slots=True)
class ItemStep:
    """A step, and the items of the plan that it carries out."""

    step: Step
    items: tuple[PlanItem, ...]


def batches(items: Iterable[PlanItem], most: int = MOST_IN_A_BATCH) -> tuple[tuple[PlanItem, ...], ...]:
    """``items`` in pieces of about ``most``, in order; copies of the store come first."""
    groups: dict[tuple[bool, str], list[PlanItem]] = {}
    for item in items:
        key = item.what if item.action == "drop-entry" else item.key
        groups.setdefault((True, key) if key is not None else (False, item.what), []).append(item)
    ordered = sorted(groups.values(), key=lambda group: group[0].action != "rotate")
    found: list[tuple[PlanItem, ...]] = []
    piece: list[PlanItem] = []
    for group in ordered:
        if piece and len(piece) + len(group) > most:
            found.append(tuple(piece))
            piece = []
        piece += group
    return (*found, tuple(piece)) if piece else tuple(found)


def steps_of(
    items: Iterable[PlanItem], folder: StoreFolder, store_data: bytes, cleanup_id: str
) -> tuple[ItemStep, ...]:
    """The steps that carry ``items`` out in ``folder``, whose store holds the bytes ``store_data``.

    Raises:
        ValueError: an item lacks what it was planned on, or the store is none.
    """
    by_action: dict[str, list[PlanItem]] = {}
    for item in items:
        by_action.setdefault(item.action, []).append(item)
    found = [
        ItemStep(CopyVerified(_path(folder, item.what), _new_path(folder, item), item.stamp), (item,))
        for item in by_action.get("rotate", ())
        if item.stamp is not None
    ]
    if dropped := tuple(by_action.get("drop-entry", ())):
        if folder.store_stamp is None:
            raise ValueError("no store")
        edits = drops(dropped, store_data)
        found.append(
            ItemStep(EditStore(_path(folder, folder.store_name), edits, folder.store_stamp), dropped)
        )
    for item in (*by_action.get("archive", ()), *by_action.get("trash", ())):
        if item.stamp is None:
            raise ValueError(item.what)
        path = _path(folder, item.what)
        if item.action == "archive":
            found.append(ItemStep(RenameFile(path, _new_path(folder, item), item.stamp), (item,)))
        else:
            label = trash_label(cleanup_id, item.reason)
            found.append(ItemStep(MoveToTrash(path, item.stamp, label), (item,)))
    return tuple(found)


def drops(dropped: Iterable[PlanItem], store_data: bytes) -> tuple[EntryEdit, ...]:
    """The edits that take the sessions out of the store under all their spellings."""
    values = raw_values(store_data)
    keys = [
        key for item in dropped for key in (item.entry.stored if item.entry is not None else (item.what,))
    ]
    return tuple(EntryEdit(key, values[key], None) for key in dict.fromkeys(keys) if key in values)


def raw_values(store_data: bytes) -> Mapping[str, bytes]:
    """The bytes of the value of each key; of a key that stands there twice those of the last.

    Raises:
        ValueError: ``store_data`` is no JSON object.
    """
    return {entry.key: store_data[entry.value : entry.end] for entry in entries_of(store_data)}


def _path(folder: StoreFolder, name: str) -> str:
    return os.path.join(folder.real_folder, name)


def _new_path(folder: StoreFolder, item: PlanItem) -> str:
    if item.new_name is None:
        raise ValueError(item.what)
    return _path(folder, item.new_name)
