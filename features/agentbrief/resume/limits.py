"""How many of the last turns does a run restore, and which are they?

Source: openclaw.md 11.6; openclaw/openclaw src/agents/pi-embedded-runner/history.ts at 2026.3.2.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeVar

from agentbrief.jsonio import JsonValue
from agentbrief.resume.held import Held

_THREAD_SUFFIX = re.compile(r"(.*):(?:thread|topic):\d+", re.IGNORECASE | re.DOTALL)

_T = TypeVar("_T", bound=Held)


def history_limit(key: str, config: JsonValue) -> int | None:
    """How many user turns the settings ``config`` leave to the session ``key``; None: all.

    ``config`` is OpenClaw's whole settings file; whatever in it has another form is no limit.
    """
    parts = [part for part in key.split(":") if part]
    if len(parts) >= 3 and parts[0] == "agent":
        parts = parts[2:]
    channel = _object(_object(config, "channels"), parts[0].lower() if parts else "")
    kind = parts[1].lower() if len(parts) > 1 else ""
    if kind in ("dm", "direct"):
        peer = ":".join(parts[2:])
        suffixed = _THREAD_SUFFIX.fullmatch(peer)
        own = _object(_object(channel, "dms"), suffixed[1] if suffixed else peer)
        if "historyLimit" in own:
            return _number(own["historyLimit"])
        return _number(channel.get("dmHistoryLimit"))
    return _number(channel.get("historyLimit")) if kind in ("group", "channel") else None


def last_turns(messages: Sequence[_T], limit: int | None) -> list[_T]:
    """``messages`` from the ``limit``-th last user message on, a compaction's summary before them kept.

    All of them for no limit, one below 1, or one that is not reached.
    """
    if limit is None or limit <= 0:
        return list(messages)
    users = [index for index, held in enumerate(messages) if held.role == "user"]
    if len(users) <= limit:
        return list(messages)
    start = users[-limit]
    summaries = [held for held in messages[:start] if held.role == "compactionSummary"]
    return [*summaries[-1:], *messages[start:]]


def _object(value: JsonValue, key: str) -> dict[str, JsonValue]:
    found = value.get(key) if isinstance(value, dict) else None
    return found if isinstance(found, dict) else {}


def _number(value: JsonValue) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < 1e15:
        return None
    return int(value // 1)
