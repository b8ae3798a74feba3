"""Which tool result belongs to which call, and what stands where one is missing?

Source: openclaw.md 11.4; openclaw/openclaw src/agents/session-transcript-repair.ts at 2026.3.2.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from agentbrief.jsonio import JsonValue
from agentbrief.resume.held import Held
from agentbrief.sessions.pi.context import RawMessage
from agentbrief.sessions.pi.messages import CALL_TYPES, result_call_id
from agentbrief.text import utf16

MISSING_RESULT = (
    "[openclaw] missing tool result in session history; "
    "inserted synthetic error result for transcript repair."
)
"""The text of a result that was made up; other programs know it by these words."""

UNKNOWN_TOOL = "unknown"


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a tool; ``name`` None where the block has none."""

    id: str
    name: str | None


@dataclass(frozen=True, slots=True)
class Paired:
    """A history in which each call has its result right behind its message.

    ``only_upstream_keeps``: what an unrepaired request of OpenClaw 2026.3.2 would still hold, as words:
    ``doubled-result``, ``result-order``, ``reused-call-id``.
    """

    messages: tuple[Held, ...]
    only_upstream_keeps: tuple[str, ...] = ()


def calls_of(message: Mapping[str, JsonValue]) -> tuple[Call, ...]:
    """The calls that an assistant message makes and that need a result; none if it ended in an error."""
    content = message.get("content")
    if message.get("stopReason") in ("error", "aborted") or not isinstance(content, list):
        return ()
    found: list[Call] = []
    for block in content:
        if isinstance(block, dict) and block.get("type") in CALL_TYPES:
            identifier, name = block.get("id"), block.get("name")
            if isinstance(identifier, str) and identifier:
                found.append(Call(identifier, name if isinstance(name, str) else None))
    return tuple(found)


def missing_result(call: Call, now_ms: int) -> RawMessage:
    """The result that stands for the missing one of ``call``."""
    return {
        "role": "toolResult",
        "toolCallId": call.id,
        "toolName": utf16.trim(call.name or "") or UNKNOWN_TOOL,
        "content": [{"type": "text", "text": MISSING_RESULT}],
        "isError": True,
        "timestamp": now_ms,
    }


def with_tool_name(result: RawMessage, call_name: str | None) -> RawMessage:
    """``result`` with its tool's name trimmed, or with the call's where it has none.

    Itself if it is right.
    """
    name = result.get("toolName")
    wanted = utf16.trim(name) if isinstance(name, str) else ""
    wanted = wanted or utf16.trim(call_name or "") or UNKNOWN_TOOL
    return result if name == wanted else {**result, "toolName": wanted}


def paired(messages: Sequence[Held], now_ms: int) -> Paired:
    """``messages`` with each result behind its call in call order, missing ones made up, others dropped."""
    found: list[Held] = []
    kept: set[str] = set()
    other_change = False
    answered: set[str] = set()
    index = 0
    while index < len(messages):
        held = messages[index]
        index += 1
        span: list[Held] = []
        calls: tuple[Call, ...] = ()
        if held.role == "assistant":
            found.append(held)
            calls = calls_of(held.value)
        else:
            span.append(held)
        while index < len(messages) and messages[index].role != "assistant":
            span.append(messages[index])
            index += 1
        results, faults, changed = _results(calls, span, now_ms)
        kept |= faults
        other_change = other_change or changed
        identifiers = {call.id for call in calls}
        if identifiers & answered:
            kept.add("reused-call-id")
        answered |= identifiers
        found += results
        found += [item for item in span if item.role != "toolResult"]
    if other_change:
        kept -= {"doubled-result", "result-order"}
    return Paired(tuple(found), tuple(sorted(kept)))


def _results(calls: tuple[Call, ...], span: Sequence[Held], now_ms: int) -> tuple[list[Held], set[str], bool]:
    """The results of ``calls`` in call order.

    What of ``span`` upstream would send; whether it sees a change.
    """
    waiting: dict[str, deque[Held]] = {}
    for held in span:
        if held.role == "toolResult":
            waiting.setdefault(result_call_id(held.value) or "", deque()).append(held)
    named = {call.id for call in calls}
    changed = any(identifier not in named for identifier in waiting) or (
        bool(named & waiting.keys()) and any(held.role != "toolResult" for held in span)
    )
    results: list[Held] = []
    for call in calls:
        answers = waiting.get(call.id)
        if answers:
            held = answers.popleft()
            found = held.with_value(with_tool_name(held.value, call.name))
            changed = changed or found is not held
            results.append(found)
        else:
            changed = True
            results.append(Held(missing_result(call, now_ms), None))
    faults: set[str] = set()
    if any(waiting.get(identifier) for identifier in named):
        faults.add("doubled-result")
    origins = [held.origin for held in results if held.origin is not None]
    if origins != sorted(origins):
        faults.add("result-order")
    return results, faults, changed
