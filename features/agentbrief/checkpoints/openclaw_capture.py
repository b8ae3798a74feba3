"""Which steps record a checkpoint of an OpenClaw session together with the change it is made for?

First an exact copy, then the change, then the store's entry with the record of both; copies beyond the limit
go with their records (openclaw.md 10).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from agentbrief.changes.entry_edits import entry_edits
from agentbrief.changes.places import checkpoints_folder
from agentbrief.changes.steps import CopyVerified, EditStore, Forward, MoveToTrash
from agentbrief.checkpoints.checkpoint import Cause
from agentbrief.checkpoints.openclaw_store import (
    Place,
    Reason,
    StoreAsRead,
    StoreCheckpoint,
    checkpoints_of,
    copy_path,
    with_checkpoint,
)
from agentbrief.disk.read import FileBytes
from agentbrief.disk.values import Stamp
from agentbrief.jsonio import JsonValue
from agentbrief.sessions.store.entries import StoreEntry

StampAt = Callable[[str], Stamp | None]
"""Gives the version of the file at a path, None where there is none."""


@dataclass(frozen=True, slots=True)
class ChangeMade:
    """What the change does to the transcript: the leaf before and after, and the entry that it appends.

    The other values are noted with the checkpoint where they are known.
    """

    leaf_before: str | None
    leaf_after: str | None
    entry_id: str | None = None
    tokens_before: int | None = None
    tokens_after: int | None = None
    summary: str | None = None
    first_kept_id: str | None = None


@dataclass(frozen=True, slots=True)
class Captured:
    """A checkpoint and its steps; those of the change itself stand between ``copy`` and ``edit``."""

    checkpoint: StoreCheckpoint
    copy: CopyVerified
    edit: EditStore
    old_copies: tuple[MoveToTrash, ...] = ()

    def around(self, *change: Forward) -> tuple[Forward, ...]:
        """All steps in their order, with those of the change."""
        return (self.copy, *change, self.edit, *self.old_copies)


def capture(
    store: StoreAsRead,
    entry: StoreEntry,
    value: Mapping[str, JsonValue],
    present: FileBytes,
    change: ChangeMade,
    *,
    checkpoint_id: str,
    now_ms: int,
    most: int,
    stamp_at: StampAt,
    reason: Reason = "manual",
    cause: Cause = "compaction",
) -> Captured:
    """The checkpoint of ``present``, the transcript of ``entry``, before ``change``.

    ``value`` is the entry as the change leaves it. ``checkpoint_id`` names the copy too; ``most`` records
    stay in the entry.

    Raises:
        ValueError: there is no store, or the entry has no session.
    """
    folder = store.folder
    if folder.store_stamp is None or entry.session_id is None:
        raise ValueError("a checkpoint needs an entry of a store")
    target = os.path.join(checkpoints_folder(folder.folder), f"{checkpoint_id}.jsonl")
    checkpoint = StoreCheckpoint(
        checkpoint_id,
        entry.key,
        entry.session_id,
        now_ms,
        reason,
        Place(entry.session_id, target, change.leaf_before),
        Place(entry.session_id, present.path, change.leaf_after, change.entry_id),
        change.tokens_before,
        change.tokens_after,
        change.summary,
        change.first_kept_id,
        present.stamp.size,
        present.stamp.sha256,
        cause,
    )
    recorded = with_checkpoint(value, checkpoint, most)
    values: dict[str, JsonValue] = dict.fromkeys(entry.stored, None)
    values[entry.key] = recorded.value
    return Captured(
        checkpoint,
        CopyVerified(present.path, target, present.stamp),
        EditStore(folder.store_path, entry_edits(store.data, values), folder.store_stamp),
        _old_copies(store, recorded.dropped, stamp_at),
    )


def _old_copies(
    store: StoreAsRead, dropped: tuple[StoreCheckpoint, ...], stamp_at: StampAt
) -> tuple[MoveToTrash, ...]:
    """The copies of ours that no record names any more; those of OpenClaw are never removed."""
    ours = checkpoints_folder(store.folder.folder) + os.sep
    gone = {checkpoint.id for checkpoint in dropped}
    used = {
        copy_path(store.folder, checkpoint)
        for entry in store.folder.store.entries
        for checkpoint in checkpoints_of(entry)
        if checkpoint.id not in gone
    }
    found: list[MoveToTrash] = []
    for checkpoint in dropped:
        path = copy_path(store.folder, checkpoint)
        if path is None or path in used or not path.startswith(ours):
            continue
        if (stamp := stamp_at(path)) is not None:
            found.append(MoveToTrash(path, stamp, checkpoint.id))
    return tuple(found)
