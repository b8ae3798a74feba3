"""What does a cleanup do that also sweeps the sessions of scheduled jobs?"""

from __future__ import annotations

from dataclasses import replace

from agentbrief.maintenance.cron import CronSweep
from agentbrief.maintenance.values import MaintenancePlan


def with_sweep(plan: MaintenancePlan, sweep: CronSweep) -> MaintenancePlan:
    """``plan`` and, after it, what of ``sweep`` it does not do already."""
    taken = {(item.action == "drop-entry", item.what) for item in plan.items}
    more = [item for item in sweep.items if (item.action == "drop-entry", item.what) not in taken]
    dropped = [item.what for item in more if item.action == "drop-entry"]
    noted = {(each.what, each.is_key) for each in plan.spared}
    return replace(
        plan,
        items=(*plan.items, *more),
        spared=(*plan.spared, *(each for each in sweep.spared if (each.what, each.is_key) not in noted)),
        actions={**plan.actions, **dict.fromkeys(dropped, "prune-stale")},
        after_count=plan.after_count - len(dropped),
        bytes_after=plan.bytes_after - sum(item.freed for item in more),
    )
