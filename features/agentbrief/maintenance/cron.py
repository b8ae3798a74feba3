"""Which sessions and log lines of scheduled jobs go?

Each run of a job leaves a session of its own; those older than a retention go, the job's base session stays
(openclaw.md 7.6; openclaw/openclaw ``src/cron/session-reaper.ts``, ``src/cron/run-log.ts``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from agentbrief.jsonio import JsonValue
from agentbrief.maintenance.bench import Bench
from agentbrief.maintenance.protection import protected
from agentbrief.maintenance.values import Guard, PlanItem, Spared
from agentbrief.profiles.openclaw_data import CronData
from agentbrief.sessions.agent_config import value_at, whole_number
from agentbrief.sessions.setting_amounts import duration_ms, size_bytes, spelled
from agentbrief.sessions.store.folder import StoreFolder
from agentbrief.sessions.store.keys import is_cron_run
from agentbrief.sessions.store.names import archive_time_ms

_NOTHING = Guard()


@dataclass(frozen=True, slots=True)
class CronSweep:
    """What a sweep of one store would do; ``swept`` is false where it is switched off."""

    swept: bool
    pruned: int
    items: tuple[PlanItem, ...] = ()
    spared: tuple[Spared, ...] = ()


@dataclass(frozen=True, slots=True)
class RunLogLimits:
    """From which size in bytes on a log is cut, and how many of its last lines stay."""

    max_bytes: int
    keep_lines: int


def cron_retention_ms(cron: Mapping[str, JsonValue], data: CronData) -> int | None:
    """How long the session of a run is kept, by ``cron.sessionRetention``; None = for good.

    A number counts hours; what is no duration counts as the default.
    """
    value = cron.get("sessionRetention")
    if value is False:
        return None
    words = spelled(value)
    found = duration_ms(words, "h") if words is not None else None
    return duration_ms(data.session_retention, "h") if found is None else found


def plan_cron_sweep(
    folder: StoreFolder,
    cron: Mapping[str, JsonValue],
    data: CronData,
    now_ms: int,
    guard: Guard = _NOTHING,
) -> CronSweep:
    """The sweep of one store; ``cron`` is that object of the configuration. What is protected stays."""
    retention = cron_retention_ms(cron, data)
    if retention is None or folder.store.problem is not None:
        return CronSweep(False, 0)
    bench = Bench(folder, protected(folder, now_ms, guard), now_ms)
    dropped = [
        bench.drop(key, "cron-expired", "prune-stale")
        for key, entry in list(bench.entries.items())
        if is_cron_run(key)
        and (entry.updated_at_ms or 0) < now_ms - retention
        and not bench.spare_key(key, "cron-expired")
    ]
    archived = False
    for entry in dropped:
        for name in bench.unused_files(entry):
            if not bench.spare_file(name, "cron-expired"):
                bench.archive(name, "cron-expired", entry.key)
                archived = True
    # Old archives go only in a sweep that adds to them, as upstream has it.
    for name in list(bench.files) if archived else ():
        put_away = archive_time_ms(name, "deleted")
        expired = put_away is not None and now_ms - put_away > retention
        if expired and not bench.spare_file(name, "archive-expired"):
            bench.trash(name, "archive-expired")
    return CronSweep(True, len(dropped), bench.items, tuple(bench.spared))


def run_log_limits(cron: Mapping[str, JsonValue], data: CronData) -> RunLogLimits:
    """The limits of ``cron.runLog``; what cannot be read counts as the default."""
    words = spelled(value_at(cron, "runLog", "maxBytes"))
    size = size_bytes(words) if words is not None else None
    lines = value_at(cron, "runLog", "keepLines")
    is_positive = isinstance(lines, int | float) and not isinstance(lines, bool) and lines > 0
    kept = whole_number(lines, 0) if is_positive else None
    return RunLogLimits(
        data.run_log_max_bytes if size is None else size,
        data.run_log_keep_lines if kept is None else max(1, kept),
    )


def run_log_name(job_id: str) -> str | None:
    """The file name of a job's log; None for an id that would leave the folder."""
    name = job_id.strip()
    return f"{name}.jsonl" if name and not any(sign in name for sign in "/\\\0") else None


def shortened_log(data: bytes, limits: RunLogLimits) -> bytes | None:
    """The log after a line was added, its last lines only; None where it is small enough as it is.

    The lines keep their bytes, so it may still be larger than the limit.
    """
    if len(data) <= limits.max_bytes:
        return None
    lines = [line for line in data.split(b"\n") if line.strip()]
    return b"".join(line + b"\n" for line in lines[-limits.keep_lines :])
