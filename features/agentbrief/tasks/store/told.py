"""How is a cleanup of a store told: what does a reader want to know besides the plan?"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from agentbrief.maintenance.values import MaintenancePlan, Refusal
from agentbrief.redact import mask
from agentbrief.report.store_cleanup_text import CleanupReport
from agentbrief.tasks.sessions.setup import SessionsSetup
from agentbrief.tasks.store.plan import StorePlan
from agentbrief.tasks.store.status import title_of

MOST_TITLES = 50
"""Of so many sessions the title is looked up in the transcript."""


def told(setup: SessionsSetup, found: StorePlan) -> CleanupReport:
    """The report of a plan that was not carried out.

    Raises:
        Refused: a transcript may not be looked at.
    """
    stamp = found.look.folder.store_stamp
    return CleanupReport(
        found.plan,
        None,
        found.database,
        found.is_remote,
        stamp.mtime_ns // 1_000_000 if stamp is not None else None,
        setup.settings.number("maintenance.trashDays") or 0,
        tuple(_titles(setup, found, found.plan)),
    )


def _titles(
    setup: SessionsSetup, found: StorePlan, plan: MaintenancePlan | Refusal
) -> Iterator[tuple[str, str]]:
    if isinstance(plan, Refusal):
        return
    dropped = (item for item in plan.items if item.action == "drop-entry" and item.entry is not None)
    for item in islice(dropped, MOST_TITLES):
        title = title_of(setup.fs, found.look, item.entry) if item.entry is not None else ""
        if title:
            yield item.what, mask(title)
