"""Which checkpoints does a store have, and can each of them come back?

A copy is looked at before it is trusted: it must be a plain file with one name and the size that was noted.
Its content is compared when it is to come back.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Literal

from agentbrief.changes.places import checkpoint_index, checkpoints_folder
from agentbrief.checkpoints.checkpoint import Checkpoint, checkpoint_of
from agentbrief.disk.folder import Entry, entries
from agentbrief.disk.read import FileBytes, Roots, read_bytes
from agentbrief.disk.refusal import Refused
from agentbrief.disk.seam import FS
from agentbrief.disk.values import ReadProblem, Stamp

MAX_INDEX_BYTES = 64 * 1024 * 1024
"""The largest index that is read."""

CopyState = Literal["there", "missing", "link", "several-names", "not-a-file", "size-differs"]
"""What stands where the copy should; the sentences are ``compaction.copy.<state>``."""


@dataclass(frozen=True, slots=True)
class ListedCheckpoint:
    """A checkpoint, the path of its copy, and what stands there; ``stamp`` None where nothing does."""

    checkpoint: Checkpoint
    path: str
    state: CopyState
    stamp: Stamp | None


@dataclass(frozen=True, slots=True)
class IndexLine:
    """One line of the index as it stands, and the checkpoint that it records, if it records one."""

    line: bytes
    checkpoint: Checkpoint | None


@dataclass(frozen=True, slots=True)
class Checkpoints:
    """All checkpoints of a store, newest first; the index that they are from, as it was read."""

    store: str
    items: tuple[ListedCheckpoint, ...] = ()
    lines: tuple[IndexLine, ...] = ()
    stamp: Stamp | None = None

    def of(self, session_id: str) -> tuple[ListedCheckpoint, ...]:
        """Those of one session, newest first."""
        return tuple(item for item in self.items if item.checkpoint.session_id == session_id)

    def by_id(self, identifier: str) -> ListedCheckpoint | None:
        """The one with that identifier; it is compared, never made a path of."""
        return next((item for item in self.items if item.checkpoint.id == identifier), None)


def checkpoints_in(fs: FS, store: str, roots: Roots) -> Checkpoints:
    """The checkpoints of the folder ``store``, which lies in ``roots``.

    Raises:
        Refused: the index is there but cannot be read.
    """
    folder = checkpoints_folder(store)
    found = read_bytes(fs, checkpoint_index(store), roots, MAX_INDEX_BYTES)
    if isinstance(found, ReadProblem):
        raise Refused("outside" if found.kind == "outside-roots" else "failed", found.path, detail=found.kind)
    if found is None:
        return Checkpoints(store)
    lines = _lines(found)
    copies = {entry.name: entry for entry in entries(fs, folder, roots) or ()}
    items: dict[str, ListedCheckpoint] = {}
    for line in lines:
        if line.checkpoint is not None:
            entry = copies.get(line.checkpoint.path)
            items[line.checkpoint.id] = ListedCheckpoint(
                line.checkpoint,
                os.path.join(folder, line.checkpoint.path),
                _state(line.checkpoint, entry),
                entry.stamp if entry else None,
            )
    # of two from the same millisecond the later line is the newer one
    newest = sorted(items.values(), key=lambda item: item.checkpoint.created_ms)[::-1]
    return Checkpoints(store, tuple(newest), lines, found.stamp)


def _lines(found: FileBytes) -> tuple[IndexLine, ...]:
    return tuple(IndexLine(line, checkpoint_of(line)) for line in found.data.split(b"\n") if line.strip())


def _state(checkpoint: Checkpoint, entry: Entry | None) -> CopyState:
    if entry is None:
        return "missing"
    if entry.kind != "file":
        return "link" if entry.kind == "link" else "not-a-file"
    if entry.links != 1:
        return "several-names"
    return "there" if entry.stamp.size == checkpoint.size else "size-differs"
