"""May this step still be taken? Asked under the lock, right before each step of a cleanup."""

from __future__ import annotations

import os
from collections.abc import Mapping

from agentbrief.changes.steps import CopyVerified, EditStore, Step
from agentbrief.disk.folder import stamp_of
from agentbrief.disk.lock import Caller
from agentbrief.disk.refusal import Refused
from agentbrief.disk.seam import FS
from agentbrief.disk.values import ReadProblem, Stamp, bare
from agentbrief.maintenance.recheck import recheck
from agentbrief.maintenance.values import PlanItem
from agentbrief.tasks.store.look import InUse, StoreLook, is_locked, look_at

LATER = "later"
"""The lock was held long enough: the step is taken under the next one."""

STALE = "stale"
"""What was planned on is no more: look again first."""

_LONGEST_NS = 5_000_000_000
"""OpenClaw takes a lock of its store away after 30 s, and waits 10 s for it: ours is held for less."""


class Watchman:
    """Looks at the folder when the lock is there, and before each step at what the step is about."""

    def __init__(
        self,
        fs: FS,
        look: StoreLook,
        items: tuple[PlanItem, ...],
        steps: Mapping[Step, tuple[PlanItem, ...]],
        first: tuple[str, ...],
        caller: Caller,
        in_use: InUse,
    ) -> None:
        self._fs = fs
        self._look = look
        self._items = items
        self._steps = steps
        self._first = first
        self._caller = caller
        self._in_use = in_use
        self._began_ns: int | None = None
        self._is_stale = False
        self._asked: set[Step] = set()
        self._seen: Stamp | None = look.folder.store_stamp
        self._used = _used(look)

    def __call__(self, step: Step) -> str | None:
        """Why ``step`` must not be taken now; None if it may."""
        if self._began_ns is None:
            self._began_ns = self._caller.now_ns()
            self._is_stale = self._has_changed()
        if self._is_stale:
            return STALE
        items = self._steps.get(step)
        if items is None:
            return None
        if self._caller.now_ns() - self._began_ns > _LONGEST_NS:
            return LATER
        if step not in self._asked:
            # Asked for all steps before the first is taken, when the copies are not there yet, then for each.
            self._asked.add(step)
            return None
        return self._why_not(step, items[0].what)

    def _why_not(self, step: Step, name: str) -> str | None:
        if isinstance(step, CopyVerified):
            return None
        if any(stamp_of(self._fs, path) is None for path in self._first):
            return STALE
        if isinstance(step, EditStore):
            return None
        if is_locked(self._fs, self._look.folder, name):
            return "locked"
        return "in-use" if self._is_used(name) else None

    def _has_changed(self) -> bool:
        now_ms = self._caller.now_ns() // 1_000_000
        found = look_at(self._fs, self._look.place, now_ms, self._in_use)
        if isinstance(found, ReadProblem) or found.folder.store_stamp != self._look.folder.store_stamp:
            return True
        return bool(recheck(self._items, found.folder, now_ms, found.guard).left_out)

    def _is_used(self, name: str) -> bool:
        """Whether a session of the store as it is now uses the file ``name``.

        Raises:
            Refused: the store cannot be read any more.
        """
        path = os.path.join(self._look.folder.real_folder, self._look.folder.store_name)
        if stamp_of(self._fs, path) != bare(self._seen):
            found = look_at(self._fs, self._look.place, self._caller.now_ns() // 1_000_000, self._in_use)
            if isinstance(found, ReadProblem):
                raise Refused("failed", found.path, detail=found.kind)
            self._seen, self._used = found.folder.store_stamp, _used(found)
        return name in self._used


def _used(look: StoreLook) -> frozenset[str]:
    return frozenset(name for entry in look.folder.store.entries for name in look.folder.files_of(entry))
