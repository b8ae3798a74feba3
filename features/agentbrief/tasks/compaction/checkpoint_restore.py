"""What happens when an earlier state of a session comes back, and bring it back.

The present state is kept first. In a format without branches the file gets the bytes of the copy; a
transcript tree comes back as a new file, and the present one is never written over.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field

from agentbrief.changes.receipt import Receipt
from agentbrief.changes.steps import Forward
from agentbrief.checkpoints.capture import Moment
from agentbrief.checkpoints.difference import Difference, difference
from agentbrief.checkpoints.openclaw_fork import forked_back
from agentbrief.checkpoints.openclaw_restore import Copied, branch, read_copy, restore
from agentbrief.checkpoints.restore import MAX_COPY_BYTES, NoRestore, copy_of, plan_restore
from agentbrief.disk.lock import Caller
from agentbrief.disk.read import FileBytes, Roots, read_bytes, real_roots
from agentbrief.disk.refusal import Refused
from agentbrief.disk.seam import FS
from agentbrief.disk.values import ReadProblem
from agentbrief.sessions.claw.tokens import session_tokens
from agentbrief.sessions.model import Session
from agentbrief.sessions.pi.append import NewUuid
from agentbrief.sessions.readers import reader
from agentbrief.sessions.sniff import openclaw
from agentbrief.tasks.compaction.apply import carried_out
from agentbrief.tasks.compaction.checkpoint_list import CheckpointRow, SessionCheckpoints
from agentbrief.tasks.compaction.keeping import Where
from agentbrief.tasks.compaction.tree import TREES
from agentbrief.tasks.sessions.read import SessionFile
from agentbrief.tasks.store.look import is_locked


@dataclass(frozen=True, slots=True)
class PlannedRestore:
    """What a restore would do.

    ``path`` is the file that gets ``data_after``: the session's own, or a new one with ``new_session_id``.
    ``kept`` is the path of the copy of the present state, None where there is none. ``effect`` counts the
    messages that go and come. ``key`` is the entry of the store that is changed or made.
    """

    file: SessionFile
    checkpoint: CheckpointRow
    path: str
    effect: Difference
    kept: str | None
    where: Where
    steps: tuple[Forward, ...] = field(repr=False)
    data_before: bytes = field(repr=False)
    data_after: bytes = field(repr=False)
    new_session_id: str | None = None
    key: str | None = None


@dataclass(frozen=True, slots=True)
class NotRestored:
    """Why nothing comes back, in one word; the sentences are ``compaction.copy.<why>``."""

    why: str
    path: str


def plan_checkpoint_restore(
    fs: FS,
    found: SessionCheckpoints,
    checkpoint_id: str,
    now_ms: int,
    new_uuid: NewUuid,
    *,
    as_branch: bool = False,
) -> PlannedRestore | NotRestored:
    """The plan that brings back the checkpoint, or why it does not come back.

    ``as_branch`` makes a session of its own of it; only OpenClaw's stores have such.

    Raises:
        Refused: the session cannot be read.
    """
    row = found.by_id(checkpoint_id)
    if row is None:
        return NotRestored("checkpoint-not-found", found.file.path)
    roots = real_roots(fs, (found.folder,))
    present = _present(fs, found, roots)
    if found.store is not None and found.entry is not None:
        return _in_store(fs, found, row, present, roots, now_ms, new_uuid, as_branch)
    if as_branch:
        return NotRestored("no-store", found.file.path)
    if row.noted is None:
        return NotRestored(row.state, row.path or found.file.path)
    copy = copy_of(fs, row.noted, roots)
    if isinstance(copy, NoRestore):
        return NotRestored(copy.why, copy.path)
    path = (
        present.path if present is not None else os.path.join(found.folder, os.path.basename(found.file.path))
    )
    if found.file.format in TREES:
        return _forked(found, row, copy, present, now_ms, new_uuid)
    before, after = _session(found.file, present, path), _session(found.file, copy, path)
    moment = Moment(
        new_uuid(),
        "restore",
        now_ms,
        len(before.messages) if before is not None else 0,
        session_tokens(before.messages) if before is not None else 0,
    )
    plan = plan_restore(found.known, row.noted, copy, path, present, moment)
    if isinstance(plan, NoRestore):
        return NotRestored(plan.why, plan.path)
    return PlannedRestore(
        found.file,
        row,
        path,
        _effect(before, after),
        plan.kept.path if plan.kept is not None else None,
        Where(found.folder),
        plan.steps,
        present.data if present is not None else b"",
        copy.data,
    )


def apply_restore(fs: FS, planned: PlannedRestore, caller: Caller) -> Receipt:
    """The receipt of ``planned``: the present state is kept, then the earlier one comes back.

    Raises:
        Refused: nothing was changed. ``Conflict`` if a file changed since the plan was made.
    """
    return carried_out(fs, planned.where, planned.steps, planned.path, caller)


def _in_store(
    fs: FS,
    found: SessionCheckpoints,
    row: CheckpointRow,
    present: FileBytes | None,
    roots: Roots,
    now_ms: int,
    new_uuid: NewUuid,
    as_branch: bool,
) -> PlannedRestore | NotRestored:
    store, entry = found.store, found.entry
    assert store is not None
    assert entry is not None
    name = os.path.basename(found.file.path)
    if entry.text("status") == "running" or is_locked(fs, store.folder, name):
        return NotRestored("running", found.file.path)
    if row.state not in ("there", "size-differs"):
        return NotRestored(row.state, row.path or found.file.path)
    copied = read_copy(fs, roots, store, entry.key, row.id, found.known)
    if not isinstance(copied, Copied):
        return NotRestored(copied, row.path or found.file.path)
    if as_branch:
        made = branch(store, copied, now_ms=now_ms, new_uuid=new_uuid)
    else:
        made = restore(store, copied, present, found.known, now_ms=now_ms, new_uuid=new_uuid)
    path = os.path.join(store.folder.folder, made.transcript.name)
    before = _session(found.file, present, path)
    after = reader(found.file.format)(made.transcript.content, path, None)
    beside = (store.folder.store_path, *((present.path,) if present is not None else ()))
    return PlannedRestore(
        found.file,
        row,
        path,
        _effect(before, after),
        made.kept.path if made.kept is not None else None,
        Where(found.folder, beside=beside),
        made.steps,
        present.data if present is not None else b"",
        made.transcript.content,
        made.session_id,
        made.key,
    )


def _forked(
    found: SessionCheckpoints,
    row: CheckpointRow,
    copy: FileBytes,
    present: FileBytes | None,
    now_ms: int,
    new_uuid: NewUuid,
) -> PlannedRestore | NotRestored:
    assert row.noted is not None
    made = forked_back(found.known, row.noted, copy, present, now_ms=now_ms, new_uuid=new_uuid)
    if isinstance(made, NoRestore):
        return NotRestored(made.why, made.path)
    before = _session(found.file, present, made.path)
    after = reader(found.file.format)(made.transcript.content, made.path, None)
    is_openclaw = found.file.format == openclaw.FORMAT and present is not None
    return PlannedRestore(
        found.file,
        row,
        made.path,
        _effect(before, after),
        made.kept.path if made.kept is not None else None,
        Where(found.folder, beside=(present.path,) if is_openclaw and present is not None else ()),
        made.steps,
        present.data if present is not None else b"",
        made.transcript.content,
        made.transcript.session_id,
    )


def _present(fs: FS, found: SessionCheckpoints, roots: Roots) -> FileBytes | None:
    path = os.path.join(found.folder, os.path.basename(found.file.path))
    read = read_bytes(fs, path, roots, MAX_COPY_BYTES)
    if isinstance(read, ReadProblem):
        raise Refused("outside" if read.kind == "outside-roots" else "failed", path, detail=read.kind)
    return read


def _session(file: SessionFile, read: FileBytes | None, path: str) -> Session | None:
    return reader(file.format)(read.data, path, None) if read is not None else None


def _effect(before: Session | None, after: Session | None) -> Difference:
    return difference(before.messages if before else (), after.messages if after else ())
