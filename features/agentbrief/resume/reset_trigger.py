"""Does a message ask for a new session, and what of it is left as the first message?

Source: openclaw.md 6.2; openclaw/openclaw ``src/auto-reply/reply/session.ts``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from agentbrief.jsonio import JsonValue
from agentbrief.profiles.openclaw_data import ResetData
from agentbrief.text import utf16


def reset_triggers(session: Mapping[str, JsonValue], data: ResetData) -> tuple[str, ...]:
    """The words that start a new session: ``session.resetTriggers``, or the usual ones."""
    configured = session.get("resetTriggers")
    found = [word for word in configured if isinstance(word, str)] if isinstance(configured, list) else []
    return tuple(found) or data.triggers


def rest_after_trigger(body: str, triggers: Sequence[str]) -> str | None:
    """What follows the trigger that ``body`` begins with, empty if nothing does; None without a trigger.

    Any case; a trigger ends with the text or before a blank.
    """
    text = utf16.trim(body)
    for trigger in triggers:
        if not trigger or text[: len(trigger)].lower() != trigger.lower():
            continue
        rest = text[len(trigger) :]
        if not rest or rest[0] in utf16.JS_WHITE_SPACE:
            return utf16.trim_start(rest)
    return None
