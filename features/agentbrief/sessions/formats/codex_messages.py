"""Which turns of a Codex rollout does a person see?

The same words stand in events and in items. Newer paginated rollouts are shown by their completed items,
others by their events, the oldest by their items; calls of tools and thoughts always come from the items.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Literal, NamedTuple

from agentbrief.jsonio import JsonValue, dumps
from agentbrief.sessions.formats.codex_records import (
    CALLS,
    COMPACTED,
    EVENT,
    ITEM,
    META,
    OUTPUTS,
    TURN,
    Part,
    Value,
    is_injected,
    message_text,
    object_at,
    output_text,
    text_at,
)
from agentbrief.sessions.jsonl.lines import Record
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

Log = Literal["completed", "events", "items", "all"]


class Shown(NamedTuple):
    """A message, and the log that it stands in."""

    log: Log
    message: Message


class Turns:
    """Collects the messages of a rollout; :meth:`messages` once all lines have passed."""

    def __init__(self) -> None:
        self._shown: list[Shown] = []
        self._tool_names: dict[str, str] = {}
        self.is_paginated = False
        self._model: str | None = None

    def add(self, record: Record, part: Part) -> None:
        """Take one line."""
        self._shown += self.told(record, part)

    def told(self, record: Record, part: Part) -> Iterator[Shown]:
        """The messages of one line, of each log that it belongs to; they are not kept."""
        if part.type == META:
            self.is_paginated |= part.payload.get("history_mode") == "paginated"
            return
        if part.type == TURN:
            self._model = text_at(part.payload, "model")
            return
        for log, role, blocks in self._found(part):
            if not blocks:
                continue
            extra: dict[str, JsonValue] = {"type": part.type, "kind": text_at(part.payload, "type") or ""}
            if role == "assistant" and self._model:
                extra["model"] = self._model
            message = Message(
                role,
                tuple(blocks),
                None,
                text_at(part.payload, "id"),
                None,
                part.time,
                Slice(record.offset, record.length),
                record.line,
                extra,
            )
            yield Shown(log, message)

    def messages(self, usage_at: Mapping[int, Usage]) -> tuple[Message, ...]:
        """The messages in file order. ``usage_at`` has what a call cost by the line that states it:

        it is put to the last answer before.
        """
        chosen = chosen_log({shown.log for shown in self._shown}, self.is_paginated)
        found = [shown.message for shown in self._shown if shown.log in (chosen, "all")]
        return tuple(_with_usage(found, usage_at))

    def _found(self, part: Part) -> Iterable[tuple[Log, Role, list[ContentBlock]]]:
        payload = part.payload
        kind = text_at(payload, "type")
        if part.type == COMPACTED:
            yield "all", "system", [Text(text_at(payload, "message") or "")]
        elif part.type == EVENT and kind in ("user_message", "agent_message"):
            yield "events", "user" if kind == "user_message" else "assistant", _words(message_text(payload))
        elif part.type == EVENT and kind == "item_completed":
            item = object_at(payload, "item")
            names: dict[str | None, Role] = {"UserMessage": "user", "AgentMessage": "assistant"}
            if role := names.get(text_at(item, "type")):
                yield "completed", role, _words(message_text(item))
        elif part.type == ITEM and kind == "message":
            yield "items", _role(payload), _words(message_text(payload))
        elif part.type == ITEM:
            yield "all", *self._tool_or_thought(kind or "", payload)

    def _tool_or_thought(self, kind: str, payload: Value) -> tuple[Role, list[ContentBlock]]:
        call_id = text_at(payload, "call_id") or ""
        if kind in CALLS:
            name = text_at(payload, "name") or kind.removesuffix("_call")
            self._tool_names[call_id] = name
            given = _given(payload)
            stored = given if isinstance(given, str) else dumps(given).decode("utf-8")
            return "assistant", [ToolUse(call_id, name, given, stored)]
        if kind in OUTPUTS:
            output = payload.get("output")
            failed = isinstance(output, dict) and output.get("success") is False
            return "tool", [
                ToolResult(call_id, self._tool_names.get(call_id, ""), output_text(output), failed)
            ]
        if kind == "reasoning":
            summary = payload.get("summary")
            parts = [part for part in summary if isinstance(part, dict)] if isinstance(summary, list) else []
            words = "\n".join(text_at(part, "text") or "" for part in parts)
            return "assistant", [Thinking(words, text_at(payload, "encrypted_content"))]
        return "assistant", [Opaque(kind, payload)]


def chosen_log(logs: Container[Log], is_paginated: bool) -> Log:
    """The log whose messages are shown, beside those that stand in one only."""
    if is_paginated and "completed" in logs:
        return "completed"
    return "events" if "events" in logs else "items"


def _given(payload: Value) -> JsonValue:
    for key in ("arguments", "input", "action", "execution"):
        if key in payload:
            return payload[key]
    return None


def _role(payload: Value) -> Role:
    role = payload.get("role")
    return "user" if role == "user" else "assistant" if role == "assistant" else "system"


def _words(text: str) -> list[ContentBlock]:
    return [Text(text)] if text.strip() and not is_injected(text) else []


def _with_usage(messages: list[Message], usage_at: Mapping[int, Usage]) -> Iterable[Message]:
    answers = [at for at, message in enumerate(messages) if message.role == "assistant"]
    lines = [messages[at].line for at in answers]
    stated: dict[int, Usage] = {}
    for line, usage in usage_at.items():
        if before := bisect_left(lines, line):
            stated[answers[before - 1]] = usage
    for at, message in enumerate(messages):
        yield replace(message, usage=stated[at]) if at in stated else message
