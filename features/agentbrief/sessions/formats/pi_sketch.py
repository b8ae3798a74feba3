"""How is a transcript of pi or OpenClaw sketched for a list?"""

from __future__ import annotations

from collections.abc import Iterator

from agentbrief.jsonio import JsonValue
from agentbrief.sessions.sketch import Lines, Sketch, Value, first_text, value_of
from agentbrief.sessions.titles import first_prompts

_PARTS = ("input", "cacheRead", "cacheWrite")


class PiSketcher:
    """Sketches transcripts of pi and OpenClaw."""

    def sketch(self, head: Lines, tail: Lines) -> Sketch:
        """See :class:`~agentbrief.sessions.sketch.Sketcher`."""
        first = head.values()
        header = first[0] if first and first[0].get("type") == "session" else {}
        prompt = telling = None
        for value in first:
            if (text := _prompt(value)) is not None:
                prompt, telling = first_prompts(prompt, telling, text)
        last = tail.last(b'"timestamp"', lambda value: _text(value, "timestamp") is not None) or {}
        message = _message(tail.last(b'"usage"', _is_call) or {})
        usage = message.get("usage")
        numbers = [usage.get(key) for key in _PARTS] if isinstance(usage, dict) else []
        used = sum(number for number in numbers if isinstance(number, int))
        given = None
        for value in (*first, *filter(None, map(value_of, tail.short_ones_with(b'"session_info"')))):
            if value.get("type") == "session_info":
                given = (_text(value, "name") or "").strip() or None
        return Sketch(
            session_id=_text(header, "id"),
            cwd=_text(header, "cwd"),
            model=_text(message, "model"),
            first_time=first_text(first, "timestamp"),
            last_time=_text(last, "timestamp"),
            given_title=given,
            prompt=prompt,
            telling_prompt=telling,
            used_tokens=used or None,
        )

    def prompts_in(self, lines: Lines) -> Iterator[str]:
        """See :class:`~agentbrief.sessions.sketch.Sketcher`."""
        for line in lines.beginning_with(b'"user"'):
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


def _is_call(value: Value) -> bool:
    message = _message(value)
    return message.get("role") == "assistant" and message.get("stopReason") not in ("error", "aborted")


def _message(value: Value) -> Value:
    message = value.get("message")
    return message if isinstance(message, dict) else {}


def _text(value: Value, key: str) -> str | None:
    found = value.get(key)
    return found if isinstance(found, str) and found else None
