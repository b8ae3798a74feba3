"""Which tools failed in what is summarised, and does it hold anything that was really said?

Source: openclaw.md 8.7; openclaw/openclaw src/agents/pi-hooks/compaction-safeguard.ts. Lengths are UTF-16
units.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from agentbrief.compaction.pi.preserved_turns import tool_name
from agentbrief.jsonio import JsonValue
from agentbrief.profiles.openclaw_data import StoreSummaryData
from agentbrief.sessions.pi.context import RawMessage
from agentbrief.sessions.pi.messages import result_call_id, text_of
from agentbrief.sessions.silent_reply import HEARTBEAT_OK, NO_REPLY
from agentbrief.sessions.store.fields import is_number
from agentbrief.text import utf16

_CUT = "..."
_TALK = ("user", "assistant", "toolResult")


def failure_lines(messages: Iterable[RawMessage], data: StoreSummaryData) -> list[str]:
    """A list item for each call that failed, the first ones only, then how many more there are."""
    failed: dict[str, str] = {}
    for message in messages:
        identifier = result_call_id(message)
        if message.get("role") == "toolResult" and message.get("isError") is True and identifier:
            failed.setdefault(identifier, _line(message, data))
    lines = list(failed.values())
    more = len(lines) - data.failures
    return [*lines[: data.failures], f"- ...and {more} more"] if more > 0 else lines


def has_real_message(messages: Iterable[RawMessage]) -> bool:
    """Whether anybody says more than the tokens that stand for saying nothing."""
    return any(
        message.get("role") in _TALK and any(map(_says_something, _texts(message.get("content"))))
        for message in messages
    )


def _line(message: RawMessage, data: StoreSummaryData) -> str:
    details = _details(message.get("details"))
    text = utf16.trim(utf16.WHITE_SPACE_RUN.sub(" ", text_of(message.get("content"))))
    text = text or ("failed" if details else "failed (no output)")
    if utf16.length(text) > data.failure_chars:
        text = utf16.head(text, data.failure_chars - len(_CUT)) + _CUT
    return f"- {tool_name(message)}{f' ({details})' if details else ''}: {text}"


def _details(details: JsonValue) -> str:
    found: Mapping[str, JsonValue] = details if isinstance(details, dict) else {}
    status, code = found.get("status"), found.get("exitCode")
    parts: list[str] = []
    if isinstance(status, str) and status:
        parts.append(f"status={status}")
    if isinstance(code, int | float) and is_number(code):
        parts.append(f"exitCode={int(code) if code == int(code) else code}")
    return " ".join(parts)


def _texts(content: JsonValue) -> Iterable[str]:
    if isinstance(content, str):
        yield content
    for block in content if isinstance(content, list) else ():
        text = block.get("text") if isinstance(block, dict) else None
        if isinstance(text, str):
            yield text


def _says_something(text: str) -> bool:
    return utf16.trim(text) not in ("", NO_REPLY, HEARTBEAT_OK)
