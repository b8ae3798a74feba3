"""What is really written when messages are appended to a session in which calls still wait for results?

Source: openclaw.md 11.7; openclaw/openclaw src/agents/session-tool-result-guard.ts at 2026.3.2.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from agentbrief.jsonio import JsonValue
from agentbrief.resume.clean_steps import with_good_calls
from agentbrief.resume.held import Held
from agentbrief.resume.pairing import Call, calls_of, missing_result, with_tool_name
from agentbrief.sessions.pi.context import RawMessage
from agentbrief.sessions.pi.messages import result_call_id


@dataclass(frozen=True, slots=True)
class OpenCalls:
    """The calls that still wait, in their order. ``synthetic_results``: whether missing ones are made up."""

    calls: tuple[Call, ...] = ()
    synthetic_results: bool = True

    def appended(self, message: Mapping[str, JsonValue], now_ms: int) -> tuple[list[RawMessage], OpenCalls]:
        """What is written for ``message``, and which calls wait afterwards.

        Nothing is written for an assistant whose only content are bad calls.
        """
        value: RawMessage = dict(message)
        if value.get("role") == "toolResult":
            identifier = result_call_id(value)
            names = {call.id: call.name for call in self.calls}
            waiting = tuple(call for call in self.calls if call.id != identifier)
            return [with_tool_name(value, names.get(identifier or ""))], replace(self, calls=waiting)
        if value.get("role") == "assistant":
            good = with_good_calls(Held(value, None), None)
            if good is None:
                return self.closed(now_ms) if self.synthetic_results else ([], self)
            value = good.value
        calls = calls_of(value) if value.get("role") == "assistant" else ()
        before, after = self.closed(now_ms)
        return [*before, value], replace(after, calls=_once_each(calls))

    def closed(self, now_ms: int) -> tuple[list[RawMessage], OpenCalls]:
        """The results that are made up for all waiting calls, and no call that waits."""
        made = [missing_result(call, now_ms) for call in self.calls] if self.synthetic_results else []
        return made, replace(self, calls=())


def open_calls(messages: Iterable[Mapping[str, JsonValue]], synthetic_results: bool) -> OpenCalls:
    """The calls of ``messages``, a path of a session, that have no result yet behind them."""
    waiting = OpenCalls((), synthetic_results)
    for message in messages:
        if message.get("role") == "toolResult":
            identifier = result_call_id(message)
            waiting = replace(waiting, calls=tuple(call for call in waiting.calls if call.id != identifier))
        elif message.get("role") == "assistant":
            waiting = replace(waiting, calls=_once_each(calls_of(message)))
    return waiting


def _once_each(calls: tuple[Call, ...]) -> tuple[Call, ...]:
    """``calls`` without those whose identifier another one has; the last name counts."""
    return tuple({call.id: call for call in calls}.values())
