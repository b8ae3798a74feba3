"""How is a Claude Code transcript sketched for a list?

Names stand in records of their own, which newer versions repeat near the end of the file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from agentbrief.sessions.formats.claude_entry import NO_MODEL, Value, object_of, prompt_of, text_of, usage_of
from agentbrief.sessions.sketch import START_BYTES, Lines, Sketch, first_text, value_of
from agentbrief.sessions.titles import first_prompts

_TITLES = (b'"custom-title"', b'"ai-title"', b'"agent-name"', b'"summary"')


class ClaudeSketcher:
    """Sketches transcripts of Claude Code."""

    def sketch(self, head: Lines, tail: Lines) -> Sketch:
        """See :class:`~agentbrief.sessions.sketch.Sketcher`."""
        first = head.values()
        named = [*first, *filter(None, map(value_of, tail.short_ones_with(*_TITLES)))]
        last = tail.last(b'"timestamp"', _has_time, value_of) or {}
        call = tail.last(b'"usage"', _is_call, value_of) or head.last(b'"usage"', _is_call, value_of) or {}
        prompt = telling = None
        for value in first:
            if value.get("isSidechain") is not True and (text := prompt_of(value)) is not None:
                prompt, telling = first_prompts(prompt, telling, text)
        message = object_of(call, "message")
        usage = usage_of(message)
        used = usage.input + usage.cache_creation_input + usage.cache_read_input if usage else None
        forked = next((value for value in first if isinstance(value.get("forkedFrom"), dict)), None)
        return Sketch(
            first_text(first, "sessionId"),
            first_text(first, "cwd"),
            text_of(last, "version") or first_text(first, "version"),
            text_of(message, "model"),
            text_of(last, "gitBranch") or first_text(first, "gitBranch"),
            first_text(first, "timestamp"),
            text_of(last, "timestamp"),
            _last_text(named, "custom-title", "customTitle") or _last_text(named, "agent-name", "agentName"),
            _last_text(named, "ai-title", "aiTitle") or _last_text(named, "summary", "summary"),
            prompt,
            telling,
            text_of(object_of(forked, "forkedFrom"), "sessionId") if forked else None,
            any(value.get("isSidechain") is True and value.get("agentId") for value in first[:1]),
            used,
        )

    def prompts_in(self, lines: Lines) -> Iterator[str]:
        """See :class:`~agentbrief.sessions.sketch.Sketcher`."""
        for line in lines.beginning_with(b'"user"'):
            if line.find(b'"tool_result"', 0, 2 * START_BYTES) >= 0:
                continue
            value = value_of(line)
            text = prompt_of(value) if value is not None and value.get("isSidechain") is not True else None
            if text is not None:
                yield text


def _has_time(value: Value) -> bool:
    return text_of(value, "timestamp") is not None


def _is_call(value: Value) -> bool:
    message = object_of(value, "message")
    if value.get("isSidechain") is True or value.get("isApiErrorMessage") is True:
        return False
    return message.get("usage") is not None and text_of(message, "model") != NO_MODEL


def _last_text(values: Iterable[Value], kind: str, key: str) -> str | None:
    found = None
    for value in values:
        if value.get("type") == kind:
            found = text_of(value, key) or found
    return found
