"""Which checkpoints does an entry of an OpenClaw store record, and how does it record one more?

The records stand in ``compactionCheckpoints``. Ours say more than OpenClaw's: the size and hash of the copy,
and the cause. Source: openclaw.md 10; openclaw/openclaw src/gateway/session-compaction-checkpoints.ts.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from agentbrief.checkpoints.checkpoint import Cause
from agentbrief.checkpoints.listing import Checkpoints, ListedCheckpoint
from agentbrief.jsonio import JsonValue
from agentbrief.sessions.store.entries import Store, StoreEntry
from agentbrief.sessions.store.folder import StoreFolder
from agentbrief.sessions.store.paths import below

Reason = Literal["manual", "auto-threshold", "overflow-retry", "timeout-retry"]
"""Why OpenClaw compacts. A checkpoint of another cause than a compaction has the reason ``manual``."""

CheckpointFault = Literal["id-missing", "session-not-found", "checkpoint-not-found"]
"""Why there is no such checkpoint."""

FIELD = "compactionCheckpoints"


@dataclass(frozen=True, slots=True)
class Place:
    """A state of a session: its file, the leaf of its tree, and the entry that made it."""

    session_id: str
    session_file: str | None = None
    leaf_id: str | None = None
    entry_id: str | None = None

    def record(self) -> dict[str, JsonValue]:
        """The place as a store has it; what is not known is left out."""
        found: dict[str, JsonValue] = {
            "sessionId": self.session_id,
            "sessionFile": self.session_file,
            "leafId": self.leaf_id,
            "entryId": self.entry_id,
        }
        return {name: value for name, value in found.items() if value is not None}


@dataclass(frozen=True, slots=True)
class StoreCheckpoint:
    """One checkpoint. ``before`` is what can come back, its file the copy; ``after`` what the change left.

    Times in ms since 1970, ``size`` of the copy in bytes. ``stored`` is the record as the file has it; what
    OpenClaw wrote has no size, no hash and no cause.
    """

    id: str
    session_key: str
    session_id: str
    created_ms: int
    reason: str
    before: Place
    after: Place
    tokens_before: int | None = None
    tokens_after: int | None = None
    summary: str | None = None
    first_kept_id: str | None = None
    size: int | None = None
    sha256: str | None = None
    cause: Cause = "compaction"
    stored: Mapping[str, JsonValue] | None = field(default=None, hash=False, compare=False, repr=False)

    def record(self) -> dict[str, JsonValue]:
        """The record that a store keeps: the one that was read, else a new one."""
        if self.stored is not None:
            return dict(self.stored)
        found: dict[str, JsonValue] = {
            "checkpointId": self.id,
            "sessionKey": self.session_key,
            "sessionId": self.session_id,
            "createdAt": self.created_ms,
            "reason": self.reason,
            "tokensBefore": self.tokens_before,
            "tokensAfter": self.tokens_after,
            "summary": self.summary,
            "firstKeptEntryId": self.first_kept_id,
            "preCompaction": self.before.record(),
            "postCompaction": self.after.record(),
            "size": self.size,
            "sha256": self.sha256,
            "cause": self.cause,
        }
        return {name: value for name, value in found.items() if value is not None}


@dataclass(frozen=True, slots=True)
class StoreAsRead:
    """A store and its folder, and the bytes of the store that they were read from."""

    folder: StoreFolder
    data: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Recorded:
    """The value of an entry with one more checkpoint, and those that had to go for it."""

    value: dict[str, JsonValue] = field(hash=False)
    dropped: tuple[StoreCheckpoint, ...] = ()


def checkpoints_of(entry: StoreEntry, known: Checkpoints | None = None) -> tuple[StoreCheckpoint, ...]:
    """The checkpoints that ``entry`` records, newest first; what is no record is passed over.

    With ``known``, the index beside the store, those of its sessions that are noted only there are among
    them: a restore keeps the state it replaces without a record in the entry.
    """
    found = _records(entry.value)
    if known is not None:
        ids = {checkpoint.id for checkpoint in found}
        sessions = {entry.session_id, *(checkpoint.session_id for checkpoint in found)}
        noted = [item for item in reversed(known.items) if item.checkpoint.session_id in sessions]
        found += [_noted(entry, item) for item in noted if item.checkpoint.id not in ids]
    return tuple(sorted(reversed(found), key=lambda checkpoint: checkpoint.created_ms, reverse=True))


def find_checkpoint(
    store: Store, key: str, checkpoint_id: str, known: Checkpoints | None = None
) -> tuple[StoreEntry, StoreCheckpoint] | CheckpointFault:
    """The entry that ``key`` names and its checkpoint ``checkpoint_id``, or why there is none."""
    wanted = checkpoint_id.strip()
    if not wanted:
        return "id-missing"
    entry = store.get(key)
    if entry is None or entry.session_id is None:
        return "session-not-found"
    for checkpoint in checkpoints_of(entry, known):
        if checkpoint.id == wanted:
            return entry, checkpoint
    return "checkpoint-not-found"


def copy_path(folder: StoreFolder, checkpoint: StoreCheckpoint) -> str | None:
    """Where the copy of ``checkpoint`` lies; None if it does not lie below the folder of the store."""
    found = below(checkpoint.before.session_file, folder.spellings)
    return os.path.join(folder.folder, found) if found is not None else None


def with_checkpoint(value: Mapping[str, JsonValue], checkpoint: StoreCheckpoint, most: int) -> Recorded:
    """``value``, an entry, with ``checkpoint`` as its newest and at most ``most`` in all.

    What stands in the list and is no record stays, and does not count.
    """
    listed = value.get(FIELD)
    items: list[JsonValue] = list(listed) if isinstance(listed, list) else []
    records = [index for index, item in enumerate(items) if _checkpoint(item) is not None]
    going = set(records[: max(0, len(records) + 1 - most)])
    dropped = tuple(found for index in sorted(going) if (found := _checkpoint(items[index])) is not None)
    kept = [item for index, item in enumerate(items) if index not in going]
    return Recorded({**value, FIELD: [*kept, checkpoint.record()]}, dropped)


def _noted(entry: StoreEntry, item: ListedCheckpoint) -> StoreCheckpoint:
    """A checkpoint of the index, as a store would record it."""
    found = item.checkpoint
    return StoreCheckpoint(
        found.id,
        entry.key,
        found.session_id,
        found.created_ms,
        "manual",
        Place(found.session_id, item.path),
        Place(found.session_id),
        found.tokens or None,
        size=found.size,
        sha256=found.sha256,
        cause=found.reason,
    )


def _records(value: JsonValue) -> list[StoreCheckpoint]:
    listed = value.get(FIELD) if isinstance(value, dict) else None
    items = listed if isinstance(listed, list) else []
    return [found for item in items if (found := _checkpoint(item)) is not None]


def _checkpoint(item: JsonValue) -> StoreCheckpoint | None:
    if not isinstance(item, dict):
        return None
    identifier, session_id = _text(item, "checkpointId"), _text(item, "sessionId")
    if identifier is None or session_id is None:
        return None
    return StoreCheckpoint(
        identifier,
        _text(item, "sessionKey") or "",
        session_id,
        _number(item, "createdAt") or 0,
        _text(item, "reason") or "manual",
        _place(item.get("preCompaction"), session_id),
        _place(item.get("postCompaction"), session_id),
        _number(item, "tokensBefore"),
        _number(item, "tokensAfter"),
        _text(item, "summary"),
        _text(item, "firstKeptEntryId"),
        _number(item, "size"),
        _text(item, "sha256"),
        _cause(item.get("cause")),
        item,
    )


def _place(value: JsonValue, session_id: str) -> Place:
    found: Mapping[str, JsonValue] = value if isinstance(value, dict) else {}
    return Place(
        _text(found, "sessionId") or session_id,
        (_text(found, "sessionFile") or "").strip() or None,
        _text(found, "leafId"),
        _text(found, "entryId"),
    )


def _cause(value: JsonValue) -> Cause:
    match value:
        case "restore" | "cleanup" | "asked" as cause:
            return cause
        case _:
            return "compaction"


def _text(value: Mapping[str, JsonValue], key: str) -> str | None:
    found = value.get(key)
    return found if isinstance(found, str) else None


def _number(value: Mapping[str, JsonValue], key: str) -> int | None:
    found = value.get(key)
    if isinstance(found, bool) or not isinstance(found, int | float):
        return None
    return int(found) if abs(found) < 1e18 else None
