"""Which messages stand word for word behind a summary of OpenClaw, and as which lines?

Source: openclaw.md 8.7; openclaw/openclaw src/agents/pi-hooks/compaction-safeguard.ts. Lengths are UTF-16
units.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from agentbrief.jsonio import JsonValue
from agentbrief.profiles.openclaw_data import StoreSummaryData
from agentbrief.sessions.pi.context import RawMessage
from agentbrief.sessions.pi.messages import CALL_TYPES, result_call_id
from agentbrief.text import utf16

UNNAMED_TOOL = "tool"

_CUT = "..."


def preserved_turns(
    messages: Sequence[RawMessage], turns: int, data: StoreSummaryData
) -> tuple[RawMessage, ...]:
    """The last ``turns`` turns of users and assistants, with the results of their calls.

    A turn begins with a user. Where there are fewer users, all of them, and the newest messages until there
    are two a turn.
    """
    talk = [i for i, message in enumerate(messages) if message.get("role") in ("user", "assistant")]
    users = [i for i in talk if messages[i].get("role") == "user"]
    if turns <= 0 or not talk:
        return ()
    if len(users) >= turns:
        kept = {index for index in talk if index >= users[-turns]}
    else:
        kept = set(users)
        for index in reversed(talk):
            kept.add(index)
            if len(kept) >= turns * data.messages_per_turn:
                break
    called = {identifier for index in kept for identifier in _called(messages[index])}
    first = min(kept)
    kept |= {
        index
        for index in range(first, len(messages))
        if messages[index].get("role") == "toolResult" and result_call_id(messages[index]) in called
    }
    return tuple(messages[index] for index in sorted(kept))


def turn_lines(messages: Iterable[RawMessage], data: StoreSummaryData) -> list[str]:
    """A list item for each user, assistant and tool result that says anything."""
    lines: list[str] = []
    for message in messages:
        speaker = _speaker(message)
        content = message.get("content")
        told = [part for part in (trimmed_text(content), _other_content(content)) if part]
        if speaker is None or not told:
            continue
        text = "\n".join(told)
        if utf16.length(text) > data.line_chars:
            text = utf16.head(text, data.line_chars) + _CUT
        lines.append(f"- {speaker}: {text}")
    return lines


def tool_name(message: Mapping[str, JsonValue]) -> str:
    """The name of the tool that gave a result."""
    name = message.get("toolName")
    return name if isinstance(name, str) and utf16.trim(name) else UNNAMED_TOOL


def trimmed_text(content: JsonValue) -> str:
    """The words of a content, each block trimmed, joined by LF."""
    if isinstance(content, str):
        return utf16.trim(content)
    blocks = content if isinstance(content, list) else []
    texts = (block.get("text") for block in blocks if isinstance(block, dict))
    return "\n".join(trimmed for text in texts if isinstance(text, str) and (trimmed := utf16.trim(text)))


def _speaker(message: Mapping[str, JsonValue]) -> str | None:
    match message.get("role"):
        case "user":
            return "User"
        case "assistant":
            return "Assistant"
        case "toolResult":
            return f"Tool result ({tool_name(message)})"
        case _:
            return None


def _other_content(content: JsonValue) -> str:
    """A note of the blocks that are no text."""
    if content is None or isinstance(content, str):
        return ""
    if not isinstance(content, list):
        return "[non-text content]"
    counts: dict[str, int] = {}
    for block in content:
        kind = block.get("type") if isinstance(block, dict) else "text"
        name = kind if isinstance(kind, str) and utf16.trim(kind) else "unknown"
        if name != "text":
            counts[name] = counts.get(name, 0) + 1
    told = ", ".join(name if count == 1 else f"{name} x{count}" for name, count in counts.items())
    return f"[non-text content: {told}]" if told else ""


def _called(message: Mapping[str, JsonValue]) -> Iterable[str]:
    content = message.get("content")
    if message.get("role") != "assistant" or not isinstance(content, list):
        return
    for block in content:
        if isinstance(block, dict) and block.get("type") in CALL_TYPES:
            identifier = block.get("id")
            if isinstance(identifier, str):
                yield identifier
