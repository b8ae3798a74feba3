"""What happens to a message that comes in while a run is active?

The modes and who sets them: the message itself, the session, the configuration (openclaw.md 14;
openclaw/openclaw ``src/auto-reply/reply/queue/*``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from agentbrief.jsonio import JsonValue
from agentbrief.profiles.openclaw_data import QueueData
from agentbrief.sessions.agent_config import object_at, value_at
from agentbrief.sessions.store.entries import StoreEntry
from agentbrief.sessions.store.fields import is_number
from agentbrief.text import utf16

QueueMode = Literal["steer", "followup", "collect", "steer-backlog", "interrupt"]
DropPolicy = Literal["old", "new", "summarize"]
ActiveRun = Literal["run-now", "enqueue-followup", "drop"]

_MODES: dict[str, QueueMode] = {
    "steer": "steer",
    "steering": "steer",
    "queue": "steer",
    "queued": "steer",
    "interrupt": "interrupt",
    "interrupts": "interrupt",
    "abort": "interrupt",
    "followup": "followup",
    "follow-ups": "followup",
    "followups": "followup",
    "collect": "collect",
    "coalesce": "collect",
    "steer-backlog": "steer-backlog",
    "steer+backlog": "steer-backlog",
    "steer_backlog": "steer-backlog",
}
_DROPS: dict[str, DropPolicy] = {
    "old": "old",
    "oldest": "old",
    "new": "new",
    "newest": "new",
    "summarize": "summarize",
    "summary": "summarize",
}


@dataclass(frozen=True, slots=True)
class QueueSettings:
    """What is in force: mode, quiet time before a collected turn (ms), longest queue, what gives way."""

    mode: QueueMode
    debounce_ms: int | float
    cap: int
    drop: DropPolicy


@dataclass(frozen=True, slots=True)
class QueueChoice:
    """What a message says for itself; None = nothing."""

    mode: QueueMode | None = None
    debounce_ms: int | float | None = None
    cap: int | float | None = None
    drop: DropPolicy | None = None


def queue_mode(word: JsonValue) -> QueueMode | None:
    """The mode that ``word`` names, aliases too."""
    return _MODES.get(utf16.trim(word).lower()) if isinstance(word, str) else None


def drop_policy(word: JsonValue) -> DropPolicy | None:
    """What gives way in a full queue by ``word``, aliases too."""
    return _DROPS.get(utf16.trim(word).lower()) if isinstance(word, str) else None


def queue_settings(
    config: Mapping[str, JsonValue],
    data: QueueData,
    *,
    channel: str | None = None,
    entry: StoreEntry | None = None,
    inline: QueueChoice | None = None,
) -> QueueSettings:
    """The settings for one message, from the nearest place that says something."""
    said = inline or QueueChoice()
    fields: Mapping[str, JsonValue] = entry.fields if entry else {}
    found = object_at(config, "messages", "queue")
    name = utf16.trim(channel or "").lower()
    mode = (
        said.mode
        or queue_mode(fields.get("queueMode"))
        or queue_mode(value_at(found, "byChannel", name) if name else None)
        or queue_mode(found.get("mode"))
        or data.mode
    )
    debounce = _first_number(
        said.debounce_ms,
        fields.get("queueDebounceMs"),
        value_at(found, "debounceMsByChannel", name) if name else None,
        found.get("debounceMs"),
    )
    cap = _first_number(said.cap, fields.get("queueCap"), found.get("cap"))
    drop = said.drop or drop_policy(fields.get("queueDrop")) or drop_policy(found.get("drop")) or data.drop
    return QueueSettings(
        mode,
        data.debounce_ms if debounce is None else max(0, debounce),
        data.cap if cap is None else max(1, int(cap // 1)),
        drop,
    )


def while_active(is_active: bool, is_heartbeat: bool, wants_followup: bool, mode: QueueMode) -> ActiveRun:
    """What becomes of a message: run, wait for a turn of its own, or be dropped."""
    if not is_active:
        return "run-now"
    if is_heartbeat:
        return "drop"
    return "enqueue-followup" if wants_followup or mode == "steer" else "run-now"


def _first_number(*values: JsonValue) -> int | float | None:
    for value in values:
        if isinstance(value, int | float) and is_number(value):
            return value
    return None
