"""A session compacted, kept and brought back on a disk, as a task puts the rooms together."""

from __future__ import annotations

import os
from typing import Any

from agentbrief.changes.apply import Site, apply, apply_planned
from agentbrief.changes.receipt import Receipt
from agentbrief.changes.steps import Forward
from agentbrief.checkpoints.capture import Moment, capture
from agentbrief.checkpoints.listing import ListedCheckpoint, checkpoints_in
from agentbrief.checkpoints.restore import NoRestore, RestorePlan, copy_of, plan_restore
from agentbrief.compaction.claw.claw_file import claw_file
from agentbrief.compaction.claw.engine import CompactionConfig, extractive_summary
from agentbrief.compaction.claw.job import FileJob
from agentbrief.compaction.claw.port_file import port_file
from agentbrief.compaction.plan import CompactionPlan, NotPlanned, Written, with_steps_before
from agentbrief.compaction.providers.extractive import EXTRACTIVE
from agentbrief.disk.lock import Caller
from agentbrief.disk.read import FileBytes, Roots, read_bytes, real_roots
from agentbrief.disk.refusal import Refused
from agentbrief.disk.seam import FS
from agentbrief.disk.values import ReadProblem

SMALL = CompactionConfig(2, 0)


def roots_of(fs: FS, store: str) -> Roots:
    return real_roots(fs, (store,))


def read(fs: FS, path: str) -> FileBytes:
    found = read_bytes(fs, path, roots_of(fs, os.path.dirname(path)), 1 << 30)
    if not isinstance(found, FileBytes):
        raise Refused("failed", path, detail=str(found))
    return found


def job_of(data: bytes, path: str, stamp: Any, config: CompactionConfig, now_ms: int, **more: Any) -> FileJob:
    make = port_file if os.path.basename(path).startswith("port") else claw_file
    file = make(data, path, stamp)
    assert not isinstance(file, NotPlanned), file
    return FileJob(file, config, now_ms, **more)


def extractive_plan(job: FileJob, number: int = 0) -> CompactionPlan | NotPlanned:
    cut = job.cuts()[number]
    if not cut.changes:
        return job.plan(cut, None)
    summary = extractive_summary(job.removed(cut), job.previous_summary, job.config.profile)
    return job.plan(cut, Written(summary, EXTRACTIVE))


def planned(fs: FS, path: str, now_ms: int, new_id: str, config: CompactionConfig = SMALL) -> CompactionPlan:
    """The plan for the session at ``path``, its checkpoint first."""
    store = os.path.dirname(path)
    found = read(fs, path)
    job = job_of(found.data, path, found.stamp, config, now_ms)
    plan = extractive_plan(job)
    assert isinstance(plan, CompactionPlan), plan
    if not plan.steps:
        return plan
    moment = Moment(new_id, "compaction", now_ms, len(job.file.messages), plan.tokens_before)
    kept = capture(
        checkpoints_in(fs, store, roots_of(fs, store)), path, found.stamp, plan.ref.session_id or "", moment
    )
    return with_steps_before(plan, kept.steps, kept.path, kept.later)


def compacted(
    fs: FS, path: str, caller: Caller, new_id: str, config: CompactionConfig = SMALL
) -> tuple[CompactionPlan, Receipt | None]:
    """The plan for the session at ``path``, and the receipt of carrying it out; None if nothing changes."""
    plan = planned(fs, path, caller.now_ns() // 1_000_000, new_id, config)
    return plan, apply(site(fs, path, caller), plan.steps) if plan.steps else None


def compacted_at_once(
    fs: FS, path: str, caller: Caller, new_id: str, config: CompactionConfig = SMALL
) -> tuple[CompactionPlan, Receipt]:
    """The same without a preview: planned while the lock is held, so that nothing of ours comes between."""
    plans: list[CompactionPlan] = []

    def plan() -> tuple[Forward, ...]:
        plans.append(planned(fs, path, caller.now_ns() // 1_000_000, new_id, config))
        return plans[0].steps

    receipt = apply_planned(site(fs, path, caller), plan)
    return plans[0], receipt


def restored(
    fs: FS, path: str, caller: Caller, new_id: str, item: ListedCheckpoint
) -> tuple[RestorePlan | NoRestore, Receipt | None]:
    """The plan that brings ``item`` back to ``path``, and the receipt of carrying it out."""
    store = os.path.dirname(path)
    roots = roots_of(fs, store)
    known = checkpoints_in(fs, store, roots)
    copy = copy_of(fs, item, roots)
    if isinstance(copy, NoRestore):
        return copy, None
    present = read_bytes(fs, path, roots, 1 << 30)
    if isinstance(present, ReadProblem):
        raise Refused("failed", path, detail=present.kind)
    moment = Moment(new_id, "restore", caller.now_ns() // 1_000_000, 0, 0)
    plan = plan_restore(known, item, copy, path, present, moment)
    if isinstance(plan, NoRestore):
        return plan, None
    return plan, apply(site(fs, path, caller), plan.steps)


def site(fs: FS, path: str, caller: Caller) -> Site:
    return Site(fs, os.path.dirname(path), caller)
