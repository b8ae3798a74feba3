"""What does one line of a Codex rollout say, in whichever era it was written?

Up to early September 2025 the first line is a bare ``{id, timestamp, instructions, git}`` and the others are
bare items; later each line is ``{timestamp, type, payload}``.

Source: agents.md 9.2; openai/codex codex-rs/history/src/rollout_payload.rs and
codex-rs/protocol/src/protocol.rs.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from agentbrief.jsonio import JsonValue, dumps
from agentbrief.sessions.context_used import Kind

Value = dict[str, JsonValue]

META, TURN, ITEM, EVENT, COMPACTED, STATE = (
    "session_meta", "turn_context", "response_item", "event_msg", "compacted", "state",
)  # fmt: skip

CALLS = frozenset(("function_call", "custom_tool_call", "local_shell_call", "tool_search_call"))
OUTPUTS = frozenset(("function_call_output", "custom_tool_call_output", "tool_search_output"))
_BARE_ITEMS = CALLS | OUTPUTS | frozenset(("message", "reasoning", "web_search_call", "ghost_snapshot"))

_INJECTED = (
    "<environment_context>",
    "<user_instructions>",
    "<permissions instructions>",
    "# AGENTS.md",
)
_CWD = re.compile(r"<cwd>(.*?)</cwd>|Current working directory: ([^\n]+)", re.DOTALL)
_TEXT_PARTS = frozenset(("input_text", "output_text", "text"))


class Part(NamedTuple):
    """A record without its wrapping: which kind of line it is, and what it carries."""

    type: str
    payload: Value
    time: str | None


def part_of(value: Value) -> Part:
    """The part that the line ``value`` carries; a type that is not known stays what it is."""
    time = text_at(value, "timestamp")
    payload = value.get("payload")
    if isinstance(payload, dict):
        return Part(text_at(value, "type") or "", payload, time)
    if "record_type" in value:
        return Part(STATE, value, time)
    kind = text_at(value, "type")
    if kind in _BARE_ITEMS:
        return Part(ITEM, value, time)
    if kind is None and isinstance(value.get("id"), str) and time is not None:
        return Part(META, value, time)
    return Part(kind or "", value, time)


def message_text(payload: Value) -> str:
    """The words of an item's content, or of an event's ``message``."""
    content = payload.get("content")
    if isinstance(content, list):
        return "\n".join(
            text_at(part, "text") or "" for part in content if isinstance(part, dict) and _is_text(part)
        )
    return text_at(payload, "message") or (content if isinstance(content, str) else "")


def is_injected(text: str) -> bool:
    """Whether the program wrote a message in the user's name."""
    return text.lstrip().startswith(_INJECTED)


def typed_prompt(part: Part) -> str | None:
    """What a person typed, in an event, a completed item or an item; None for any other line."""
    kind = text_at(part.payload, "type")
    payload: Value = {}
    if part.type == EVENT and kind == "item_completed":
        item = object_at(part.payload, "item")
        payload = item if text_at(item, "type") == "UserMessage" else {}
    elif (part.type == EVENT and kind == "user_message") or (
        part.type == ITEM and kind == "message" and part.payload.get("role") == "user"
    ):
        payload = part.payload
    text = message_text(payload)
    return text if text.strip() and not is_injected(text) else None


def cwd_of(part: Part) -> str | None:
    """The folder that a line names: the session's, a turn's, or the one of the environment's description."""
    if part.type in (META, TURN):
        return text_at(part.payload, "cwd")
    if part.type != ITEM or part.payload.get("role") != "user":
        return None
    text = message_text(part.payload)
    found = _CWD.search(text) if text.lstrip().startswith("<environment_context>") else None
    return (found[1] or found[2]).strip() if found else None


def sizes_of(payload: Value) -> tuple[tuple[Kind, int], ...]:
    """The code points of an item by kind."""
    kind = text_at(payload, "type")
    if kind == "message":
        text = message_text(payload)
        name: Kind = (
            "instructions"
            if is_injected(text) or payload.get("role") in ("developer", "system")
            else "messages"
        )
        return ((name, len(text)),)
    if kind in CALLS:
        given = payload.get("arguments") or payload.get("input") or payload.get("action")
        return (("tool-calls", len(given) if isinstance(given, str) else len(dumps(given))),)
    if kind in OUTPUTS:
        return (("tool-results", len(output_text(payload.get("output")))),)
    return ()


def output_text(value: JsonValue) -> str:
    """The words of a tool's output: a text, parts of text, or an object that has them."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        inner = value.get("content")
        return output_text(inner) if inner is not None else dumps(value).decode("utf-8")
    if isinstance(value, list):
        return "\n".join(text_at(part, "text") or "" for part in value if isinstance(part, dict))
    return ""


def text_at(value: Value, key: str) -> str | None:
    """The text at ``key``; None for anything else, an empty text too."""
    found = value.get(key)
    return found if isinstance(found, str) and found else None


def object_at(value: Value, key: str) -> Value:
    """The object at ``key``; an empty one for anything else."""
    found = value.get(key)
    return found if isinstance(found, dict) else {}


def count_at(value: Value, key: str) -> int:
    """The count at ``key``; 0 for anything else."""
    found = value.get(key)
    return found if isinstance(found, int) and not isinstance(found, bool) and found > 0 else 0


def _is_text(part: Value) -> bool:
    kind = text_at(part, "type")
    return kind is None or kind.lower() in _TEXT_PARTS
