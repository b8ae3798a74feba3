"""How does a conversation read as one text, for a model that is to summarise it?

As text, and not as messages, so that the model does not go on with it. Source: openclaw.md 8.6, 8.13;
badlogic/pi-mono packages/coding-agent/src/core/compaction/utils.ts. Lengths are UTF-16 units.
"""

from __future__ import annotations

from collections.abc import Iterable

from agentbrief import jsonio
from agentbrief.jsonio import JsonValue
from agentbrief.profiles.openclaw_data import StoreSummaryData
from agentbrief.sessions.pi.context import RawMessage, provider_view
from agentbrief.sessions.pi.messages import CALL_TYPES, call_input, text_of
from agentbrief.text import utf16


def conversation_text(messages: Iterable[RawMessage], data: StoreSummaryData) -> str:
    """``messages`` one after another, a blank line between two; no thinking, no images."""
    parts: list[str] = []
    for message in provider_view(messages):
        role = message.get("role")
        text = text_of(message.get("content"))
        if role == "user" and text:
            parts.append(f"[User]: {text}")
        elif role == "toolResult" and text:
            parts.append(f"[Tool result]: {_shortened(text, data.tool_result_chars)}")
        elif role == "assistant":
            if text:
                parts.append(f"[Assistant]: {text}")
            if calls := _calls(message.get("content")):
                parts.append(f"[Assistant tool calls]: {'; '.join(calls)}")
    return "\n\n".join(parts)


def _shortened(text: str, most: int) -> str:
    if utf16.length(text) <= most:
        return text
    kept = utf16.head(text, most)
    more = utf16.length(text) - utf16.length(kept)
    return f"{kept}\n\n[... {more} more characters truncated]"


def _calls(content: JsonValue) -> list[str]:
    blocks = content if isinstance(content, list) else []
    return [
        f"{name if isinstance(name := block.get('name'), str) else ''}({_arguments(call_input(block))})"
        for block in blocks
        if isinstance(block, dict) and block.get("type") in CALL_TYPES
    ]


def _arguments(given: JsonValue) -> str:
    if isinstance(given, dict):
        return ", ".join(f"{name}={_written(value)}" for name, value in given.items())
    return "" if given is None else _written(given)


def _written(value: JsonValue) -> str:
    try:
        return jsonio.dumps(value).decode("utf-8", errors="replace")
    except RecursionError:
        return "…"
