"""Does a message go on with its session or start a new one, and what changes in the store?

Explicit trigger, then freshness, then reuse or a new id; a thread may begin with a copy of the conversation
it hangs on (openclaw.md 6.4, 6.5; openclaw/openclaw ``src/auto-reply/reply/session.ts``). A plan only: the
old transcript is always put away, never lost.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import tzinfo
from typing import Literal

from agentbrief.jsonio import JsonValue
from agentbrief.profiles.openclaw_data import ResetData
from agentbrief.resume.freshness import freshness
from agentbrief.resume.group_keys import group_of
from agentbrief.resume.new_entry import continued_entry, fresh_entry
from agentbrief.resume.parent_fork import ForkDecision, fork_decision, parent_fork_max_tokens
from agentbrief.resume.peer_keys import main_session_key
from agentbrief.resume.reset_policy import ResetPolicy, channel_reset, is_thread, reset_policy, reset_type
from agentbrief.resume.reset_trigger import reset_triggers, rest_after_trigger
from agentbrief.sessions.agent_config import object_at, text_at
from agentbrief.sessions.store.entries import StoreEntry
from agentbrief.sessions.store.folder import StoreFolder
from agentbrief.sessions.store.keys import DEFAULT_AGENT, canonical_key
from agentbrief.sessions.store.names import archive_name
from agentbrief.sessions.store.paths import below, transcript_name
from agentbrief.sessions.store.text import REMOVED, Removed
from agentbrief.sessions.times import stamp_of
from agentbrief.text import utf16


@dataclass(frozen=True, slots=True)
class Inbound:
    """A message as the gateway hands it over. ``key`` None = it follows from the sender.

    ``authorized`` says whether the sender may give commands; ``is_event`` marks a heartbeat, a scheduled job
    or an exec event.
    """

    body: str
    key: str | None = None
    sender: str | None = None
    chat_type: str | None = None
    provider: str | None = None
    surface: str | None = None
    authorized: bool = False
    parent_key: str | None = None
    thread_id: str | int | None = None
    thread_label: str | None = None
    is_event: bool = False


@dataclass(frozen=True, slots=True)
class PutAway:
    """A file of the folder that gets another name."""

    name: str
    new_name: str


@dataclass(frozen=True, slots=True)
class ForkFrom:
    """A copy of a transcript's leaf that the new session begins with, both by name."""

    parent_name: str
    new_name: str


@dataclass(frozen=True, slots=True)
class SessionStart:
    """What becomes of a message. ``entry`` is the entry of the session afterwards.

    ``previous_session_id`` is the id of the session that ended; ``changes`` are those of the store, by key as
    the file spells it; ``put_away`` are the transcripts of the session that ended.
    """

    is_new: bool
    reset_triggered: bool
    key: str
    session_id: str
    body: str
    entry: Mapping[str, JsonValue] = field(hash=False)
    changes: Mapping[str, JsonValue | Removed] = field(hash=False)
    policy: ResetPolicy
    previous_session_id: str | None = None
    put_away: tuple[PutAway, ...] = ()
    fork: ForkFrom | None = None
    fork_decision: ForkDecision = "none"

    @property
    def system_sent(self) -> bool:
        """Whether the session has had its system prompt."""
        return self.entry.get("systemSent") is True


def start_session(
    folder: StoreFolder,
    message: Inbound,
    config: Mapping[str, JsonValue],
    data: ResetData,
    *,
    now_ms: int,
    host_zone: tzinfo,
    new_id: str,
    agent: str = DEFAULT_AGENT,
) -> SessionStart:
    """What ``message`` does to its session; ``new_id`` is the id of a session that starts anew."""
    session = object_at(config, "session")
    key = session_key_of(message, config, agent)
    entry = folder.store.get(key)
    policy = policy_for(key, message, session, data)
    rest = rest_after_trigger(message.body, reset_triggers(session, data)) if message.authorized else None
    on_request = rest is not None
    body = message.body if rest is None else rest
    if entry is not None and entry.session_id is not None and not on_request:
        state = freshness(entry.updated_at_ms, now_ms, policy, host_zone, is_event=message.is_event)
        if state.fresh:
            kept = continued_entry(entry, _file_of(folder, entry, message.thread_id), now_ms)
            changes = changed_store(entry, key, kept)
            return SessionStart(False, False, key, entry.session_id, body, kept, changes, policy)
    parent = _parent(folder, message, key)
    parent_names = folder.files_of(parent) if parent is not None else ()
    decision = fork_decision(parent, False, bool(parent_names), parent_fork_max_tokens(session, data))
    name = transcript_name(new_id, message.thread_id) or f"{new_id}.jsonl"
    fork = None
    if decision == "fork" and parent_names:
        name = f"{stamp_of(now_ms)}_{new_id}.jsonl"
        fork = ForkFrom(parent_names[0], name)
    made = fresh_entry(entry, new_id, os.path.join(folder.folder, name), now_ms, on_request=on_request)
    if decision in ("fork", "too-large"):
        made["forkedFromParent"] = True
    return SessionStart(
        True,
        on_request,
        key,
        new_id,
        body,
        made,
        changed_store(entry, key, made),
        policy,
        entry.session_id if entry is not None else None,
        put_away(folder, entry, "reset", now_ms) if entry is not None else (),
        fork,
        decision,
    )


def session_key_of(message: Inbound, config: Mapping[str, JsonValue], agent: str = DEFAULT_AGENT) -> str:
    """The key of the session that ``message`` belongs to."""
    if message.key is not None and (named := canonical_key(message.key)):
        return named
    if text_at(config, "session", "scope") == "global":
        return "global"
    if (group := group_of(message.sender, message.chat_type, message.provider)) is not None:
        return f"agent:{agent}:{group.key}"
    return main_session_key(agent, text_at(config, "session", "mainKey"))


def policy_for(key: str, message: Inbound, session: Mapping[str, JsonValue], data: ResetData) -> ResetPolicy:
    """When the session of ``message`` starts anew."""
    group = group_of(message.sender, message.chat_type, message.provider)
    kind = reset_type(
        key,
        is_group=group is not None or canonical_key(message.chat_type or "") in ("group", "channel", "room"),
        is_thread=is_thread(
            key,
            thread_id=message.thread_id,
            thread_label=message.thread_label,
            parent_key=message.parent_key,
        ),
    )
    channel = group.channel if group is not None else message.surface or message.provider
    return reset_policy(session, kind, data, by_channel=channel_reset(session, channel))


def changed_store(
    entry: StoreEntry | None, key: str, value: Mapping[str, JsonValue]
) -> dict[str, JsonValue | Removed]:
    """The changes of the file that leave ``value`` under ``key``, and under no other spelling of it."""
    spellings = entry.stored if entry is not None else ()
    found: dict[str, JsonValue | Removed] = {name: REMOVED for name in spellings if name != key}
    found[key] = dict(value)
    return found


def put_away(
    folder: StoreFolder, entry: StoreEntry, reason: Literal["reset", "deleted"], now_ms: int
) -> tuple[PutAway, ...]:
    """The files of ``entry`` that no other entry uses, and the names they get."""
    if entry.session_id is not None and len(folder.store.with_session(entry.session_id)) > 1:
        return ()
    used = {name for other in folder.store.entries if other is not entry for name in folder.files_of(other)}
    return tuple(
        PutAway(name, archive_name(name, reason, now_ms))
        for name in folder.files_of(entry)
        if name not in used
    )


def _file_of(folder: StoreFolder, entry: StoreEntry, topic: str | int | None) -> str:
    spelled = entry.session_file or ""
    if spelled in folder.shared:
        return utf16.trim(spelled)
    name = below(spelled, folder.spellings)
    # Only where nothing is spelled does the message say which topic it is.
    name = name or transcript_name(entry.session_id or "", None if utf16.trim(spelled) else topic)
    return os.path.join(folder.folder, name or f"{entry.session_id}.jsonl")


def _parent(folder: StoreFolder, message: Inbound, key: str) -> StoreEntry | None:
    parent_key = utf16.trim(message.parent_key or "")
    if not parent_key or canonical_key(parent_key) == canonical_key(key):
        return None
    return folder.store.get(parent_key)
