"""How is a session written as JSON: its messages, its place in a list, its status, its faults?

The contracts of ``sessions … --json`` (cli.md) and of ``agentbrief/didChangeSession`` (lsp.md 8): keys are
only ever added.
"""

from __future__ import annotations

from collections.abc import Iterable

from agentbrief.jsonio import JsonValue
from agentbrief.redact import mask, secrets
from agentbrief.sessions.context_used import ContextUsed, SessionStatus
from agentbrief.sessions.model import (
    ContentBlock,
    Damage,
    Message,
    Opaque,
    Text,
    Thinking,
    ToolResult,
    ToolUse,
    Usage,
)
from agentbrief.sessions.session_items import SessionItem
from agentbrief.sessions.times import iso_time

Record = dict[str, JsonValue]


def item_record(item: SessionItem) -> Record:
    """One session of a list."""
    tokens: Record = {"used": item.used_tokens, "reported": item.is_reported, "window": item.window}
    return {
        "id": item.session_id,
        "agent": item.agent,
        "format": item.format,
        "path": item.path,
        "title": item.title,
        "turns": item.turns,
        "messages": item.messages,
        "tokens": tokens,
        "size": item.size,
        "state": item.state,
        "updated": iso_time(item.updated_ms),
        "cwd": item.cwd,
        "branch": item.branch,
        "model": item.model,
        "writable": item.writable,
        "foreign": item.is_foreign,
        "expires_in_days": item.expires_in_days,
        "problem": item.problem,
        "key": item.key,
        "parent_id": item.parent_id,
        "first": item.first,
        "last": item.last,
        "rotated": list(item.rotated),
    }


def message_record(message: Message) -> Record:
    """One message as the normalised view has it."""
    found: Record = {"role": message.role, "blocks": [block_record(block) for block in message.blocks]}
    if message.usage is not None:
        found["usage"] = usage_record(message.usage)
    optional: dict[str, str | None] = {
        "entry_id": message.id,
        "parent_id": message.parent_id,
        "time": message.time,
    }
    found |= {key: value for key, value in optional.items() if value is not None}
    if message.line:
        found["line"] = message.line
    return found


def block_record(block: ContentBlock) -> Record:
    """One block. The input of a call is a value, or the text that the file has where it is none."""
    match block:
        case Text(text):
            return {"type": "text", "text": text}
        case ToolUse(identifier, name, value, _):
            return {"type": "tool_use", "id": identifier, "name": name, "input": value}
        case ToolResult(identifier, name, output, is_error):
            return {
                "type": "tool_result",
                "tool_use_id": identifier,
                "tool_name": name,
                "output": output,
                "is_error": is_error,
            }
        case Thinking(text, signature):
            found: Record = {"type": "thinking", "thinking": text}
            return found if signature is None else {**found, "signature": signature}
        case Opaque(kind, raw):
            return {"type": kind, "raw": raw}


def usage_record(usage: Usage) -> Record:
    """What a call cost, in tokens."""
    return {
        "input_tokens": usage.input,
        "output_tokens": usage.output,
        "cache_creation_input_tokens": usage.cache_creation_input,
        "cache_read_input_tokens": usage.cache_read_input,
    }


def damage_records(damage: Iterable[Damage]) -> list[JsonValue]:
    """The faults, as ``issues`` has them."""
    return [{"line": each.line, "code": each.code, "detail": _detail(each)} for each in damage]


def tokens_record(used: ContextUsed) -> Record:
    """The tokens of the context: those counted here, and those the agent reports."""
    counted = sum(tokens for kind, tokens in used.by_kind if not (used.reported and kind == "system"))
    found: Record = {"estimated": counted}
    return {**found, "reported": used.tokens} if used.reported else found


def status_record(status: SessionStatus) -> Record:
    """How a session stands, without the address of its file."""
    by_kind: Record = {_camel(kind): tokens for kind, tokens in status.by_kind}
    return {
        "sessionId": status.session_id,
        "used": status.used,
        "reported": status.reported,
        "window": status.window,
        "byKind": by_kind,
        "compactsAt": status.compacts_at,
        "state": status.state,
    }


def masked_json(value: JsonValue) -> JsonValue:
    """``value`` with the secrets in its strings and keys masked; all other strings are as they were."""
    if isinstance(value, str):
        return mask(value) if secrets(value) else value
    if isinstance(value, dict):
        return {_masked_key(key): masked_json(item) for key, item in value.items()}
    return [masked_json(item) for item in value] if isinstance(value, list) else value


def _camel(name: str) -> str:
    first, *rest = name.split("-")
    return first + "".join(word.capitalize() for word in rest)


def _masked_key(key: str) -> str:
    return mask(key) if secrets(key) else key


def _detail(damage: Damage) -> str:
    if damage.detail:
        return damage.detail
    parts = [f"{damage.length} bytes at {damage.offset}"] if damage.length else []
    if damage.recovered:
        parts.append("holds " + ", ".join(damage.recovered))
    return ", ".join(parts)
