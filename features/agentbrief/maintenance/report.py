"""How is a cleanup said in JSON?

OpenClaw's fields with its names, and ours beside them (openclaw.md 7.4, cli.md).
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from agentbrief.jsonio import JsonValue
from agentbrief.maintenance.values import DiskBudget, MaintenancePlan, PlanItem, Refusal, Spared

Record = dict[str, JsonValue]


def plan_record(plan: MaintenancePlan | Refusal) -> Record:
    """The report of one store: a plan, or the problems that refuse it."""
    if isinstance(plan, Refusal):
        problems: list[JsonValue] = [{"path": found.path, "code": found.code} for found in plan.problems]
        return {"agentId": plan.agent_id, "storePath": plan.store_path, "problems": problems}
    found: Record = {
        "agentId": plan.agent_id,
        "storePath": plan.store_path,
        "mode": mode_of(plan),
        "dryRun": plan.choices.dry_run,
        "beforeCount": plan.before_count,
        "afterCount": plan.after_count,
        "missing": plan.count("prune-missing"),
        "pruned": plan.count("prune-stale"),
        "capped": plan.count("cap-overflow"),
        "diskBudget": _budget(plan.budget),
        "archivesPurged": len(plan.files("archive-expired")),
        "rotated": bool(plan.files("store-too-large")),
        "wouldMutate": bool(plan.items),
    }
    if not plan.choices.dry_run:
        found["applied"] = plan.applies
        found["appliedCount"] = plan.after_count if plan.applies else plan.before_count
    found["actions"] = {key: action for key, action in plan.actions.items() if action != "keep"}
    folder = os.path.dirname(plan.store_path)
    found["items"] = [item_record(item, folder) for item in plan.items]
    found["protected"] = [_spared(spared, folder) for spared in plan.spared]
    found["bytes_before"] = plan.bytes_before
    found["bytes_after"] = plan.bytes_after
    return found


def stores_record(plans: Sequence[MaintenancePlan | Refusal]) -> Record:
    """The report of several stores; of one store it is that store's own.

    Raises:
        ValueError: there are no plans.
    """
    if len(plans) == 1:
        return plan_record(plans[0])
    first = next((plan for plan in plans if isinstance(plan, MaintenancePlan)), None)
    if not plans:
        raise ValueError("plans")
    return {
        "allAgents": True,
        "mode": mode_of(first) if first else "warn",
        "dryRun": first.choices.dry_run if first else False,
        "stores": [plan_record(plan) for plan in plans],
    }


def mode_of(plan: MaintenancePlan) -> str:
    """The mode of this run."""
    return "enforce" if plan.choices.enforce else plan.policy.mode


def _budget(budget: DiskBudget | None) -> Record | None:
    if budget is None:
        return None
    found: Record = {
        "totalBytesBefore": budget.total_bytes_before,
        "totalBytesAfter": budget.total_bytes_after,
        "removedFiles": budget.removed_files,
        "removedEntries": budget.removed_entries,
        "freedBytes": budget.freed_bytes,
        "maxBytes": budget.max_bytes,
        "highWaterBytes": budget.high_water_bytes,
        "overBudget": budget.over_budget,
    }
    if budget.staying:
        found["staying"] = [{"name": file.name, "bytes": file.size} for file in budget.staying]
    return found


def item_record(item: PlanItem, folder: str) -> Record:
    """One item; the same for a preview and for what was done. ``folder`` is that of the store."""
    found: Record = {"kind": item.action}
    if item.action == "drop-entry":
        found["key"] = item.what
    else:
        found["path"] = os.path.join(folder, item.what)
        if item.key is not None:
            found["key"] = item.key
    found["reason"] = item.reason
    found["bytes"] = item.size
    return found


def _spared(spared: Spared, folder: str) -> Record:
    what: Record = {"key": spared.what} if spared.is_key else {"path": os.path.join(folder, spared.what)}
    return {**what, "why": spared.why, "reason": spared.reason}
