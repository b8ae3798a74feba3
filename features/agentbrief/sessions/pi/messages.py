"""Which messages of a pi or OpenClaw transcript does a person see, in file order and whatever the branch?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from agentbrief import jsonio
from agentbrief.jsonio import JsonValue
from agentbrief.sessions.model import (
    ContentBlock,
    Message,
    Opaque,
    Role,
    Text,
    Thinking,
    ToolResult,
    ToolUse,
    Usage,
)
from agentbrief.sessions.pi.command_text import command_text
from agentbrief.sessions.pi.context import message_of
from agentbrief.sessions.tree import TreeEntry

CALL_TYPES = ("toolCall", "toolUse", "functionCall")
"""The block types that call a tool; ``toolCall`` is the one that is written."""

_ROLES: dict[str, Role] = {
    "user": "user",
    "assistant": "assistant",
    "toolResult": "tool",
    "bashExecution": "user",
    "custom": "user",
    "hookMessage": "user",
}
_SHOWN_APART = frozenset(("role", "content", "usage", "timestamp", "output", "command", "summary"))


def messages_of(entries: Iterable[TreeEntry]) -> tuple[Message, ...]:
    """A message for each entry that has one, summaries among them with the role system.

    ``extra`` holds the entry's ``type``, the role as the file has it, and the message's other keys.
    """
    found: list[Message] = []
    for entry in entries:
        raw = entry.value if entry.type == "compaction" else message_of(entry)
        if raw is not None:
            found.append(_message(entry, raw))
    return tuple(found)


def usage_of(messages: Iterable[Message]) -> Usage:
    """What all calls cost, copies of replies that were only delivered left out."""
    parts = [message.usage for message in messages if message.usage is not None]
    return Usage(
        sum(part.input for part in parts),
        sum(part.output for part in parts),
        sum(part.cache_creation_input for part in parts),
        sum(part.cache_read_input for part in parts),
    )


def is_delivery_mirror(message: Mapping[str, JsonValue]) -> bool:
    """Whether an assistant message only repeats what was delivered; no model was called for it."""
    return message.get("provider") == "openclaw" and message.get("model") == "delivery-mirror"


def call_input(block: Mapping[str, JsonValue]) -> JsonValue:
    """The input of a tool call, None where it has none."""
    return block["arguments"] if "arguments" in block else block.get("input")


def result_call_id(message: Mapping[str, JsonValue]) -> str | None:
    """The identifier of the call that a tool result answers, by its present or its old name."""
    for key in ("toolCallId", "toolUseId"):
        found = message.get(key)
        if isinstance(found, str) and found:
            return found
    return None


def text_of(content: JsonValue) -> str:
    """The words of a message's content, text blocks joined by a line end."""
    if isinstance(content, str):
        return content
    blocks = content if isinstance(content, list) else []
    return "\n".join(
        text
        for block in blocks
        if isinstance(block, dict)
        and block.get("type") == "text"
        and isinstance(text := block.get("text"), str)
    )


def _message(entry: TreeEntry, raw: Mapping[str, JsonValue]) -> Message:
    role = raw.get("role")
    if entry.type == "message" and isinstance(role, str):
        shown: Role = _ROLES.get(role, "system")
    else:
        shown = "user" if entry.type == "custom_message" else "system"
    time = entry.value.get("timestamp")
    extra = {key: value for key, value in raw.items() if key not in _SHOWN_APART}
    if entry.type == "compaction":
        extra = {key: value for key, value in extra.items() if key not in ("id", "parentId")}
    else:
        extra["role"] = role
    return Message(
        shown,
        _blocks(raw),
        _usage(raw) if role == "assistant" and not is_delivery_mirror(raw) else None,
        entry.id,
        entry.parent_id,
        time if isinstance(time, str) else None,
        entry.slice,
        entry.line,
        {**extra, "type": entry.type},
    )


def _blocks(raw: Mapping[str, JsonValue]) -> tuple[ContentBlock, ...]:
    content = raw.get("content")
    if raw.get("role") == "bashExecution":
        return (Text(command_text(raw)),)
    if "content" not in raw:
        summary = raw.get("summary")
        return (Text(summary),) if isinstance(summary, str) else ()
    if raw.get("role") == "toolResult":
        name = raw.get("toolName")
        result = ToolResult(
            result_call_id(raw) or "",
            name if isinstance(name, str) else "",
            text_of(content),
            raw.get("isError") is True,
        )
        others = content if isinstance(content, list) else []
        rest = tuple(block for item in others if not isinstance(block := _block(item), Text))
        return (result, *rest)
    if isinstance(content, str):
        return (Text(content),)
    return tuple(_block(item) for item in content) if isinstance(content, list) else ()


def _block(item: JsonValue) -> ContentBlock:
    if not isinstance(item, dict):
        return Opaque("", item)
    kind = item.get("type")
    text = item.get("text")
    if kind == "text" and isinstance(text, str):
        return Text(text)
    thinking = item.get("thinking")
    if kind == "thinking" and isinstance(thinking, str):
        signature = item.get("thinkingSignature")
        return Thinking(thinking, signature if isinstance(signature, str) else None)
    if kind in CALL_TYPES:
        given = call_input(item)
        return ToolUse(_string(item, "id"), _string(item, "name"), given, _compact(given))
    return Opaque(kind if isinstance(kind, str) else "", item)


def _compact(value: JsonValue) -> str:
    try:
        return jsonio.dumps(value).decode("utf-8", errors="replace")
    except RecursionError:
        return "…"


def _string(value: Mapping[str, JsonValue], key: str) -> str:
    found = value.get(key)
    return found if isinstance(found, str) else ""


def _usage(raw: Mapping[str, JsonValue]) -> Usage | None:
    usage = raw.get("usage")
    if not isinstance(usage, dict):
        return None
    return Usage(*(_tokens(usage, key) for key in ("input", "output", "cacheWrite", "cacheRead")))


def _tokens(usage: Mapping[str, JsonValue], key: str) -> int:
    found = usage.get(key)
    if isinstance(found, bool) or not isinstance(found, int | float) or not 0 <= found < 1e18:
        return 0
    return int(found)
