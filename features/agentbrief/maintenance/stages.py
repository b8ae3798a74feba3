"""Which sessions and files does each stage of a cleanup take?

The stages of openclaw.md 7.2, up to the disk budget; each works on what the one before it left. What is
protected stays and counts.
"""

from __future__ import annotations

from agentbrief.maintenance.bench import Bench
from agentbrief.maintenance.settings import MaintenanceSettings
from agentbrief.profiles.openclaw_data import StoreMaintenanceData
from agentbrief.sessions.store.entries import StoreEntry
from agentbrief.sessions.store.names import archived_before


def drop_missing(bench: Bench) -> list[StoreEntry]:
    """Take the sessions that have an id and no transcript."""
    return [
        bench.drop(key, "prune-missing", "prune-missing")
        for key, entry in list(bench.entries.items())
        if entry.session_id is not None
        and not bench.folder.has_transcript(entry)
        and not bench.spare_key(key, "prune-missing")
    ]


def drop_stale(bench: Bench, policy: MaintenanceSettings) -> list[StoreEntry]:
    """Take the sessions that are older than the limit; one of unknown age is not."""
    oldest = bench.now_ms - policy.prune_after_ms
    return [
        bench.drop(key, "prune-stale", "prune-stale")
        for key, entry in list(bench.entries.items())
        if (updated := entry.updated_at_ms) is not None
        and updated < oldest
        and not bench.spare_key(key, "prune-stale")
    ]


def drop_overflow(bench: Bench, policy: MaintenanceSettings) -> list[StoreEntry]:
    """Take what is over the largest number, those of unknown age first, then the oldest."""
    too_many = len(bench.entries) - policy.max_entries
    newest_first = sorted(bench.entries, key=lambda key: -_age_rank(bench.entries[key]))
    dropped: list[StoreEntry] = []
    for key in reversed(newest_first):
        if len(dropped) >= too_many:
            break
        if not bench.spare_key(key, "cap-overflow"):
            dropped.append(bench.drop(key, "cap-overflow", "cap-overflow"))
    return dropped


def archive_files(bench: Bench, dropped: list[StoreEntry]) -> None:
    """Put the files away that only the dropped sessions used."""
    for entry in dropped:
        for name in bench.unused_files(entry):
            reason = bench.reason_of(entry.key)
            if not bench.spare_file(name, reason):
                bench.archive(name, reason, entry.key)


def purge_archives(bench: Bench, policy: MaintenanceSettings) -> None:
    """Take the archives that are older than their limit, by the time in their names."""
    limits: dict[str, int] = {"deleted": bench.now_ms - policy.prune_after_ms}
    if policy.reset_archive_ms is not None:
        limits["reset"] = bench.now_ms - policy.reset_archive_ms
    for name in archived_before(bench.files, limits):
        if not bench.spare_file(name, "archive-expired"):
            bench.trash(name, "archive-expired")


def rotate_store(bench: Bench, policy: MaintenanceSettings, data: StoreMaintenanceData) -> None:
    """Copy a store that is too large, and keep only the newest copies."""
    stamp = bench.folder.store_stamp
    if stamp is None or stamp.size <= policy.rotate_bytes:
        return
    prefix = f"{bench.folder.store_name}.bak."
    new_name = f"{prefix}{bench.now_ms}"
    if new_name in bench.files:
        return
    bench.copy_store(new_name, stamp.size)
    copies = [name for name in bench.files if name.startswith(prefix) and _is_number(name[len(prefix) :])]
    for name in sorted([*copies, new_name], reverse=True)[data.store_copies :]:
        if name != new_name and not bench.spare_file(name, "store-copy-old"):
            bench.trash(name, "store-copy-old")


def _age_rank(entry: StoreEntry) -> float:
    updated = entry.updated_at_ms
    return float("-inf") if updated is None else float(updated)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit()
