"""Which steps go around a compaction: the copy before it, the counters after it, the notes beside it?"""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace

from agentbrief.changes.apply import Site
from agentbrief.changes.openclaw_lock import OPENCLAW_LOCK
from agentbrief.changes.steps import AppendRecord, CopyVerified, Forward, ReplaceFile
from agentbrief.checkpoints.capture import Capture, Moment, capture
from agentbrief.checkpoints.listing import checkpoints_in
from agentbrief.checkpoints.openclaw_capture import ChangeMade
from agentbrief.checkpoints.openclaw_capture import capture as capture_in_store
from agentbrief.compaction.pi.memory_notes import MemoryNotes
from agentbrief.compaction.pi.pi_plan import PiPlan, entry_value, with_notes
from agentbrief.compaction.pi.rewrites import plan_replacement
from agentbrief.compaction.plan import CompactionPlan, PlanWarning, with_steps_before
from agentbrief.disk.folder import stamp_of
from agentbrief.disk.lock import Caller
from agentbrief.disk.read import FileBytes, Roots, real_roots
from agentbrief.disk.seam import FS
from agentbrief.tasks.compaction.tree import TreeSession
from agentbrief.tasks.store.look import openclaw_data


@dataclass(frozen=True, slots=True)
class Where:
    """In which folder a change is carried out, which others it may write in, and whose locks it takes."""

    store: str
    also: Roots = frozenset()
    beside: tuple[str, ...] = ()

    def site(self, fs: FS, caller: Caller) -> Site:
        """The place with its locks."""
        return Site(
            fs,
            self.store,
            caller,
            self.also,
            beside=self.beside,
            lock_format=OPENCLAW_LOCK if self.beside else None,
        )


@dataclass(frozen=True, slots=True)
class Kept:
    """A plan with all its steps, and how many old checkpoints make room for the new one."""

    plan: CompactionPlan = field(repr=False)
    where: Where
    dropped: int = 0


def kept_in_index(
    fs: FS,
    plan: CompactionPlan,
    read: FileBytes,
    session_id: str,
    messages: int,
    checkpoint_id: str,
    now_ms: int,
) -> Kept:
    """``plan`` with its checkpoint, noted in the index of our own.

    Raises:
        Refused: the index cannot be read.
    """
    folder = os.path.dirname(read.real_path)
    found = _captured(
        fs, read, session_id, Moment(checkpoint_id, "compaction", now_ms, messages, plan.tokens_before)
    )
    whole = with_steps_before(plan, found.steps, found.path, found.later)
    return Kept(whole, Where(folder), len(found.dropped))


def kept_in_tree(
    fs: FS, plan: PiPlan, session: TreeSession, notes: MemoryNotes | None, checkpoint_id: str, now_ms: int
) -> Kept:
    """``plan`` with its checkpoint, the counters of OpenClaw's store in step, and ``notes`` saved first.

    Raises:
        Refused: the index of checkpoints cannot be read.
    """
    if notes is not None:
        plan = with_notes(plan, notes)
    workspace = () if notes is None or session.agent is None else (session.agent.workspace,)
    also = real_roots(fs, workspace)
    path = session.read.real_path
    if session.store is None or session.entry is None:
        messages = session.transcript.tree.count_of("message")
        session_id = session.ref.session_id or ""
        kept = kept_in_index(fs, plan, session.read, session_id, messages, checkpoint_id, now_ms)
        beside = (path,) if session.agent is not None else ()
        return replace(kept, where=Where(session.folder, also, beside))
    found = capture_in_store(
        session.store,
        session.entry,
        entry_value(session.entry, plan, now_ms),
        session.read,
        ChangeMade(
            plan.leaf_before,
            plan.entry_id,
            plan.entry_id,
            plan.tokens_before,
            plan.tokens_after,
            plan.summary,
            plan.first_kept_id,
        ),
        checkpoint_id=checkpoint_id,
        now_ms=now_ms,
        most=openclaw_data().summary.checkpoints,
        stamp_at=lambda path: stamp_of(fs, path),
    )
    whole = with_steps_before(plan, (found.copy,), found.copy.target, (found.edit, *found.old_copies))
    where = Where(session.folder, also, (session.store.folder.store_path, path))
    return Kept(whole, where, len(found.old_copies))


def replaced(plan: PiPlan, data: bytes) -> PiPlan:
    """``plan`` without the summarised messages in the transcript; a warning where they have to stay.

    ``data`` is the transcript as it is; it is written anew in one step, with the summary in it.
    """
    steps: list[Forward] = []
    for step in plan.steps:
        if not isinstance(step, AppendRecord) or step.stamp is None:
            steps.append(step)
            continue
        whole = with_record(data, step.record)
        found = plan_replacement(step.path, whole, step.stamp)
        if found.replacement.content is None:
            warning = PlanWarning("not-replaced", found.replacement.reason or "")
            return replace(plan, warnings=(*plan.warnings, warning))
        steps.append(ReplaceFile(step.path, found.replacement.content, step.stamp))
        plan = replace(plan, bytes_after=len(found.replacement.content))
    return replace(plan, steps=tuple(steps))


def into_copy(plan: PiPlan, data: bytes, output: str) -> PiPlan:
    """``plan`` that leaves the transcript alone and writes it, compacted, to the new file ``output``."""
    steps: list[Forward] = []
    for step in plan.steps:
        match step:
            case AppendRecord():
                steps.append(ReplaceFile(output, with_record(data, step.record), None))
            case ReplaceFile():
                steps.append(ReplaceFile(output, step.data, None))
            case _:
                steps.append(step)
    return replace(plan, steps=tuple(steps), target=output)


def with_record(data: bytes, record: bytes) -> bytes:
    """``data`` with one line more."""
    between = b"" if not data or data.endswith(b"\n") else b"\n"
    return b"".join((data, between, record, b"\n"))


def after_bytes(plan: CompactionPlan, data: bytes) -> bytes:
    """The content of the session, or of its copy, when ``plan`` has been carried out on ``data``."""
    for step in plan.steps:
        if isinstance(step, ReplaceFile) and step.path == plan.target:
            return step.data
        if isinstance(step, AppendRecord) and step.path == plan.target:
            return with_record(data, step.record)
    return data


def copied_first(plan: CompactionPlan) -> CopyVerified | None:
    """The step that makes the checkpoint."""
    return next((step for step in plan.steps if isinstance(step, CopyVerified)), None)


def _captured(fs: FS, read: FileBytes, session_id: str, moment: Moment) -> Capture:
    folder = os.path.dirname(read.real_path)
    known = checkpoints_in(fs, folder, real_roots(fs, (folder,)))
    return capture(known, read.real_path, read.stamp, session_id, moment)
