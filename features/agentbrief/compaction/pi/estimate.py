"""How many tokens has a message, or a whole context, of pi?

pi's own formula: UTF-16 units / 4, rounded up for each message. A context is counted from the last usage that
a provider reported, and only what follows is estimated. Source: openclaw.md 8.3; badlogic/pi-mono
packages/coding-agent/src/core/compaction/compaction.ts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from agentbrief import jsonio
from agentbrief.jsonio import JsonValue
from agentbrief.profiles.openclaw_data import StoreSummaryData
from agentbrief.sessions.pi.context import RawMessage
from agentbrief.sessions.pi.messages import CALL_TYPES, call_input, is_delivery_mirror
from agentbrief.sessions.store.fields import is_number
from agentbrief.text import utf16

_USAGE_PARTS = ("input", "output", "cacheRead", "cacheWrite")


@dataclass(frozen=True, slots=True)
class ContextEstimate:
    """Tokens of a context: ``usage_tokens`` a provider reported, ``trailing_tokens`` are estimated.

    ``last_usage_index`` is that of the message with the usage, None where all is estimated.
    """

    tokens: int
    usage_tokens: int
    trailing_tokens: int
    last_usage_index: int | None


def message_tokens(message: Mapping[str, JsonValue], data: StoreSummaryData) -> int:
    """The tokens of one message; 0 for a role that is not known."""
    return -(-_chars(message, data) // data.chars_per_token)


def messages_tokens(messages: Iterable[Mapping[str, JsonValue]], data: StoreSummaryData) -> int:
    """The tokens of ``messages``, each rounded up on its own."""
    return sum(message_tokens(message, data) for message in messages)


def context_estimate(messages: Sequence[RawMessage], data: StoreSummaryData) -> ContextEstimate:
    """The tokens of the context that ``messages`` make. Those before the last usage are not looked at."""
    trailing = 0
    for index in range(len(messages) - 1, -1, -1):
        message = messages[index]
        if reported := usage_tokens(message):
            return ContextEstimate(reported + trailing, reported, trailing, index)
        trailing += message_tokens(message, data)
    return ContextEstimate(trailing, 0, trailing, None)


def usage_tokens(message: Mapping[str, JsonValue]) -> int:
    """The tokens of the context that a reply reports; 0 for one that failed or reports nothing."""
    usage = message.get("usage")
    if message.get("role") != "assistant" or not isinstance(usage, dict):
        return 0
    if message.get("stopReason") in ("aborted", "error") or is_delivery_mirror(message):
        return 0
    return _whole(usage.get("totalTokens")) or sum(_whole(usage.get(part)) for part in _USAGE_PARTS)


def _chars(message: Mapping[str, JsonValue], data: StoreSummaryData) -> int:
    match message.get("role"):
        case "user" | "toolResult" | "custom" | "system":
            return _content_chars(message.get("content"), data)
        case "assistant":
            return _reply_chars(message.get("content"))
        case "bashExecution":
            return _length(message.get("command")) + _length(message.get("output"))
        case "branchSummary" | "compactionSummary":
            return _length(message.get("summary"))
        case _:
            return 0


def _content_chars(content: JsonValue, data: StoreSummaryData) -> int:
    if not isinstance(content, list):
        return _length(content)
    chars = 0
    for block in content:
        if not isinstance(block, dict):
            continue
        if block.get("type") == "text":
            chars += _length(block.get("text"))
        elif block.get("type") == "image":
            chars += data.image_chars
    return chars


def _reply_chars(content: JsonValue) -> int:
    if not isinstance(content, list):
        return _length(content)
    chars = 0
    for block in content:
        if not isinstance(block, dict):
            continue
        kind = block.get("type")
        if kind in ("text", "thinking"):
            chars += _length(block.get(kind))
        elif kind in CALL_TYPES:
            chars += _length(block.get("name")) + _json_chars(call_input(block))
    return chars


def _json_chars(value: JsonValue) -> int:
    if value is None:
        return 0
    try:
        written = jsonio.dumps(value)
    except RecursionError:
        return 0
    return len(written) if written.isascii() else utf16.length(written.decode("utf-8"))


def _length(value: JsonValue) -> int:
    return utf16.length(value) if isinstance(value, str) else 0


def _whole(value: JsonValue) -> int:
    return int(value) if isinstance(value, int | float) and is_number(value) and value > 0 else 0
