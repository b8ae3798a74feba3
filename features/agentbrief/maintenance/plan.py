"""What would a cleanup of a session store do?

A pure function of the folder, the settings, the choices, what is in use, and the moment. Nothing is carried
out here (openclaw.md 7.2, reliability.md 7).
"""

from __future__ import annotations

from itertools import chain

from agentbrief.jsonio import JsonValue
from agentbrief.maintenance import stages
from agentbrief.maintenance.bench import Bench
from agentbrief.maintenance.budget import fit_budget
from agentbrief.maintenance.protection import mtime_ms, protected
from agentbrief.maintenance.settings import (
    OPENCLAW_PLACE,
    MaintenanceSettings,
    SettingProblem,
    maintenance_settings,
)
from agentbrief.maintenance.values import CleanupChoices, Guard, MaintenancePlan, Refusal
from agentbrief.profiles.openclaw_data import StoreMaintenanceData
from agentbrief.sessions.store.folder import StoreFolder

CLOCK_JUMP_MS = 30 * 86_400_000
"""A clock that is further away than this from every time in the folder is asked about first."""

_NOTHING = Guard()
_PLAIN = CleanupChoices()


def plan_cleanup(
    folder: StoreFolder,
    settings: JsonValue,
    data: StoreMaintenanceData,
    now_ms: int,
    *,
    choices: CleanupChoices = _PLAIN,
    guard: Guard = _NOTHING,
    place: str = OPENCLAW_PLACE,
) -> MaintenancePlan | Refusal:
    """The plan for one store, or why there is none: ``settings`` (the object at ``place``) or the store are
    at fault.
    """
    policy = maintenance_settings(settings, data, place)
    if not isinstance(policy, MaintenanceSettings):
        return Refusal(folder.agent_id, folder.store_path, policy)
    if folder.store.problem is not None:
        problem = SettingProblem(folder.store_path, folder.store.problem)
        return Refusal(folder.agent_id, folder.store_path, (problem,))
    bench = Bench(folder, protected(folder, now_ms, guard), now_ms)
    before_count, bytes_before = len(bench.entries), bench.total_bytes()
    dropped = stages.drop_missing(bench) if choices.fix_missing else []
    dropped += stages.drop_stale(bench, policy)
    dropped += stages.drop_overflow(bench, policy)
    stages.archive_files(bench, dropped)
    stages.purge_archives(bench, policy)
    stages.rotate_store(bench, policy, data)
    budget = fit_budget(bench, policy)
    return MaintenancePlan(
        folder.agent_id,
        folder.store_path,
        policy,
        choices,
        now_ms,
        bench.items,
        tuple(bench.spared),
        bench.actions,
        before_count,
        len(bench.entries),
        bytes_before,
        bench.total_bytes(),
        budget,
        clock_has_jumped(folder, now_ms),
    )


def clock_has_jumped(folder: StoreFolder, now_ms: int) -> bool:
    """Whether every time that the folder knows is more than 30 days away from ``now_ms``."""
    times = chain(
        (mtime_ms(file) for file in folder.files),
        (int(entry.updated_at_ms) for entry in folder.store.entries if entry.updated_at_ms is not None),
    )
    is_near = None
    for time in times:
        is_near = abs(now_ms - time) <= CLOCK_JUMP_MS
        if is_near:
            return False
    return is_near is not None
