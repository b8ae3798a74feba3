"""What would a compaction of this session do? Planned whole: the summary is written, nothing is changed.

The same plan is previewed, printed by a dry run, and carried out.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace

from agentbrief.compaction.layers import Outcome, run
from agentbrief.compaction.pi.memory_notes import MemoryNotes
from agentbrief.compaction.pi.pi_plan import PiPlan
from agentbrief.compaction.plan import CompactionPlan, NotPlanned
from agentbrief.compaction.providers.provider import Cancelled
from agentbrief.disk.read import FileBytes, read_bytes
from agentbrief.disk.refusal import Refused
from agentbrief.disk.values import ReadProblem
from agentbrief.tasks.compaction.asked import CompactionAsked, Means
from agentbrief.tasks.compaction.files import file_job
from agentbrief.tasks.compaction.keeping import (
    Kept,
    Where,
    after_bytes,
    into_copy,
    kept_in_index,
    kept_in_tree,
    replaced,
)
from agentbrief.tasks.compaction.notes import notes_before
from agentbrief.tasks.compaction.providers import briefed, listed_providers
from agentbrief.tasks.compaction.tree import (
    TREES,
    TreeSession,
    briefing_of,
    replaces_transcript,
    tree_job,
    tree_session,
)
from agentbrief.tasks.sessions.read import SessionFile
from agentbrief.tasks.sessions.setup import SessionsSetup

MAX_COMPACTED_BYTES = 1 << 30
"""The largest session that is compacted: it is held in memory."""


@dataclass(frozen=True, slots=True)
class PlannedCompaction:
    """What came of planning the compaction of ``file``.

    ``outcome`` says how it ended and has the plan with all its steps. ``data`` are the bytes it was made
    from, ``where`` the place it is carried out in. ``notes`` is the step that saves memory notes and ``bare``
    the same plan without it; both None where there is no such step. ``dropped`` checkpoints make room.
    """

    file: SessionFile
    asked: CompactionAsked
    outcome: Outcome
    now_ms: int
    where: Where = field(default_factory=lambda: Where(""))
    data: bytes = field(default=b"", repr=False)
    notes: MemoryNotes | None = None
    bare: CompactionPlan | None = field(default=None, repr=False)
    dropped: int = 0

    @property
    def plan(self) -> CompactionPlan | None:
        """The plan, if there is one; without steps where nothing would change."""
        return self.outcome.plan

    @property
    def changes(self) -> bool:
        """Whether there is anything to carry out."""
        return self.outcome.ended == "planned" and self.plan is not None and bool(self.plan.steps)

    @property
    def is_copy(self) -> bool:
        """Whether the session itself stays as it is."""
        return self.asked.output is not None

    @property
    def data_after(self) -> bytes:
        """The bytes that the session, or its copy, gets."""
        return self.data if self.plan is None else after_bytes(self.plan, self.data)


def plan_compaction(
    setup: SessionsSetup, file: SessionFile, asked: CompactionAsked, means: Means
) -> PlannedCompaction:
    """What a compaction of ``file`` would do, or why nothing is done; texts that came in meanwhile with it.

    Raises:
        Refused: a file cannot be read.
        ValueError: a bound is negative.
    """
    now_ms = means.clock.now_ms()
    read = read_session(setup, file)
    if file.format in TREES:
        session = tree_session(setup, file, read, asked)
        if isinstance(session, NotPlanned):
            return PlannedCompaction(file, asked, Outcome("failed", trouble=session), now_ms)
        return _of_tree(setup, file, session, asked, means)
    job = file_job(setup.settings, file, read, asked, now_ms, means.new_uuid)
    if isinstance(job, NotPlanned):
        return PlannedCompaction(file, asked, Outcome("failed", trouble=job), now_ms)
    providers = listed_providers(setup, asked, means)
    outcome = run(read.real_path, means.running, asked.trigger, job, providers, means.clock, means.cancel)
    found = PlannedCompaction(file, asked, outcome, now_ms, data=read.data)
    if not found.changes or found.plan is None:
        return found
    if asked.output is not None:
        return replace(found, where=Where(os.path.dirname(asked.output)))
    session_id = found.plan.ref.session_id or file.session_id
    kept = kept_in_index(
        setup.fs, found.plan, read, session_id, len(job.file.messages), means.new_uuid(), now_ms
    )
    return _with(found, kept)


def without_notes(planned: PlannedCompaction) -> PlannedCompaction:
    """``planned`` without the step that saves memory notes: the user does not want it."""
    if planned.bare is None:
        return planned
    return replace(planned, outcome=replace(planned.outcome, plan=planned.bare), notes=None, bare=None)


def _of_tree(
    setup: SessionsSetup, file: SessionFile, session: TreeSession, asked: CompactionAsked, means: Means
) -> PlannedCompaction:
    now_ms, read = means.clock.now_ms(), session.read
    job = tree_job(session, asked, means)
    if isinstance(job, NotPlanned):
        return PlannedCompaction(file, asked, Outcome("failed", trouble=job), now_ms)
    listed = listed_providers(setup, asked, means)
    providers = briefed(listed, job, briefing_of(session, means))
    outcome = run(read.real_path, means.running, asked.trigger, job, providers, means.clock, means.cancel)
    found = PlannedCompaction(file, asked, outcome, now_ms, data=read.data)
    plan = outcome.plan
    if not found.changes or not isinstance(plan, PiPlan):
        return found
    plan = replace(plan, warnings=(*session.warnings, *plan.warnings))
    if replaces_transcript(session, asked):
        plan = replaced(plan, read.data)
    if asked.output is not None:
        plan = into_copy(plan, read.data, asked.output)
        where = Where(os.path.dirname(asked.output))
        return replace(found, outcome=replace(outcome, plan=plan), where=where)
    try:
        notes, warnings = notes_before(setup, session, job, plan, listed, asked, means)
    except Cancelled:
        return replace(found, outcome=Outcome("cancelled", waiting=outcome.waiting))
    plan = replace(plan, warnings=(*plan.warnings, *warnings))
    checkpoint_id = means.new_uuid()
    bare = kept_in_tree(setup.fs, plan, session, None, checkpoint_id, now_ms)
    if notes is None:
        return _with(found, bare)
    whole = _with(found, kept_in_tree(setup.fs, plan, session, notes, checkpoint_id, now_ms))
    return replace(whole, notes=notes, bare=bare.plan)


def _with(found: PlannedCompaction, kept: Kept) -> PlannedCompaction:
    outcome = replace(found.outcome, plan=kept.plan)
    return replace(found, outcome=outcome, where=kept.where, dropped=kept.dropped)


def read_session(setup: SessionsSetup, file: SessionFile) -> FileBytes:
    """The bytes of ``file`` under its real path.

    Raises:
        Refused: it is gone or cannot be read.
    """
    read = read_bytes(setup.fs, file.path, file.readable, MAX_COMPACTED_BYTES)
    if isinstance(read, FileBytes):
        return replace(read, path=read.real_path)
    if isinstance(read, ReadProblem):
        raise Refused("outside" if read.kind == "outside-roots" else "failed", read.path, detail=read.kind)
    raise Refused("vanished", file.path)
