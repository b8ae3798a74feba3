"""When does a session start anew: every day at an hour, after idle minutes, or both?

Which of the settings under ``session`` decides (openclaw.md 6.2; openclaw/openclaw
``src/config/sessions/reset.ts``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from agentbrief.jsonio import JsonValue
from agentbrief.profiles.openclaw_data import ResetData
from agentbrief.sessions.agent_config import object_at, value_at, whole_number
from agentbrief.sessions.store.keys import canonical_key, thread_parent
from agentbrief.text import utf16

ResetMode = Literal["daily", "idle"]
ResetType = Literal["direct", "group", "thread"]
PolicySource = Literal["channel", "type", "reset", "idle-minutes", "default"]

_GROUP_MARKS = (":group:", ":channel:", ":room:")


@dataclass(frozen=True, slots=True)
class ResetPolicy:
    """What holds for a session.

    ``at_hour`` counts for the mode daily only, ``idle_minutes`` (None = no idle time) for both. ``source``
    is the setting that said most.
    """

    mode: ResetMode
    at_hour: int
    idle_minutes: int | None
    source: PolicySource


def reset_type(key: str, *, is_group: bool = False, is_thread: bool = False) -> ResetType:
    """What kind of conversation ``key`` is for the rules of resets."""
    if is_thread or thread_parent(key) is not None:
        return "thread"
    name = canonical_key(key)
    return "group" if is_group or any(mark in name for mark in _GROUP_MARKS) else "direct"


def is_thread(
    key: str,
    *,
    thread_id: str | int | None = None,
    thread_label: str | None = None,
    parent_key: str | None = None,
) -> bool:
    """Whether a message belongs to a thread, by any of the marks it may bear."""
    marks = (thread_label, parent_key)
    return thread_id is not None or any(utf16.trim(mark or "") for mark in marks) or has_thread_mark(key)


def has_thread_mark(key: str) -> bool:
    """Whether ``key`` itself is that of a thread or a topic."""
    return thread_parent(key) is not None


def thread_of(key: str | None) -> tuple[str | None, str | None]:
    """The conversation a thread hangs on and the thread's id; ``key`` and None where it is no thread.

    A thread without an id has None.
    """
    base = thread_parent(key or "")
    if key is None or base is None:
        return key, None
    return base, utf16.trim(key[len(base) :].split(":", 2)[2]) or None


def channel_reset(session: Mapping[str, JsonValue], channel: str | None) -> Mapping[str, JsonValue] | None:
    """What ``session.resetByChannel`` says for ``channel``, in any case; None where it says nothing."""
    wanted = canonical_key(channel or "")
    for name, found in object_at(session, "resetByChannel").items():
        if wanted and canonical_key(name) == wanted and isinstance(found, dict):
            return found
    return None


def reset_policy(
    session: Mapping[str, JsonValue],
    kind: ResetType,
    data: ResetData,
    *,
    by_channel: Mapping[str, JsonValue] | None = None,
    zero_is_never: bool = False,
) -> ResetPolicy:
    """What the object ``session`` of the configuration says for conversations of ``kind``.

    ``by_channel`` (:func:`channel_reset`) replaces all the rest. ``zero_is_never`` is for 2026.4.15 and
    later: 0 idle minutes mean none, where before they meant one.
    """
    base = by_channel if by_channel is not None else _reset(session, "reset")
    own = None if by_channel is not None else _by_type(session, kind)
    old_idle = None if by_channel is not None else session.get("idleMinutes")
    has_types = by_channel is None and isinstance(session.get("resetByType"), dict)
    only_old_idle = base is None and not has_types and old_idle is not None
    mode = _mode(own) or _mode(base) or ("idle" if only_old_idle else data.mode)
    hour = _first(own, base, "atHour")
    idle = _first(own, base, "idleMinutes")
    idle = old_idle if idle is None else idle
    minutes = data.idle_minutes if idle is None and mode == "idle" else None
    if idle is not None and (floored := whole_number(idle, -1_000_000_000)) is not None:
        least = 0 if zero_is_never else 1
        minutes = max(floored, least) or None
    return ResetPolicy(mode, _hour(hour, data), minutes, _source(by_channel, own, base, old_idle))


def _source(
    by_channel: Mapping[str, JsonValue] | None,
    own: Mapping[str, JsonValue] | None,
    base: Mapping[str, JsonValue] | None,
    old_idle: JsonValue,
) -> PolicySource:
    if by_channel is not None:
        return "channel"
    if own is not None:
        return "type"
    if base is not None:
        return "reset"
    return "default" if old_idle is None else "idle-minutes"


def _reset(session: Mapping[str, JsonValue], *names: str) -> Mapping[str, JsonValue] | None:
    found = value_at(session, *names)
    return found if isinstance(found, dict) else None


def _by_type(session: Mapping[str, JsonValue], kind: ResetType) -> Mapping[str, JsonValue] | None:
    found = _reset(session, "resetByType", kind)
    return _reset(session, "resetByType", "dm") if found is None and kind == "direct" else found


def _mode(reset: Mapping[str, JsonValue] | None) -> ResetMode | None:
    match (reset or {}).get("mode"):
        case "daily" | "idle" as mode:
            return mode
        case _:
            return None


def _first(own: Mapping[str, JsonValue] | None, base: Mapping[str, JsonValue] | None, name: str) -> JsonValue:
    found = (own or {}).get(name)
    return (base or {}).get(name) if found is None else found


def _hour(value: JsonValue, data: ResetData) -> int:
    found = whole_number(value, -1_000_000_000)
    return data.at_hour if found is None else min(max(found, 0), 23)
