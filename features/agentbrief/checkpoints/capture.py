"""By which steps is the present state of a session kept, before something is done to it?

The copy comes first and is read back; then its record; the oldest checkpoints of the session go last, with
their copies, to the trash. Source: reliability.md 7; openclaw.md 10.
"""

from __future__ import annotations

import os
from dataclasses import dataclass

from agentbrief.changes.places import checkpoint_index, checkpoints_folder
from agentbrief.changes.steps import AppendRecord, CopyVerified, Forward, MoveToTrash, ReplaceFile
from agentbrief.checkpoints.checkpoint import Cause, Checkpoint, record_of
from agentbrief.checkpoints.listing import Checkpoints, ListedCheckpoint
from agentbrief.disk.spelling import valid_id
from agentbrief.disk.values import Stamp

KEPT_CHECKPOINTS = 25
"""So many checkpoints of one session stay."""


@dataclass(frozen=True, slots=True)
class Moment:
    """What a checkpoint notes beside the bytes: its new identifier, why and when (ms since 1970), counts."""

    id: str
    reason: Cause
    now_ms: int
    messages: int
    tokens: int


@dataclass(frozen=True, slots=True)
class Capture:
    """A checkpoint that is planned. ``steps`` come before the change, ``later`` ones behind it.

    ``dropped`` are the checkpoints that make room for it.
    """

    checkpoint: Checkpoint
    path: str
    steps: tuple[Forward, ...]
    later: tuple[Forward, ...] = ()
    dropped: tuple[Checkpoint, ...] = ()


def capture(
    known: Checkpoints,
    path: str,
    stamp: Stamp,
    session_id: str,
    moment: Moment,
    keep: int = KEPT_CHECKPOINTS,
) -> Capture:
    """The checkpoint of the file ``path``, whose version ``stamp`` with its hash was read.

    Raises:
        ValueError: the identifier is no name for a file, the stamp has no hash, or none is to be kept.
    """
    if not valid_id(moment.id) or stamp.sha256 is None or keep < 1:
        raise ValueError("no checkpoint can be made of this")
    name = moment.id + (os.path.splitext(path)[1] if path.endswith((".json", ".jsonl")) else ".jsonl")
    checkpoint = Checkpoint(
        moment.id,
        session_id,
        moment.reason,
        moment.now_ms,
        name,
        stamp.size,
        stamp.sha256,
        moment.messages,
        moment.tokens,
        os.path.basename(path),
    )
    copy = os.path.join(checkpoints_folder(known.store), name)
    dropped = known.of(session_id)[keep - 1 :]
    steps = (CopyVerified(path, copy, stamp), _noted(known, checkpoint, dropped))
    later = tuple(
        MoveToTrash(item.path, item.stamp, item.checkpoint.source)
        for item in reversed(dropped)
        if item.stamp is not None and item.state in ("there", "size-differs")
    )
    return Capture(checkpoint, copy, steps, later, tuple(item.checkpoint for item in dropped))


def _noted(known: Checkpoints, checkpoint: Checkpoint, dropped: tuple[ListedCheckpoint, ...]) -> Forward:
    """The record of ``checkpoint`` in the index; those that are dropped leave it at the same moment."""
    index = checkpoint_index(known.store)
    if not dropped:
        return AppendRecord(index, record_of(checkpoint))
    gone = {item.checkpoint.id for item in dropped}
    lines = [line.line for line in known.lines if line.checkpoint is None or line.checkpoint.id not in gone]
    return ReplaceFile(index, b"\n".join((*lines, record_of(checkpoint), b"")), known.stamp)
