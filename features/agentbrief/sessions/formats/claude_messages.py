"""Which messages of a Claude Code transcript does a person see, in file order and whatever the branch?

One line of the file is one message, so that a view opens at its place; the lines of one reply share
``extra["message_id"]``, and the numbers of a call stand at one of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from agentbrief.disk.values import Stamp
from agentbrief.jsonio import JsonValue
from agentbrief.sessions.formats.claude_blocks import content_blocks
from agentbrief.sessions.formats.claude_entry import Value, entry_of, model_of, object_of, text_of
from agentbrief.sessions.jsonl.lines import BadLine, Line, Record, damage_of
from agentbrief.sessions.model import (
    ContentBlock,
    Damage,
    Message,
    Opaque,
    Role,
    Session,
    SessionRef,
    Slice,
    Text,
    ToolResult,
    Usage,
)
from agentbrief.sessions.usage import Call, distinct, summed

_KEPT = ("isSidechain", "isMeta", "isCompactSummary", "isApiErrorMessage", "agentId", "subtype", "forkedFrom")
"""Keys of a record that a message keeps in ``extra``, beside its type."""


def session_of(
    lines: Iterable[Line], form: str, path: str, session_id: str | None, stamp: Stamp | None
) -> Session:
    """The session that ``lines`` make. ``header`` is the first record without its message."""
    damage: list[Damage] = []
    messages: list[Message] = []
    calls: list[Call] = []
    tool_names: dict[str, str] = {}
    header: Mapping[str, JsonValue] = {}
    count = parsed = 0
    torn = False
    for line in lines:
        count += 1
        if isinstance(line, BadLine):
            damage.append(damage_of(line, "uuid"))
            torn |= line.is_tail
        elif isinstance(line, Record):
            parsed += 1
            header = header or {key: value for key, value in line.value.items() if key != "message"}
            entry = entry_of(line)
            session_id = session_id or entry.session_id
            if entry.is_call and entry.usage:
                calls.append(
                    Call(line.line, entry.usage, entry.message_id, entry.request_id, entry.is_sidechain)
                )
            if message := message_of(line, tool_names):
                messages.append(message)
        else:
            damage.append(Damage(line.line, "too-long", line.offset, line.length, line.type or ""))
    kept = distinct(calls)
    stated = {call.line: call.usage for call in kept}
    return Session(
        SessionRef(path, form, session_id, False),
        header,
        tuple(_with_usage(message, stated) for message in messages),
        summed(kept),
        tuple(damage),
        stamp,
        count,
        parsed,
        torn,
    )


def message_of(record: Record, tool_names: dict[str, str], usage: Usage | None = None) -> Message | None:
    """The message that a record is; None for one without.

    ``tool_names`` has the names of the tools by the identifiers of the calls before it, and gains this one's;
    ``usage`` is what the call cost that is told here.
    """
    value = record.value
    kind = text_of(value, "type") or ""
    found = _role_and_blocks(kind, value, tool_names)
    if found is None:
        return None
    role, blocks = found
    extra: dict[str, JsonValue] = {"type": kind}
    for key in _KEPT:
        if key in value and (kept := value[key]) not in (None, False):
            extra[key] = kept
    if kind == "assistant":
        message = object_of(value, "message")
        if identifier := text_of(message, "id"):
            extra["message_id"] = identifier
        if model := model_of(value, message):
            extra["model"] = model
    return Message(
        role,
        tuple(blocks),
        usage,
        text_of(value, "uuid"),
        text_of(value, "parentUuid") or text_of(value, "logicalParentUuid"),
        text_of(value, "timestamp"),
        Slice(record.offset, record.length),
        record.line,
        extra,
    )


def _role_and_blocks(
    kind: str, value: Value, tool_names: dict[str, str]
) -> tuple[Role, list[ContentBlock]] | None:
    if kind in ("user", "assistant"):
        blocks = content_blocks(object_of(value, "message").get("content"), tool_names)
        if kind == "assistant":
            return "assistant", blocks
        if any(isinstance(block, ToolResult) for block in blocks):
            return "tool", blocks
        return ("system" if value.get("isCompactSummary") is True else "user"), blocks
    if kind == "system":
        words = text_of(value, "content")
        return "system", [Text(words) if words else Opaque(text_of(value, "subtype") or "system", value)]
    if kind == "attachment":
        attachment = object_of(value, "attachment")
        return "system", [Opaque(text_of(attachment, "type") or "attachment", attachment)]
    return None


def _with_usage(message: Message, stated: Mapping[int, Usage]) -> Message:
    usage = stated.get(message.line)
    return message if usage is None else replace(message, usage=usage)
