"""How does a checkpoint of an OpenClaw session come back: in place of the session, or as a branch of it?

Always as a new file with a new session id; the present file is never written over (openclaw.md 10). What
stands in the copy goes into the new file line by line, under a header of its own.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from agentbrief.changes.entry_edits import entry_edits
from agentbrief.changes.steps import EditStore, Forward, ReplaceFile
from agentbrief.checkpoints.capture import Capture, Moment, capture
from agentbrief.checkpoints.listing import Checkpoints
from agentbrief.checkpoints.openclaw_store import (
    FIELD,
    CheckpointFault,
    StoreAsRead,
    StoreCheckpoint,
    copy_path,
    find_checkpoint,
)
from agentbrief.checkpoints.restore import MAX_COPY_BYTES
from agentbrief.disk import seam
from agentbrief.disk.read import FileBytes, Roots, read_bytes
from agentbrief.disk.values import ReadProblem
from agentbrief.jsonio import JsonValue
from agentbrief.sessions.pi.append import NewUuid
from agentbrief.sessions.pi.fork import NewTranscript, forked_session
from agentbrief.sessions.pi.read import read_transcript
from agentbrief.sessions.pi.tree import PiTranscript
from agentbrief.sessions.store.entries import StoreEntry
from agentbrief.sessions.store.keys import agent_and_rest, canonical_key

RestoreFault = CheckpointFault | Literal["copy-missing", "copy-differs", "copy-unreadable", "no-store"]
"""Why nothing comes back; the copy is missing, has another hash than was recorded, or is no transcript.

A checkpoint that names no copy is not found.
"""


_OF_THE_RUN = frozenset(
    (
        "startedAt",
        "endedAt",
        "runtimeMs",
        "status",
        "inputTokens",
        "outputTokens",
        "totalTokens",
        "totalTokensFresh",
        "cacheRead",
        "cacheWrite",
        "estimatedCostUsd",
    )
)


@dataclass(frozen=True, slots=True)
class Restored:
    """What a restore or a branch makes: the new transcript, the entry, and the steps to that.

    ``key`` is the entry's, ``source_key`` that of the session the checkpoint belongs to. ``kept`` is the
    checkpoint of the present state, which a restore makes first.
    """

    key: str
    source_key: str
    session_id: str
    checkpoint: StoreCheckpoint
    entry: dict[str, JsonValue] = field(hash=False)
    transcript: NewTranscript
    steps: tuple[Forward, ...]
    kept: Capture | None = None


@dataclass(frozen=True, slots=True)
class Copied:
    """A checkpoint whose copy was read and may come back."""

    entry: StoreEntry
    checkpoint: StoreCheckpoint
    path: str
    transcript: PiTranscript
    data: bytes = field(repr=False)


def read_copy(
    fs: seam.FS,
    roots: Roots,
    store: StoreAsRead,
    key: str,
    checkpoint_id: str,
    known: Checkpoints | None = None,
) -> Copied | RestoreFault:
    """The checkpoint ``checkpoint_id`` of the session ``key`` with its copy, or why it cannot come back.

    ``known`` is the index beside the store.
    """
    if store.folder.store.problem is not None or store.folder.store_stamp is None:
        return "no-store"
    found = find_checkpoint(store.folder.store, key, checkpoint_id, known)
    if not isinstance(found, tuple):
        return found
    entry, checkpoint = found
    if checkpoint.before.session_file is None:
        return "checkpoint-not-found"
    path = copy_path(store.folder, checkpoint)
    read = read_bytes(fs, path, roots, MAX_COPY_BYTES) if path is not None else None
    if path is None or read is None:
        return "copy-missing"
    if isinstance(read, ReadProblem):
        return "copy-unreadable"
    if checkpoint.sha256 is not None and checkpoint.sha256 != read.stamp.sha256:
        return "copy-differs"
    transcript = read_transcript(read.data)
    if not isinstance(transcript, PiTranscript):
        return "copy-unreadable"
    return Copied(entry, checkpoint, path, transcript, read.data)


def restore(
    store: StoreAsRead,
    copied: Copied,
    present: FileBytes | None,
    known: Checkpoints,
    *,
    now_ms: int,
    new_uuid: NewUuid,
) -> Restored:
    """The session as the checkpoint has it, under the same key.

    ``present`` is the transcript that the entry has now, which is copied first and noted in the index
    ``known``; None where there is none.
    """
    new = _forked(copied, now_ms, new_uuid)
    value = _entry(store, copied, new, now_ms)
    values: dict[str, JsonValue] = dict.fromkeys(copied.entry.stored, None)
    values[copied.entry.key] = value
    kept = _kept(copied.entry, present, known, now_ms, new_uuid) if present is not None else None
    before, later = (kept.steps, kept.later) if kept is not None else ((), ())
    return Restored(
        copied.entry.key,
        copied.entry.key,
        new.session_id,
        copied.checkpoint,
        value,
        new,
        (*before, *_steps(store, new, values), *later),
        kept,
    )


def _kept(
    entry: StoreEntry, present: FileBytes, known: Checkpoints, now_ms: int, new_uuid: NewUuid
) -> Capture:
    transcript = read_transcript(present.data)
    entries = transcript.tree.entries if isinstance(transcript, PiTranscript) else ()
    messages = sum(each.type == "message" for each in entries)
    moment = Moment(new_uuid(), "restore", now_ms, messages, int(entry.total_tokens or 0))
    return capture(known, present.path, present.stamp, entry.session_id or "", moment)


def branch(store: StoreAsRead, copied: Copied, *, now_ms: int, new_uuid: NewUuid) -> Restored:
    """The state of the checkpoint as a session of its own beside the present one."""
    new = _forked(copied, now_ms, new_uuid)
    value = _entry(store, copied, new, now_ms)
    value.pop(FIELD, None)
    label = copied.entry.text("label")
    value["label"] = f"{label} (checkpoint)" if label and label.strip() else "Checkpoint branch"
    value["parentSessionKey"] = copied.entry.key
    named = agent_and_rest(copied.entry.key)
    agent = named[0] if named else store.folder.agent_id
    key = canonical_key(f"agent:{agent}:dashboard:{new_uuid()}")
    return Restored(
        key,
        copied.entry.key,
        new.session_id,
        copied.checkpoint,
        value,
        new,
        _steps(store, new, {key: value}),
    )


def _forked(copied: Copied, now_ms: int, new_uuid: NewUuid) -> NewTranscript:
    return forked_session(
        copied.data,
        copied.transcript,
        now_ms=now_ms,
        new_uuid=new_uuid,
        parent_session=copied.path,
        cwd=copied.transcript.cwd,
    )


def _entry(store: StoreAsRead, copied: Copied, new: NewTranscript, now_ms: int) -> dict[str, JsonValue]:
    """The entry with the new file: what tells of runs and of the old context is taken out."""
    old = copied.entry.value if isinstance(copied.entry.value, dict) else {}
    found = {name: value for name, value in old.items() if name not in _OF_THE_RUN}
    found["sessionId"] = new.session_id
    found["sessionFile"] = os.path.join(store.folder.folder, new.name)
    found["updatedAt"] = copied.entry.touched_ms(now_ms)
    found["systemSent"] = False
    found["abortedLastRun"] = False
    if copied.checkpoint.tokens_before is not None:
        found["totalTokens"] = copied.checkpoint.tokens_before
        found["totalTokensFresh"] = True
    return found


def _steps(store: StoreAsRead, new: NewTranscript, values: Mapping[str, JsonValue]) -> tuple[Forward, ...]:
    stamp = store.folder.store_stamp
    if stamp is None:
        raise ValueError("a checkpoint without a store")
    path = os.path.join(store.folder.folder, new.name)
    edits = EditStore(store.folder.store_path, entry_edits(store.data, values), stamp)
    return ReplaceFile(path, new.content, None), edits
