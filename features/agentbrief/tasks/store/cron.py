"""What of scheduled jobs is old: sessions of their runs, and lines of their logs?

OpenClaw sweeps both by itself while its Gateway runs; here it is previewed, and done when it is asked for
(openclaw.md 7.6).
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, field

from agentbrief.changes.apply import Site, apply
from agentbrief.changes.places import day_of, trash_folder
from agentbrief.changes.receipt import Receipt
from agentbrief.changes.steps import CopyVerified, ReplaceFile, Step
from agentbrief.disk.folder import entries
from agentbrief.disk.lock import Caller
from agentbrief.disk.read import FileBytes, read_bytes, real_roots
from agentbrief.disk.seam import FS
from agentbrief.disk.values import Stamp
from agentbrief.maintenance.cron import plan_cron_sweep, run_log_limits, shortened_log
from agentbrief.maintenance.values import MaintenancePlan
from agentbrief.maintenance.with_sweep import with_sweep
from agentbrief.sessions.agent_config import object_at, text_at
from agentbrief.tasks.store.look import openclaw_data
from agentbrief.tasks.store.place import StorePlace
from agentbrief.tasks.store.plan import StorePlan

MAX_LOG_BYTES = 256 << 20
"""The largest log that is held in memory."""


@dataclass(frozen=True, slots=True)
class LongLog:
    """A log that is above its limit, and what is kept of it: its last lines, byte for byte."""

    path: str
    stamp: Stamp
    kept: bytes = field(repr=False)


def swept(found: StorePlan, now_ms: int) -> StorePlan:
    """``found`` with a sweep of the runs of scheduled jobs, which is off where the configuration says so."""
    plan = found.plan
    if not isinstance(plan, MaintenancePlan):
        return found
    cron = object_at(found.look.place.config.value, "cron")
    sweep = plan_cron_sweep(found.look.folder, cron, openclaw_data().cron, now_ms, found.look.guard)
    return StorePlan(found.look, with_sweep(plan, sweep), found.read_only)


def runs_folder(place: StorePlace) -> str | None:
    """Where the logs of scheduled jobs lie; None for a store that belongs to no state folder."""
    if place.state is None:
        return None
    store = text_at(place.config.value, "cron", "store")
    folder = os.path.dirname(store) if store and os.path.isabs(store) else os.path.join(place.state, "cron")
    return os.path.join(folder, "runs")


def long_logs(fs: FS, place: StorePlace) -> tuple[LongLog, ...]:
    """The logs that OpenClaw would shorten when it next writes to them, by name.

    Raises:
        Refused: the folder may not be listed.
    """
    folder = runs_folder(place)
    roots = real_roots(fs, (folder,)) if folder is not None else frozenset[str]()
    if folder is None or not roots:
        return ()
    limits = run_log_limits(object_at(place.config.value, "cron"), openclaw_data().cron)
    found: list[LongLog] = []
    for entry in entries(fs, folder, roots) or ():
        is_log = entry.kind == "file" and entry.name.endswith(".jsonl")
        if not is_log or entry.stamp.size <= limits.max_bytes:
            continue
        read = read_bytes(fs, os.path.join(folder, entry.name), roots, MAX_LOG_BYTES)
        if isinstance(read, FileBytes):
            kept = shortened_log(read.data, limits)
            if kept is not None and kept != read.data:
                found.append(LongLog(read.path, read.stamp, kept))
    return tuple(sorted(found, key=lambda log: log.path))


def shorten_logs(fs: FS, place: StorePlace, logs: Iterable[LongLog], caller: Caller) -> Receipt | None:
    """Shorten ``logs``; the whole ones are copied to the trash beside them first. None: there are none.

    One that was written to meanwhile stays as it is.

    Raises:
        Refused: nothing was changed.
    """
    logs, folder = tuple(logs), runs_folder(place)
    if not logs or folder is None:
        return None
    real = fs.real_path(folder)
    day = os.path.join(trash_folder(real), day_of(caller.now_ns()))
    steps: list[Step] = []
    for log in logs:
        name = f"{fs.unique()}-{os.path.basename(log.path)}"
        steps.append(CopyVerified(log.path, os.path.join(day, name), log.stamp))
        steps.append(ReplaceFile(log.path, log.kept, log.stamp))
    return apply(Site(fs, real, caller), steps, leave_out_changed=True)
