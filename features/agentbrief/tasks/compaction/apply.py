"""Carry out a compaction that was planned: as it was previewed, or not at all."""

from __future__ import annotations

from collections.abc import Sequence

from agentbrief.changes.apply import apply, undo
from agentbrief.changes.receipt import Receipt
from agentbrief.changes.steps import Step
from agentbrief.disk.lock import Caller
from agentbrief.disk.read import real_roots
from agentbrief.disk.refusal import Conflict
from agentbrief.disk.seam import FS
from agentbrief.tasks.compaction.keeping import Where
from agentbrief.tasks.compaction.plan import PlannedCompaction


def apply_compaction(
    fs: FS, planned: PlannedCompaction, caller: Caller, lock_folder: str | None = None
) -> Receipt:
    """The receipt of ``planned``: the checkpoint is written, read back and compared before all else.

    ``lock_folder`` is where the lock of a copy lies, so that nothing but the copy is left beside it.

    Raises:
        Refused: nothing was changed. ``Conflict`` if a file changed since the plan was made.
        ValueError: there is nothing to carry out.
    """
    plan = planned.plan
    if plan is None or not planned.changes:
        raise ValueError(planned.outcome.ended)
    return carried_out(fs, where_of(fs, planned, lock_folder), plan.steps, plan.ref.path, caller)


def where_of(fs: FS, planned: PlannedCompaction, lock_folder: str | None = None) -> Where:
    """Where ``planned`` is carried out, and undone."""
    if planned.is_copy and lock_folder is not None:
        return Where(lock_folder, real_roots(fs, (planned.where.store,)))
    return planned.where


def carried_out(fs: FS, where: Where, steps: Sequence[Step], path: str, caller: Caller) -> Receipt:
    """The receipt of ``steps``, all of them or none.

    Raises:
        Refused: nothing was changed. ``Conflict`` if a file, or an entry of a store, changed meanwhile.
    """
    site = where.site(fs, caller)
    receipt = apply(site, steps)
    if receipt.left_out or any(done.left_out for done in receipt.done):
        undo(site, receipt)
        raise Conflict(path, "undone")
    return receipt
