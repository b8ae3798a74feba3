"""What of a message is told at which level of detail?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

from agentbrief import jsonio
from agentbrief.history.guard import size_of
from agentbrief.jsonio import JsonValue
from agentbrief.sessions.model import ContentBlock, Message, Opaque, Text, Thinking, ToolResult, ToolUse

Level = Literal["messages", "tools", "everything"]
LEVELS: tuple[Level, ...] = ("messages", "tools", "everything")

DEEPEST_JSON_LEVELS = 8
"""How deep JSON is shown; what lies below is an ellipsis."""

_MEDIA_KEYS = ("media_type", "mimeType", "mime_type")


class Say(Protocol):
    """The sentence for a message identifier, in the reader's language."""

    def __call__(self, message: str, /, **arguments: str | int) -> str:
        """The sentence."""
        ...


@dataclass(frozen=True, slots=True)
class Part:
    """One body of a message. ``label`` is the identifier of the words before it, "" for none; ``name`` goes
    into them. ``folds``: the body is opened on demand.
    """

    body: str
    label: str = ""
    name: str = ""
    folds: bool = False


def parts(message: Message, level: Level) -> tuple[Part, ...]:
    """The bodies of ``message`` that are told at ``level``, in order; texts are as the session holds them.

    ``messages``: what the user and the agent said. ``tools``: calls and results too, folded. ``everything``:
    nothing folded, and system messages, thoughts and blocks of other kinds.
    """
    if message.role == "system" and level != "everything":
        return ()
    return tuple(part for block in message.blocks if (part := _part(block, level)))


def _part(block: ContentBlock, level: Level) -> Part | None:
    if isinstance(block, Text):
        return Part(block.text)
    if isinstance(block, Opaque) and block.type == "image":
        return Part(_picture(block.raw))
    if level == "messages":
        return None
    folds = level == "tools"
    match block:
        case ToolUse(name=name, input=value, stored=stored):
            return Part(_readable(value, stored), "history.call", name, folds)
        case ToolResult(tool_name=name, output=output, is_error=is_error):
            return Part(output, "history.failed" if is_error else "history.result", name, folds)
        case Thinking(text) if not folds:
            return Part(text, "history.thinking")
        case Opaque(kind, raw) if not folds:
            return Part(_readable(raw, ""), "history.other", kind)
        case _:
            return None


def _readable(value: JsonValue, stored: str) -> str:
    """JSON on several lines, anything else as it was stored."""
    if not isinstance(value, dict | list):
        return stored
    return jsonio.dumps_pretty(_shown(value, DEEPEST_JSON_LEVELS))


def _shown(value: JsonValue, levels: int) -> JsonValue:
    if not isinstance(value, dict | list) or not value:
        return value
    if not levels:
        return "{…}" if isinstance(value, dict) else "[…]"
    if isinstance(value, list):
        return [_shown(item, levels - 1) for item in value]
    media = _media(value)
    return {
        key: size_of(item, "data")
        if media and key == "data" and isinstance(item, str)
        else _shown(item, levels - 1)
        for key, item in value.items()
    }


def _media(value: dict[str, JsonValue]) -> bool:
    return value.get("type") == "base64" or any(key in value for key in _MEDIA_KEYS)


def _picture(raw: JsonValue) -> str:
    """The size of a picture, whose data stand in the block itself or in its source."""
    source = raw.get("source", raw) if isinstance(raw, dict) else None
    data = source.get("data") if isinstance(source, dict) else None
    return size_of(data) if isinstance(data, str) else "[image]"
