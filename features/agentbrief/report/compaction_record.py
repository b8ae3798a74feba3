"""What does ``sessions compact --json`` print? The same of a dry run and of a compaction that was done."""

from __future__ import annotations

from agentbrief.changes.steps import CopyVerified, Forward, result
from agentbrief.compaction.plan import plan_record
from agentbrief.jsonio import JsonValue
from agentbrief.report.compaction_view import CompactionView

_KINDS = {
    "CopyVerified": "checkpoint",
    "ReplaceFile": "write",
    "AppendRecord": "append",
    "EditStore": "store",
    "MoveToTrash": "trash",
}


def compaction_record(view: CompactionView, applied: bool) -> dict[str, JsonValue]:
    """The contract of ``sessions compact --json``.

    Raises:
        ValueError: there is no plan.
    """
    plan = view.outcome.plan
    if plan is None:
        raise ValueError("no plan")
    ordered = sorted(plan.steps, key=lambda step: not isinstance(step, CopyVerified))
    notes = view.notes
    return {
        **plan_record(plan),
        "session_id": plan.ref.session_id,
        "format": plan.ref.format,
        "agent": view.agent.id,
        "rules": view.rules.id,
        "ended": view.outcome.ended,
        "steps": [step_record(step) for step in ordered],
        "notes": None if notes is None else {"path": notes.path, "text": notes.text, "source": notes.source},
        "applied": applied,
    }


def step_record(step: Forward) -> JsonValue:
    """One step: what is done, and the file that it leaves."""
    return {"step": _KINDS.get(type(step).__name__, type(step).__name__), "path": result(step)}
