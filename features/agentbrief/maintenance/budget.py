"""What goes so that the folder of a store fits its budget?

First archives and transcripts that no session uses, the ones that changed longest ago first; then whole
sessions, the oldest first; other files never (openclaw.md 7.3; openclaw/openclaw ``src/config/sessions/disk-
budget.ts``).
"""

from __future__ import annotations

from agentbrief.maintenance.bench import Bench
from agentbrief.maintenance.settings import MaintenanceSettings
from agentbrief.maintenance.values import DiskBudget, StayingFile
from agentbrief.sessions.store.entries import StoreEntry

STAYING_SHOWN = 20
"""How many of the files that stay are named."""


def fit_budget(bench: Bench, policy: MaintenanceSettings) -> DiskBudget | None:
    """Take what is over the budget from ``bench``; None where there is no budget."""
    most, target = policy.max_disk_bytes, policy.high_water_bytes
    if most is None or target is None:
        return None
    before = total = bench.total_bytes()
    files = entries = freed = 0
    if total > most:
        for file in bench.loose_files():
            if total <= target:
                break
            if file.size > 0 and not bench.spare_file(file.name, "evict-budget"):
                size = bench.trash(file.name, "evict-budget")
                total, freed, files = total - size, freed + size, files + 1
        for key in sorted(bench.entries, key=lambda key: _age(bench.entries[key])):
            if total <= target:
                break
            if bench.spare_key(key, "evict-budget"):
                continue
            total -= bench.entry_sizes[key]
            entry = bench.drop(key, "evict-budget", "evict-budget")
            entries += 1
            for name in bench.unused_files(entry):
                if not bench.spare_file(name, "evict-budget"):
                    size = bench.trash(name, "evict-budget", key)
                    total, freed, files = total - size, freed + size, files + 1
    staying = _staying(bench) if before > most and total > target else ()
    return DiskBudget(before, total, files, entries, freed, most, target, staying)


def _age(entry: StoreEntry) -> float:
    return float(entry.updated_at_ms or 0)


def _staying(bench: Bench) -> tuple[StayingFile, ...]:
    left = [StayingFile(file.name, file.size) for file in bench.counted_files()]
    return tuple(sorted(left, key=lambda file: (-file.size, file.name))[:STAYING_SHOWN])
