"""What is left of a plan when a person keeps some of what it would take?"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import replace

from agentbrief.maintenance.values import DiskBudget, MaintenancePlan, PlanItem


def without(plan: MaintenancePlan, kept: Set[str]) -> MaintenancePlan:
    """``plan`` without the items that ``kept`` names: keys of sessions, or names of files.

    A session and its files stay or go together. The sums are those of what is left.
    """
    stays = {item.key or item.what for item in plan.items if item.what in kept or item.key in kept}
    spared = [item for item in plan.items if (item.key or item.what) in stays]
    if not spared:
        return plan
    freed = sum(item.freed for item in spared)
    return replace(
        plan,
        items=tuple(item for item in plan.items if (item.key or item.what) not in stays),
        actions={key: "keep" if key in stays else action for key, action in plan.actions.items()},
        after_count=plan.after_count + sum(item.action == "drop-entry" for item in spared),
        bytes_after=plan.bytes_after + freed,
        budget=_budget(plan.budget, spared) if plan.budget is not None else None,
    )


def _budget(budget: DiskBudget, spared: list[PlanItem]) -> DiskBudget:
    own = [item for item in spared if item.reason == "evict-budget"]
    files = [item for item in own if item.action != "drop-entry"]
    return replace(
        budget,
        total_bytes_after=budget.total_bytes_after + sum(item.freed for item in spared),
        removed_files=budget.removed_files - len(files),
        removed_entries=budget.removed_entries - (len(own) - len(files)),
        freed_bytes=budget.freed_bytes - sum(item.freed for item in files),
    )
