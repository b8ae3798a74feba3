"""What is kept of stores between two messages: cleanups that may be carried out, and those that were done?

Everything here is in memory. After a restart a preview is made anew, and the way back is the trash.
"""

from __future__ import annotations

from dataclasses import dataclass

from agentbrief.maintenance.cleaned import Cleaned
from agentbrief.report.store_cleanup_text import CleanupReport
from agentbrief.tasks.store.place import StorePlace
from agentbrief.tasks.store.plan import StorePlan
from agentbrief_server.compaction.desk import Kept


@dataclass(frozen=True, slots=True)
class PlannedStore:
    """What a cleanup of one store would do, and how that is told."""

    found: StorePlan
    report: CleanupReport


@dataclass(frozen=True, slots=True)
class CleanupPreview:
    """Cleanups that were planned, by store. ``unread`` are stores that could not be read, and why."""

    stores: tuple[PlannedStore, ...]
    unread: tuple[str, ...] = ()

    @property
    def asks_first(self) -> bool:
        """Whether the clock seems to have jumped, so that a person has to say yes."""
        return any(plan.asks_first for each in self.stores if (plan := each.found.applicable) is not None)

    @property
    def changes(self) -> bool:
        """Whether anything may be done."""
        return any(each.found.applicable is not None for each in self.stores)


@dataclass(frozen=True, slots=True)
class CleanupChange:
    """Cleanups that were done and may be taken back, by store."""

    done: tuple[tuple[StorePlace, Cleaned], ...]


class StoreDesk:
    """One for the server. From any thread."""

    def __init__(self) -> None:
        self.previews: Kept[CleanupPreview] = Kept()
        self.changes: Kept[CleanupChange] = Kept()
