"""How is a transcript of pi or OpenClaw sketched for a list?"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from agentbrief.jsonio import JsonValue, Partial
from agentbrief.sessions.sketch import Lines, Sketch, Value, value_of
from agentbrief.sessions.titles import first_prompts


@dataclass(frozen=True, slots=True)
class _Usage:
    input: int = 0
    cache_read: int = field(default=0, metadata={"key": "cacheRead"})
    cache_write: int = field(default=0, metadata={"key": "cacheWrite"})


@dataclass(frozen=True, slots=True)
class _Message:
    role: str | None = None
    model: str | None = None
    stop_reason: str | None = field(default=None, metadata={"key": "stopReason"})
    usage: _Usage | None = None


@dataclass(frozen=True, slots=True)
class _Row:
    """What the end of a session is sketched from; the words of its messages are not decoded."""

    timestamp: str | None = None
    message: _Message | None = None


_ROWS = Partial(_Row)
_HEAD = re.compile(
    rb'\{"type":"\w+","id":"[\w-]+","parentId":(?:null|"[\w-]+"),"timestamp":"([\d:.TZ+-]+)",'
    rb'"message":\{(?:"role":"(\w+)")?'
)
_MODEL = b"assistant"


class PiSketcher:
    """Sketches transcripts of pi and OpenClaw."""

    def sketch(self, head: Lines, tail: Lines) -> Sketch:
        """See :class:`~agentbrief.sessions.sketch.Sketcher`."""
        header: Value = {}
        first_time = prompt = telling = None
        for place, value in enumerate(head.each()):
            if not place and value.get("type") == "session":
                header = value
            first_time = first_time or _text(value, "timestamp")
            if (text := _prompt(value)) is not None:
                prompt, telling = first_prompts(prompt, telling, text)
            if telling is not None and first_time is not None:
                break
        last, message = _end_of(tail)
        usage = message.usage if message is not None else None
        used = usage.input + usage.cache_read + usage.cache_write if usage is not None else 0
        given = None
        for lines in (head, tail):
            # A list has thousands of tails, and few with a name: the writer's own order of keys is quicker.
            named = (
                lines.of_type(b"session_info")
                if head.writes_type_first
                else lines.short_ones_with(b'"session_info"')
            )
            for line in named:
                value = value_of(line) or {}
                if value.get("type") == "session_info":
                    given = (_text(value, "name") or "").strip() or None
        return Sketch(
            session_id=_text(header, "id"),
            cwd=_text(header, "cwd"),
            model=(message.model or None) if message is not None else None,
            first_time=first_time,
            last_time=last,
            given_title=given,
            prompt=prompt,
            telling_prompt=telling,
            used_tokens=used or None,
        )

    def prompts_in(self, lines: Lines) -> Iterator[str]:
        """See :class:`~agentbrief.sessions.sketch.Sketcher`."""
        for line in lines.whose(b"role", b"user"):
            value = value_of(line)
            text = _prompt(value) if value is not None else None
            if text is not None:
                yield text


def _prompt(value: Value) -> str | None:
    message = _message(value)
    if value.get("type") != "message" or message.get("role") != "user":
        return None
    content: JsonValue = message.get("content")
    if isinstance(content, list):
        parts = [part for part in content if isinstance(part, dict) and part.get("type") == "text"]
        content = "\n".join(_text(part, "text") or "" for part in parts)
    return content if isinstance(content, str) and content.strip() else None


def _end_of(tail: Lines) -> tuple[str | None, _Message | None]:
    """The time of the last record, and the last reply of the model.

    As pi writes a record, its time and who speaks stand before all that may be long: most of it is not looked
    at. A record that is written otherwise is decoded.
    """
    time: str | None = None
    for line, start, end in tail.backwards():
        head = _HEAD.match(line, start, end)
        row = None
        if head is None or head[2] in (None, _MODEL):
            row = _row(line[start:end])
        if time is None:
            time = head[1].decode("ascii") if head is not None else row.timestamp if row is not None else None
        if row is not None and (message := row.message) is not None and _is_call(message):
            return time, message
    return time, None


def _row(line: bytes) -> _Row | None:
    try:
        return _ROWS.row(line)
    except ValueError:
        return None


def _is_call(message: _Message) -> bool:
    return (
        message.usage is not None
        and message.role == "assistant"
        and message.stop_reason not in ("error", "aborted")
    )


def _message(value: Value) -> Value:
    message = value.get("message")
    return message if isinstance(message, dict) else {}


def _text(value: Value, key: str) -> str | None:
    found = value.get(key)
    return found if isinstance(found, str) and found else None
