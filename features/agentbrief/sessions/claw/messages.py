"""What is a message of the Claw family as a JSON value, and which value is no message?

The files of claw-code and of the workspace's own sessions hold the same messages (claw.md 5.1, 5.2).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from agentbrief import jsonio
from agentbrief.jsonio import JsonValue
from agentbrief.sessions.claw.redaction import AS_IT_IS, Spelling
from agentbrief.sessions.claw.text import compact_text
from agentbrief.sessions.model import (
    ContentBlock,
    Message,
    Opaque,
    Role,
    Slice,
    Text,
    Thinking,
    ToolResult,
    ToolUse,
    Usage,
)

Object = Mapping[str, JsonValue]

ROLES = frozenset({"system", "user", "assistant", "tool"})
MAX_UINT32 = (1 << 32) - 1
MAX_UINT64 = (1 << 64) - 1

_USAGE_KEYS = ("input_tokens", "output_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
_MESSAGE_KEYS = frozenset({"role", "blocks", "usage"})


class Fault(ValueError):
    """A value that the format refuses: the word for it, the part that is wrong, and its line (0: no line)."""

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(f"{code}: {detail}" if detail else code)
        self.code = code
        self.detail = detail
        self.line = 0


@dataclass(frozen=True, slots=True)
class Leniency:
    """What more than claw-code's own rule a reader takes.

    ``input_objects``: a tool input that is an object. ``unknown_blocks``: a block of an unknown type, kept as
    it is.
    """

    input_objects: bool = True
    unknown_blocks: bool = False


EXACT = Leniency(input_objects=False)
STRICT = Leniency()
LENIENT = Leniency(unknown_blocks=True)


def message_of(
    value: JsonValue, leniency: Leniency = STRICT, *, slice: Slice | None = None, line: int = 0
) -> Message:
    """The message that ``value`` is; keys that the format does not know are in ``extra``.

    Raises:
        Fault: it is none.
    """
    if not isinstance(value, dict):
        raise Fault("bad-message", "no object")
    role = value.get("role")
    if not isinstance(role, str) or role not in ROLES:
        raise Fault("bad-role", role if isinstance(role, str) else "")
    blocks = value.get("blocks")
    if not isinstance(blocks, list):
        raise Fault("bad-message", "blocks")
    return Message(
        cast("Role", role),
        tuple(_block(block, leniency) for block in blocks),
        usage=_usage(value["usage"]) if "usage" in value else None,
        slice=slice,
        line=line,
        extra={key: item for key, item in value.items() if key not in _MESSAGE_KEYS},
    )


def has_input_object(value: JsonValue) -> bool:
    """Whether a tool input of the message ``value`` is an object, which claw-code refuses."""
    blocks = value.get("blocks") if isinstance(value, dict) else None
    return isinstance(blocks, list) and any(
        isinstance(block, dict) and block.get("type") == "tool_use" and isinstance(block.get("input"), dict)
        for block in blocks
    )


def _block(value: JsonValue, leniency: Leniency) -> ContentBlock:
    if not isinstance(value, dict):
        raise Fault("bad-block", "no object")
    kind = value.get("type")
    match kind:
        case "text":
            return Text(text_in(value, "text", "bad-block"))
        case "thinking":
            signature = value.get("signature")
            return Thinking(
                text_in(value, "thinking", "bad-block"), signature if isinstance(signature, str) else None
            )
        case "tool_use":
            return _tool_use(value, leniency)
        case "tool_result":
            is_error = value.get("is_error")
            if not isinstance(is_error, bool):
                raise Fault("bad-block", "is_error")
            return ToolResult(
                text_in(value, "tool_use_id", "bad-block"),
                text_in(value, "tool_name", "bad-block"),
                text_in(value, "output", "bad-block"),
                is_error,
            )
        case str() if leniency.unknown_blocks:
            return Opaque(kind, value)
        case _:
            raise Fault("bad-block", kind if isinstance(kind, str) else "type")


def _tool_use(value: Object, leniency: Leniency) -> ToolUse:
    given = value.get("input")
    if isinstance(given, dict) and leniency.input_objects:
        stored, parsed = compact_text(given), cast("JsonValue", given)
    else:
        stored = text_in(value, "input", "bad-block")
        parsed = _value_or_text(stored)
    return ToolUse(text_in(value, "id", "bad-block"), text_in(value, "name", "bad-block"), parsed, stored)


def _value_or_text(text: str) -> JsonValue:
    try:
        return jsonio.loads(text)
    except ValueError:
        return text


def _usage(value: JsonValue) -> Usage:
    if not isinstance(value, dict):
        raise Fault("bad-usage")
    return Usage(*(number_in(value, key, "bad-usage", MAX_UINT32) for key in _USAGE_KEYS))


def text_in(value: Object, key: str, code: str) -> str:
    """The text under ``key``; raises Fault."""
    found = value.get(key)
    if not isinstance(found, str):
        raise Fault(code, key)
    return found


def number_in(value: Object, key: str, code: str, most: int = MAX_UINT64) -> int:
    """The integer under ``key``, from 0 to ``most``; raises Fault. A float or a boolean is none."""
    found = value.get(key)
    if isinstance(found, bool) or not isinstance(found, int) or not 0 <= found <= most:
        raise Fault(code, key)
    return found


def message_value(
    message: Message, spelling: Spelling = AS_IT_IS, raw: JsonValue = None
) -> dict[str, JsonValue]:
    """``message`` as the value that a file holds.

    ``raw`` is the value it was read from: keys that the format does not know, in blocks too, are taken from
    there.
    """
    kept: dict[str, JsonValue] = {}
    raw_blocks: list[JsonValue] = []
    raw_usage: JsonValue = None
    if spelling.keeps_unknown:
        kept = dict(message.extra)
        if isinstance(raw, dict):
            found = raw.get("blocks")
            raw_blocks = found if isinstance(found, list) else []
            raw_usage = raw.get("usage")
    if len(raw_blocks) != len(message.blocks):
        raw_blocks = [None] * len(message.blocks)
    kept["role"] = message.role
    kept["blocks"] = [
        _unknown_of(raw_block) | _block_value(block, spelling)
        for block, raw_block in zip(message.blocks, raw_blocks, strict=True)
    ]
    if message.usage is not None:
        kept["usage"] = _unknown_of(raw_usage) | _usage_value(message.usage)
    return kept


def _unknown_of(raw: JsonValue) -> dict[str, JsonValue]:
    return raw if isinstance(raw, dict) else {}


def _block_value(block: ContentBlock, spelling: Spelling) -> dict[str, JsonValue]:
    match block:
        case Text(text):
            return {"type": "text", "text": spelling.content(text)}
        case Thinking(text, signature):
            found: dict[str, JsonValue] = {"type": "thinking", "thinking": spelling.content(text)}
            if signature is not None:
                found["signature"] = spelling.identifier(signature)
            return found
        case ToolUse(id=identifier, name=name, stored=stored):
            return {
                "type": "tool_use",
                "id": spelling.identifier(identifier),
                "name": name,
                "input": spelling.content(stored),
            }
        case ToolResult(identifier, name, output, is_error):
            return {
                "type": "tool_result",
                "tool_use_id": spelling.identifier(identifier),
                "tool_name": name,
                "output": spelling.content(output),
                "is_error": is_error,
            }
        case Opaque(kind, raw):
            return {**_unknown_of(raw), "type": kind}


def _usage_value(usage: Usage) -> dict[str, JsonValue]:
    parts = (usage.input, usage.output, usage.cache_creation_input, usage.cache_read_input)
    return dict(zip(_USAGE_KEYS, parts, strict=True))


def texts_of(message: Message) -> tuple[str, ...]:
    """The texts of ``message`` that a writer masks and cuts: words, thoughts, inputs and outputs."""
    found: list[str] = []
    for block in message.blocks:
        match block:
            case Text(text) | Thinking(text):
                found.append(text)
            case ToolUse(stored=stored):
                found.append(stored)
            case ToolResult(output=output):
                found.append(output)
            case Opaque():
                pass
    return tuple(found)
