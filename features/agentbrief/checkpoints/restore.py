"""What happens when an earlier state of a session comes back?

For formats without branches: the file gets the exact bytes of the copy. What stands there now is kept first,
so that going back is never the end. Source: reliability.md 7; openclaw.md 10; ux.md story 9.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from agentbrief.changes.steps import Forward, ReplaceFile
from agentbrief.checkpoints.capture import Capture, Moment, capture
from agentbrief.checkpoints.listing import Checkpoints, CopyState, ListedCheckpoint
from agentbrief.disk.read import FileBytes, Roots, read_bytes
from agentbrief.disk.seam import FS
from agentbrief.disk.values import bare

MAX_COPY_BYTES = 1 << 31
"""The largest copy that is restored."""

NotRestored = Literal["copy-differs", "same", "unreadable"] | CopyState
"""Why a checkpoint does not come back; the sentences are ``compaction.copy.<word>``."""


@dataclass(frozen=True, slots=True)
class RestorePlan:
    """What a restore would do: the content that comes back, and how what is there now is kept."""

    checkpoint: ListedCheckpoint
    path: str
    data: bytes
    kept: Capture | None
    steps: tuple[Forward, ...]


@dataclass(frozen=True, slots=True)
class NoRestore:
    """Why nothing would be restored, and which copy it is about."""

    why: NotRestored
    path: str


def copy_of(fs: FS, item: ListedCheckpoint, roots: Roots) -> FileBytes | NoRestore:
    """The verified content of a checkpoint: a plain file with one name and the noted hash, or why not."""
    if item.state != "there":
        return NoRestore(item.state, item.path)
    found = read_bytes(fs, item.path, roots, MAX_COPY_BYTES)
    if not isinstance(found, FileBytes):
        return NoRestore("missing" if found is None else "unreadable", item.path)
    if bare(found.stamp) != bare(item.stamp) or found.stamp.sha256 != item.checkpoint.sha256:
        return NoRestore("copy-differs", item.path)
    return found


def plan_restore(
    known: Checkpoints,
    item: ListedCheckpoint,
    copy: FileBytes,
    path: str,
    present: FileBytes | None,
    moment: Moment,
) -> RestorePlan | NoRestore:
    """The plan that gives the file ``path`` the content of ``copy``, that of ``item``.

    ``present`` is what stands there now, None for nothing; ``moment`` is what its own checkpoint notes.
    """
    if present is None:
        return RestorePlan(item, path, copy.data, None, (ReplaceFile(path, copy.data, None),))
    if present.data == copy.data:
        return NoRestore("same", item.path)
    # the copy that comes back is no longer needed, and may be the one that makes room
    kept = capture(known, path, present.stamp, item.checkpoint.session_id, moment)
    steps = (*kept.steps, ReplaceFile(path, copy.data, present.stamp), *kept.later)
    return RestorePlan(item, path, copy.data, kept, steps)
