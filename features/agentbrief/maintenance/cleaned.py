"""What came of a cleanup, of the trash, and of taking something back? Values only."""

from __future__ import annotations

import os
from dataclasses import dataclass

from agentbrief.changes.receipt import Receipt
from agentbrief.changes.trash import TrashItem
from agentbrief.disk.refusal import Refused
from agentbrief.maintenance.cleanup_record import CleanupRecord
from agentbrief.maintenance.recheck import LeftOut
from agentbrief.maintenance.values import MaintenancePlan, PlanItem


@dataclass(frozen=True, slots=True)
class Cleaned:
    """What came of a cleanup. ``done`` and ``left_out`` are items of the plan.

    ``stopped``: the disk or another program stopped it half way; what was done before stays done and can be
    taken back. ``purged`` are files that had been in the trash for too long and are gone now.
    """

    id: str
    plan: MaintenancePlan
    done: tuple[PlanItem, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    receipts: tuple[Receipt, ...] = ()
    stopped: Refused | None = None
    cancelled: bool = False
    purged: tuple[TrashItem, ...] = ()

    @property
    def freed_bytes(self) -> int:
        """By how many bytes the folder shrank, what lies in the trash not counted."""
        return sum(item.freed for item in self.done)


@dataclass(frozen=True, slots=True)
class TrashedFile:
    """A file in the trash. ``id`` names it; ``cleanup`` is the one that moved it, ``reason`` why."""

    id: str
    item: TrashItem
    cleanup: str | None = None
    reason: str | None = None

    @property
    def name(self) -> str:
        """Its old name, or the one it has in the trash."""
        return os.path.basename(self.item.path or self.item.trashed)


@dataclass(frozen=True, slots=True)
class TrashedCleanup:
    """A cleanup that can be taken back, at least in part: how many of what.

    ``copies`` are those of the store that it made, and that still are what the store is.
    """

    record: CleanupRecord
    sessions: int
    renamed: int
    files: int
    copies: int = 0

    @property
    def is_open(self) -> bool:
        """Whether anything is left to take back."""
        return bool(self.sessions or self.renamed or self.files or self.copies)


@dataclass(frozen=True, slots=True)
class StoreTrash:
    """The trash of one store, the newest first; cleanups of which nothing is left are left out.

    ``agent_id`` and ``path`` are those of the store.
    """

    agent_id: str
    path: str
    files: tuple[TrashedFile, ...]
    cleanups: tuple[TrashedCleanup, ...]

    @property
    def ids(self) -> frozenset[str]:
        """The identifiers of everything in it."""
        return frozenset((*(file.id for file in self.files), *(each.record.id for each in self.cleanups)))

    @property
    def size(self) -> int:
        """The bytes of all files."""
        return sum(file.item.stamp.size for file in self.files)


@dataclass(frozen=True, slots=True)
class Restored:
    """What came back, by name; ``left_out`` stays in the trash as its old name is taken, or it is gone.

    ``keys`` are sessions that the store has again, ``copies`` those of the store that the cleanup had made
    and that are gone again.
    """

    files: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    receipts: tuple[Receipt, ...] = ()
    copies: tuple[str, ...] = ()
