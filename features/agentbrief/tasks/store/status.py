"""How does a store stand, and each of its sessions?"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import tzinfo

from agentbrief.changes.openclaw_lock import OPENCLAW_LOCK
from agentbrief.changes.places import checkpoints_folder
from agentbrief.changes.trash import trash_items
from agentbrief.compaction.openclaw.flush import flush_settings, flush_state
from agentbrief.compaction.openclaw.queue_settings import queue_settings
from agentbrief.compaction.openclaw.settings import pi_compaction, reserve
from agentbrief.compaction.openclaw.windows import context_window
from agentbrief.disk.folder import entries
from agentbrief.disk.refusal import Refused
from agentbrief.disk.seam import FS
from agentbrief.disk.sidecar import lock_seen
from agentbrief.jsonio import JsonValue
from agentbrief.maintenance.cleanup_record import is_of_record
from agentbrief.maintenance.values import CleanupChoices, MaintenancePlan
from agentbrief.profiles.openclaw_data import OpenClawData, is_since
from agentbrief.report.store_facts import Freshness, LockFacts, SessionFacts, StoreFacts
from agentbrief.resume.freshness import freshness, stale_from_ms
from agentbrief.resume.reset_policy import channel_reset, reset_policy, reset_type
from agentbrief.resume.session_key import key_shape
from agentbrief.sessions.agent_config import object_at
from agentbrief.sessions.listing import listed_sessions
from agentbrief.sessions.locations import Location
from agentbrief.sessions.store.entries import StoreEntry
from agentbrief.sessions.store.health import bulk_bytes, store_findings, unreferenced
from agentbrief.sessions.store.keys import canonical_key
from agentbrief.sessions.store.listing import MINUTE_MS, model_defaults, session_row
from agentbrief.sessions.store.names import is_counted
from agentbrief.sessions.titles import one_line
from agentbrief.tasks.settings import Settings
from agentbrief.tasks.store.look import StoreLook, openclaw_data
from agentbrief.tasks.store.plan import StorePlan, maintenance_of, plan_of
from agentbrief.tasks.store.scene import version_of
from agentbrief.tasks.store.transcript import transcript_facts

DEFAULT_MODEL = "claude-opus-4-6"
"""What OpenClaw 2026.3.2 takes where no model is configured."""

_FLOOR_LOWERED_SINCE = "2026.4.15"
_ZERO_IS_NEVER_SINCE = "2026.4.15"


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which sessions are told: active in the last minutes (None: all), or one key, which is told in full."""

    active_minutes: int | None = None
    key: str | None = None


ALL = Wanted()


def store_status(
    fs: FS, look: StoreLook, settings: Settings, now_ms: int, host_zone: tzinfo, wanted: Wanted = ALL
) -> StoreFacts:
    """How a store stands.

    Raises:
        Refused: a file in its folder may not be looked at.
    """
    folder, place = look.folder, look.place
    found = plan_of(look, settings, CleanupChoices(dry_run=True), now_ms)
    plan = found.plan if isinstance(found.plan, MaintenancePlan) else None
    moved = [item for item in plan.items if item.action in ("archive", "trash")] if plan else []
    files = [file for file in folder.files if is_counted(file.name) and file.name != folder.store_name]
    trashed = [
        item.stamp.size
        for item in trash_items(fs, folder.folder, frozenset((folder.real_folder,)))
        if not is_of_record(os.path.basename(item.trashed))
    ]
    sessions = tuple(
        session_facts(fs, look, entry, settings, now_ms, host_zone, found, in_full=wanted.key is not None)
        for entry in _chosen(look, wanted, now_ms)
    )
    stamp = folder.store_stamp
    return StoreFacts(
        agent_id=place.agent_id,
        path=folder.store_path,
        is_configured=place.is_configured,
        changed_ms=stamp.mtime_ns // 1_000_000 if stamp is not None else None,
        problem=folder.store.problem,
        exists=folder.store.exists,
        database=look.database,
        is_remote=place.config.is_remote,
        version=version_of(place.config, folder.store, settings),
        size=stamp.size if stamp is not None else 0,
        files=len(files),
        file_bytes=sum(file.stamp.size for file in files),
        unreferenced=len(unreferenced(folder)),
        place=plan.policy.place if plan is not None else maintenance_of(place.config, settings)[1],
        mode=plan.policy.mode if plan is not None else "–",
        cleanup_sessions=plan.before_count - plan.after_count if plan is not None else 0,
        cleanup_files=len(moved),
        cleanup_bytes=sum(item.size for item in moved),
        trash_files=len(trashed),
        trash_bytes=sum(trashed),
        issues=tuple((each.code, each.key) for each in store_findings(folder)),
        refused=() if isinstance(found.plan, MaintenancePlan) else tuple(p.code for p in found.plan.problems),
        sessions=sessions,
        session_count=len(folder.store.entries),
    )


def session_facts(
    fs: FS,
    look: StoreLook,
    entry: StoreEntry,
    settings: Settings,
    now_ms: int,
    host_zone: tzinfo,
    found: StorePlan,
    *,
    in_full: bool = False,
) -> SessionFacts:
    """How one session stands; ``in_full`` reads its transcript too."""
    folder, config, data = look.folder, look.place.config.value, openclaw_data()
    row = session_row(
        entry, look.place.agent_id, now_ms, model_defaults(config, DEFAULT_MODEL, _window(data))
    )
    provider = entry.text("modelProvider") or entry.text("providerOverride")
    stated = entry.number("contextTokens")
    window = context_window(config, provider or "", row.model, int(stated) if stated else None, _window(data))
    version = version_of(look.place.config, folder.store, settings).version
    kept = reserve(
        pi_compaction({}, data.compaction),
        config,
        data.compaction,
        window.tokens if is_since(version, _FLOOR_LOWERED_SINCE) else None,
    )
    flush = flush_settings(config, data)
    sizes = {file.name: file.stamp.size for file in folder.files}
    names = folder.files_of(entry)
    session = object_at(config, "session")
    channel = channel_reset(session, entry.text("channel"))
    policy = reset_policy(
        session,
        reset_type(entry.key, is_group=row.kind == "group"),
        data.resets,
        by_channel=channel,
        zero_is_never=is_since(version, _ZERO_IS_NEVER_SINCE),
    )
    updated = entry.updated_at_ms
    copies = entry.fields.get("compactionCheckpoints")
    facts = SessionFacts(
        key=entry.key,
        shape=key_shape(entry.key),
        kind=row.kind,
        agent_id=row.agent_id,
        session_id=entry.session_id,
        title=title_of(fs, look, entry),
        updated_ms=updated,
        files=tuple((name, sizes[name]) for name in names),
        model=row.model,
        provider=provider,
        window=window,
        total_tokens=entry.total_tokens,
        freshness=_freshness(look, entry, names),
        reserve=kept,
        threshold_tokens=window.tokens - kept.reserve_tokens,
        compaction_count=entry.count("compactionCount"),
        flush=flush_state(entry, flush, window.tokens, transcript_bytes=_size(names, sizes))
        if flush
        else None,
        flush_at_ms=entry.number("memoryFlushAt"),
        flush_count=entry.number("memoryFlushCompactionCount"),
        checkpoints=len(copies) if isinstance(copies, list) else 0,
        checkpoint_bytes=_checkpoint_bytes(fs, look, copies) if in_full else 0,
        policy=policy,
        is_stale=not freshness(updated, now_ms, policy, host_zone).fresh,
        next_start_ms=stale_from_ms(updated, now_ms, policy, host_zone) if updated is not None else None,
        queue=queue_settings(config, data.queue, channel=entry.text("channel"), entry=entry),
        bulk_bytes=sum(bulk_bytes(entry).values()),
        lock=_lock(fs, look, names),
    )
    if isinstance(found.plan, MaintenancePlan):
        spared = next((each for each in found.plan.spared if each.is_key and each.what == entry.key), None)
        fate = found.plan.actions.get(entry.key, "keep")
        facts = replace(facts, fate=fate, kept=spared.why if spared is not None else None)
    if in_full and names:
        path = os.path.join(folder.real_folder, names[0])
        facts = replace(facts, transcript=transcript_facts(fs, path, frozenset((folder.real_folder,))))
    return facts


def title_of(fs: FS, look: StoreLook, entry: StoreEntry) -> str:
    """What the session is called: its label, else the first words of its transcript; may be empty."""
    if named := entry.text("label") or entry.text("displayName"):
        return one_line(named)
    names = look.folder.files_of(entry)
    if not names:
        return ""
    place = Location(
        os.path.join(look.folder.real_folder, names[0]), look.folder.real_folder, entry.session_id or ""
    )
    listed = listed_sessions(fs, [place], frozenset((look.folder.real_folder,)), "openclaw")
    return listed[0].title if listed else ""


def _chosen(look: StoreLook, wanted: Wanted, now_ms: int) -> Iterable[StoreEntry]:
    entries_ = look.folder.store.entries
    if wanted.key is not None:
        key = canonical_key(wanted.key)
        return [entry for entry in entries_ if canonical_key(entry.key) == key]
    if wanted.active_minutes is not None:
        oldest = now_ms - wanted.active_minutes * MINUTE_MS
        entries_ = tuple(entry for entry in entries_ if (entry.updated_at_ms or 0) >= oldest)
    return sorted(entries_, key=lambda entry: -(entry.updated_at_ms or 0))


def _window(data: OpenClawData) -> int:
    return data.window.default_tokens


def _freshness(look: StoreLook, entry: StoreEntry, names: tuple[str, ...]) -> Freshness:
    """Whether the counter is of what the file holds now."""
    if entry.total_tokens is None:
        return "unknown"
    changed = [file.stamp.mtime_ns // 1_000_000 for file in look.folder.files if file.name in names[:1]]
    updated = entry.updated_at_ms
    if entry.flag("totalTokensFresh") is True and (
        not changed or updated is None or changed[0] <= updated + MINUTE_MS
    ):
        return "fresh"
    return "stale" if changed and updated is not None and changed[0] > updated + MINUTE_MS else "unknown"


def _size(names: tuple[str, ...], sizes: dict[str, int]) -> int | None:
    return sizes[names[0]] if names else None


def _lock(fs: FS, look: StoreLook, names: tuple[str, ...]) -> LockFacts | None:
    roots = frozenset((look.folder.real_folder,))
    for name in names:
        if name + OPENCLAW_LOCK.suffix not in look.folder.names:
            continue
        seen = lock_seen(fs, os.path.join(look.folder.real_folder, name), roots, OPENCLAW_LOCK)
        if seen is not None:
            return LockFacts(seen.owner.pid if seen.owner is not None else None, seen.is_held)
    return None


def _checkpoint_bytes(fs: FS, look: StoreLook, records: JsonValue) -> int:
    """The bytes of the copies that the records of an entry name, as far as they are there."""
    named = {
        f"{each['checkpointId']}.jsonl"
        for each in (records if isinstance(records, list) else [])
        if isinstance(each, dict) and isinstance(each.get("checkpointId"), str)
    }
    try:
        listed = entries(
            fs, checkpoints_folder(look.folder.real_folder), frozenset((look.folder.real_folder,))
        )
    except Refused:
        return 0
    return sum(entry.stamp.size for entry in listed or () if entry.name in named)
