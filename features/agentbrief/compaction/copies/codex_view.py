"""What is the model sent of a Codex rollout, item by item, in the bytes of the file?

Source: agents.md 9.2 (Model view).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from agentbrief.changes.store_text import entries_of
from agentbrief.compaction.claw.array_slices import element_slices
from agentbrief.jsonio import JsonValue, loads
from agentbrief.sessions.formats.codex_messages import Turns
from agentbrief.sessions.formats.codex_records import (
    COMPACTED,
    ITEM,
    Value,
    is_injected,
    message_text,
    object_at,
    part_of,
    text_at,
)
from agentbrief.sessions.formats.codex_transcript import look
from agentbrief.sessions.formats.codex_view import Compacted, Item, model_view
from agentbrief.sessions.jsonl.lines import Record
from agentbrief.sessions.jsonl.records import read_lines
from agentbrief.sessions.model import Message

_OF_THE_PROGRAM = frozenset(("developer", "system"))


@dataclass(frozen=True, slots=True)
class ViewItem:
    """One item: its JSON text, and the message that it is; None for words that the program itself adds."""

    raw: bytes = field(repr=False)
    message: Message | None
    is_thought: bool


@dataclass(frozen=True, slots=True)
class CodexView:
    """The items in order, the summary of an earlier compaction left out, and that summary."""

    items: tuple[ViewItem, ...]
    summary: str | None
    view: tuple[Item, ...]


def codex_view_of(data: bytes, path: str, keeps_user_tokens: int) -> CodexView:
    """What the model is sent of the rollout ``data``; ``keeps_user_tokens``: see :func:`model_view`."""
    steps = look(data, path).steps
    view = model_view(steps, keeps_user_tokens)
    last = next((step for step in reversed(steps) if isinstance(step, Compacted)), None)
    wanted = {item.line for item in view}
    if last is not None:
        wanted.add(last.line)
    records = {
        line.line: line for line in read_lines((data,)) if isinstance(line, Record) and line.line in wanted
    }
    summary = _stated(records[last.line]) if last and last.line in records else None
    histories = {line: iter(_history(data, record)) for line, record in records.items()}
    turns = Turns()
    texts: list[tuple[bytes, Value]] = []
    has_summary = False
    for item in view:
        # Of a line that is damaged the agent reads nothing.
        raw = next(histories[item.line], None) if item.line in histories else None
        if raw is None:
            continue
        value = loads(raw)
        if not isinstance(value, dict):
            continue
        if summary and not has_summary and last and item.line == last.line and summary in message_text(value):
            has_summary = True
            continue
        record = records[item.line]
        turns.add(
            record._replace(line=len(texts) + 1, value=value), part_of({"type": ITEM, "payload": value})
        )
        texts.append((raw, value))
    messages = {message.line: message for message in turns.messages({})}
    items = tuple(
        ViewItem(raw, None if _is_added(value) else messages.get(number), value.get("type") == "reasoning")
        for number, (raw, value) in enumerate(texts, start=1)
    )
    is_apart = last is not None and last.history is None
    return CodexView(items, summary if has_summary or is_apart else None, view)


def _stated(record: Record) -> str | None:
    return text_at(object_at(record.value, "payload") or record.value, "message")


def _is_added(value: Value) -> bool:
    """Whether the program adds the words ``value`` by itself: rules, the environment."""
    is_message = value.get("type") == "message"
    return is_message and (text_at(value, "role") in _OF_THE_PROGRAM or is_injected(message_text(value)))


def _history(data: bytes, record: Record) -> Iterator[bytes]:
    """The items on the line of ``record``: its own, or those that replace the history."""
    line = data[record.offset : record.offset + record.length]
    payload = _value_of(line, "payload") if isinstance(record.value.get("payload"), dict) else None
    payload = payload or line
    if part_of(record.value).type != COMPACTED:
        yield payload
        return
    history = _value_of(payload, "replacement_history")
    if history is not None and history.startswith(b"["):
        for start, end in element_slices(history, 0, len(history)):
            if _is_object(history[start:end]):
                yield history[start:end]


def _value_of(text: bytes, key: str) -> bytes | None:
    found = [text[entry.value : entry.end] for entry in entries_of(text) if entry.key == key]
    return found[-1] if found else None


def _is_object(text: bytes) -> bool:
    value: JsonValue = loads(text)
    return isinstance(value, dict)
