"""Clean a store up as it was previewed.

The plan is done in pieces, each under the locks and each looked at again there: what grew, went away or came
into use since is left out and told, and nothing is ever added (reliability.md 7, openclaw.md 7.2, 7.5).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable

from agentbrief.changes.apply import Site, apply, purge_trash
from agentbrief.changes.receipt import LeftOut as LeftOutStep
from agentbrief.changes.receipt import Receipt
from agentbrief.changes.steps import CopyVerified, ReplaceFile, Step, result
from agentbrief.changes.trash import TrashItem, expired, trash_items
from agentbrief.disk.folder import stamp_of
from agentbrief.disk.lock import Caller
from agentbrief.disk.refusal import Refused
from agentbrief.disk.seam import FS
from agentbrief.maintenance.batches import ItemStep, batches, steps_of
from agentbrief.maintenance.cleaned import Cleaned
from agentbrief.maintenance.cleanup_record import CleanupRecord, record_data, record_of
from agentbrief.maintenance.recheck import LeftOut, LeftOutWhy, recheck
from agentbrief.maintenance.values import MaintenancePlan, PlanItem
from agentbrief.tasks.store.look import NOTHING_IN_USE, InUse, StoreLook, site_of, with_data
from agentbrief.tasks.store.watch import LATER, STALE, Watchman

_ATTEMPTS = 3


def clean_up(
    fs: FS,
    look: StoreLook,
    plan: MaintenancePlan,
    caller: Caller,
    *,
    trash_days: int,
    in_use: InUse = NOTHING_IN_USE,
    progress: Callable[[int, int], None] = lambda done, total: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Cleaned:
    """Carry ``plan`` out. ``progress`` hears how many items of how many were gone through.

    Raises:
        Refused: nothing at all was changed.
        ValueError: the plan is one that only shows.
    """
    if not plan.applies:
        raise ValueError("this plan only shows")
    work = _Work(fs, look, plan, caller, in_use)
    stop = False
    for piece in batches(plan.items):
        stop = cancelled()
        if stop or work.stopped is not None:
            break
        work.do(piece)
        progress(len(work.done) + len(work.left_out), len(plan.items))
    purged = work.purged(trash_days) if work.stopped is None else ()
    return work.result(cancelled=stop, purged=purged)


class _Work:
    """A cleanup under way."""

    def __init__(self, fs: FS, look: StoreLook, plan: MaintenancePlan, caller: Caller, in_use: InUse) -> None:
        self.done: list[PlanItem] = []
        self.left_out: list[LeftOut] = []
        self.stopped: Refused | None = None
        self._fs = fs
        self._look = look
        self._plan = plan
        self._caller = caller
        self._in_use = in_use
        self._site: Site = site_of(fs, look.folder, caller)
        self._id = fs.unique()
        self._record: CleanupRecord = record_of(
            self._id, look.folder.real_folder, look.folder.store_name, plan.items, caller.now_ns()
        )
        self._receipts: list[Receipt] = []

    def do(self, piece: tuple[PlanItem, ...]) -> None:
        """One piece of the plan; again what the lock was not held long enough for, or what changed."""
        waiting = piece
        for attempt in range(_ATTEMPTS + len(piece)):
            try:
                waiting = self._once(waiting, is_last=attempt + 1 >= _ATTEMPTS)
            except Refused as refusal:
                if not self._receipts and not self.done:
                    raise
                self.stopped = refusal
                return
            if not waiting:
                return

    def _once(self, items: tuple[PlanItem, ...], *, is_last: bool) -> tuple[PlanItem, ...]:
        """What is left of ``items`` to be tried again."""
        now_ms = self._now_ms()
        look, data = with_data(self._fs, self._look, now_ms, self._in_use)
        again = recheck(items, look.folder, now_ms, look.guard)
        self.left_out += again.left_out
        if not again.items:
            return ()
        planned = steps_of(again.items, look.folder, data, self._id)
        needed = self._needed(look)
        watch = Watchman(
            self._fs,
            look,
            again.items,
            {each.step: each.items for each in planned},
            touched_paths(needed),
            self._caller,
            self._in_use,
        )
        first = [step for step, path in zip(needed, touched_paths(needed), strict=True) if self._lacks(path)]
        receipt = apply(
            self._site, [*first, *(each.step for each in planned)], protected=watch, leave_out_changed=True
        )
        return self._taken(receipt, planned, is_last=is_last)

    def _needed(self, look: StoreLook) -> list[Step]:
        """What has to be there before anything goes: the copy of the store, and the record."""
        found: list[Step] = []
        stamp = look.folder.store_stamp
        if stamp is not None and self._record.dropped:
            store = os.path.join(look.folder.real_folder, look.folder.store_name)
            found.append(CopyVerified(store, self._record.copy_path, stamp))
        return [*found, ReplaceFile(self._record.path, record_data(self._record), None)]

    def _lacks(self, path: str) -> bool:
        return stamp_of(self._fs, path) is None

    def _taken(
        self, receipt: Receipt, planned: tuple[ItemStep, ...], *, is_last: bool
    ) -> tuple[PlanItem, ...]:
        items = {each.step: each.items for each in planned}
        undone = {edit.key for done in receipt.done for edit in done.left_out}
        waiting: list[PlanItem] = []
        for done in receipt.done:
            for item in items.get(done.step, ()):
                spellings = item.entry.stored if item.entry is not None else (item.what,)
                if item.action == "drop-entry" and undone & set(spellings):
                    self.left_out.append(LeftOut(item, "changed"))
                else:
                    self.done.append(item)
        for each in receipt.left_out:
            for item in items.get(each.step, ()):
                if each.why == LATER or (each.why == STALE and not is_last):
                    waiting.append(item)
                else:
                    self.left_out.append(LeftOut(item, _why(each)))
        if receipt.done:
            self._receipts.append(receipt)
        return tuple(waiting)

    def purged(self, trash_days: int) -> tuple[TrashItem, ...]:
        """The files that were in the trash for too long, or for which it has no room; none of this run."""
        folder = self._look.folder.real_folder
        roots = frozenset((folder,))
        try:
            listed = trash_items(self._fs, folder, roots)
            old = expired(listed, self._caller.now_ns(), trash_days)
            most = self._plan.policy.max_disk_bytes
            old = (*old, *_too_many(listed, old, most, self._record.time_ms)) if most else old
            return purge_trash(self._site, old) if old else ()
        except Refused:
            # What is in the trash stays there: the cleanup itself is done.
            return ()

    def result(self, *, cancelled: bool, purged: tuple[TrashItem, ...]) -> Cleaned:
        return Cleaned(
            self._id,
            self._plan,
            tuple(self.done),
            tuple(self.left_out),
            tuple(self._receipts),
            self.stopped,
            cancelled,
            purged,
        )

    def _now_ms(self) -> int:
        return self._caller.now_ns() // 1_000_000


def _why(left_out: LeftOutStep) -> LeftOutWhy:
    match left_out.why:
        case "locked" | "in-use" as why:
            return why
        case _:
            return "changed"


def _too_many(
    listed: Iterable[TrashItem], going: Iterable[TrashItem], most_bytes: int, before_ms: int
) -> list[TrashItem]:
    """The oldest files that have to go so that the trash keeps to ``most_bytes``."""
    gone = {item.trashed for item in going}
    left = [item for item in listed if item.trashed not in gone]
    size = sum(item.stamp.size for item in left)
    found: list[TrashItem] = []
    for item in sorted(left, key=lambda item: (item.day, item.moved_ms or 0)):
        if size <= most_bytes:
            break
        if item.moved_ms is not None and item.moved_ms < before_ms:
            found.append(item)
            size -= item.stamp.size
    return found


def touched_paths(steps: Iterable[Step]) -> tuple[str, ...]:
    """The paths that ``steps`` leave in a new version."""
    return tuple(result(step) for step in steps)
