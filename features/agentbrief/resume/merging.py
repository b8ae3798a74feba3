"""How are messages of one role that follow each other made one, and whose fields does that one keep?

Source: openclaw.md 11.5; openclaw/openclaw src/agents/pi-embedded-helpers/turns.ts at 2026.3.2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from agentbrief.jsonio import JsonValue
from agentbrief.resume.held import Held
from agentbrief.sessions.pi.context import RawMessage

_OF_THE_LATER = ("usage", "stopReason", "errorMessage")


def merged_assistants(messages: Iterable[Held]) -> list[Held]:
    """``messages``, assistants in a row joined onto the first of them."""
    return _merged(messages, "assistant", _onto_earlier)


def merged_users(messages: Iterable[Held]) -> list[Held]:
    """``messages``, users in a row joined onto the last of them."""
    return _merged(messages, "user", _onto_later)


def blocks_of(message: RawMessage) -> list[JsonValue]:
    """The content as a list of blocks; a text is one block."""
    content = message.get("content")
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return content if isinstance(content, list) else []


def _merged(messages: Iterable[Held], role: str, join: Callable[[Held, Held], Held]) -> list[Held]:
    found: list[Held] = []
    for held in messages:
        if found and held.role == role and found[-1].role == role:
            found[-1] = join(found[-1], held)
        else:
            found.append(held)
    return found


def _onto_later(earlier: Held, later: Held) -> Held:
    value: RawMessage = {**later.value, "content": blocks_of(earlier.value) + blocks_of(later.value)}
    if later.value.get("timestamp") is None and earlier.value.get("timestamp") is not None:
        value["timestamp"] = earlier.value["timestamp"]
    return Held(value, later.origin)


def _onto_earlier(earlier: Held, later: Held) -> Held:
    newer = {key: later.value[key] for key in _OF_THE_LATER if later.value.get(key)}
    content: list[JsonValue] = blocks_of(earlier.value) + blocks_of(later.value)
    return Held({**earlier.value, "content": content, **newer}, earlier.origin)
