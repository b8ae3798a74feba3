"""What does the plan of a compaction hold for a transcript of pi or OpenClaw, and which steps go with it?

Besides what all plans hold: which entry is appended and what it follows, and the notes that are saved first,
which may be left out (openclaw.md 8.10, 9).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from agentbrief.compaction.openclaw.entry_after import after_compaction, after_flush
from agentbrief.compaction.pi.memory_notes import MemoryNotes
from agentbrief.compaction.plan import CompactionPlan
from agentbrief.jsonio import JsonValue
from agentbrief.sessions.store.entries import StoreEntry, entry_of


@dataclass(frozen=True, slots=True)
class PiPlan(CompactionPlan):
    """A plan that appends one entry.

    ``leaf_before`` is the entry that it follows, ``entry_id`` its own identifier; both None where nothing
    changes. ``split_turn`` says that the cut falls inside a turn. ``notes`` are saved first.
    """

    leaf_before: str | None = None
    entry_id: str | None = None
    split_turn: bool = False
    notes: MemoryNotes | None = field(default=None, repr=False)


def with_notes(plan: PiPlan, notes: MemoryNotes) -> PiPlan:
    """``plan`` with a step that saves ``notes`` before the session is compacted."""
    steps = (notes.step, *plan.steps) if notes.step is not None else plan.steps
    return replace(plan, steps=steps, notes=notes)


def without_notes(plan: PiPlan) -> PiPlan:
    """``plan`` without them: the user does not want them."""
    if plan.notes is None:
        return plan
    return replace(plan, steps=tuple(step for step in plan.steps if step != plan.notes.step), notes=None)


def entry_value(entry: StoreEntry, plan: PiPlan, now_ms: int) -> dict[str, JsonValue]:
    """What the store's ``entry`` holds after ``plan``: the counters, and that the notes are saved."""
    if plan.notes is not None:
        entry = entry_of(entry.key, after_flush(entry, now_ms))
    return after_compaction(entry, plan.tokens_after, now_ms)
