"""What does the entry of a session hold after it went on, or started anew?

Source: openclaw.md 6.4. What tells the conversation (chat, route, names that are not known here) stays;
counters and notes on the old transcript do not.
"""

from __future__ import annotations

from collections.abc import Mapping

from agentbrief.jsonio import JsonValue
from agentbrief.sessions.store.entries import StoreEntry
from agentbrief.sessions.store.fields import FIELDS, names_in

KEPT_ON_REQUEST = (
    "thinkingLevel",
    "verboseLevel",
    "reasoningLevel",
    "ttsAuto",
    "modelOverride",
    "providerOverride",
    "label",
)
"""What a new session keeps when the user asked for it."""

_OF_THE_CONVERSATION = frozenset(names_in("chat", "route", "old names")) - {"label"}


def continued_entry(entry: StoreEntry, session_file: str, now_ms: int) -> dict[str, JsonValue]:
    """The entry of a session that goes on: all its fields, and the time."""
    found = dict(entry.value) if isinstance(entry.value, dict) else {}
    found["updatedAt"] = entry.touched_ms(now_ms)
    found["sessionFile"] = session_file
    found["systemSent"] = entry.flag("systemSent") is True
    found["abortedLastRun"] = entry.flag("abortedLastRun") is True
    return found


def fresh_entry(
    old: StoreEntry | None, session_id: str, session_file: str, now_ms: int, *, on_request: bool
) -> dict[str, JsonValue]:
    """The entry of a session that starts anew in place of ``old``."""
    found: dict[str, JsonValue] = {
        "sessionId": session_id,
        "updatedAt": now_ms,
        "systemSent": False,
        "abortedLastRun": False,
    }
    value: Mapping[str, JsonValue] = old.value if old is not None and isinstance(old.value, dict) else {}
    for name, kept in value.items():
        if name not in FIELDS or name in _OF_THE_CONVERSATION or (on_request and name in KEPT_ON_REQUEST):
            found[name] = kept
    found["sessionFile"] = session_file
    found["compactionCount"] = 0
    return found
