"""What did a Codex session cost, although its counts are written again and again?

Each event states the running total and the last call. The same total again is no new call; a smaller one is a
reset. A fork repeats its parent's events at its start, and those are the parent's.

Source: agents.md 9.2 (Usage, Forks); ccusage/ccusage#876 and #1288.
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import NamedTuple

from agentbrief.sessions.formats.codex_records import Value, count_at, object_at
from agentbrief.sessions.model import Usage


class TokenCount(NamedTuple):
    """One event. ``total`` is the running total of all parts, None where the event states none;

    ``last_total`` the tokens of the last call, ``window`` the context of the model (None: not stated).
    """

    line: int
    time: str | None
    total: int | None
    last: Usage
    last_total: int
    window: int | None


def token_count_of(line: int, time: str | None, payload: Value) -> TokenCount | None:
    """The numbers of a ``token_count`` event; None where it has none."""
    info = payload.get("info")
    if not isinstance(info, dict):
        return None
    total = info.get("total_token_usage")
    last = object_at(info, "last_token_usage")
    cached = count_at(last, "cached_input_tokens")
    usage = Usage(max(count_at(last, "input_tokens") - cached, 0), count_at(last, "output_tokens"), 0, cached)
    return TokenCount(
        line,
        time,
        _sum_of(total) if isinstance(total, dict) else None,
        usage,
        count_at(last, "total_tokens") or usage.total,
        count_at(info, "model_context_window") or None,
    )


def _sum_of(usage: Value) -> int:
    return count_at(usage, "total_tokens") or count_at(usage, "input_tokens") + count_at(
        usage, "output_tokens"
    )


class OwnCalls:
    """Tells which events stand for a call of this session; it is asked for each event, in order.

    ``parent_totals`` are the running totals of the session that this one was forked from; None: that one is
    not there, and the events of the first second are taken for its own.
    """

    def __init__(self, *, is_fork: bool = False, parent_totals: Container[int] | None = None) -> None:
        self._parent_totals = parent_totals
        self._is_replay = is_fork and parent_totals is None
        self._replayed: str | None = None
        self._previous: int | None = None

    def has(self, event: TokenCount) -> bool:
        """Whether ``event``, the next one, stands for a call that was not told before."""
        if self._is_replay:
            second = _second(event)
            self._replayed = second if self._replayed is None else self._replayed
            if second == self._replayed:
                self._previous = event.total
                return False
            self._is_replay = False
        total, parents = event.total, self._parent_totals
        if total is None:
            return True
        repeats, self._previous = total == self._previous, total
        is_parents = parents is not None and total in parents
        self._parent_totals = parents if is_parents else None
        return not repeats and not is_parents


def counted(
    events: Iterable[TokenCount], *, is_fork: bool = False, parent_totals: Container[int] | None = None
) -> tuple[TokenCount, ...]:
    """The events that stand for a call of this session, each once; see :class:`OwnCalls`."""
    own = OwnCalls(is_fork=is_fork, parent_totals=parent_totals)
    return tuple([event for event in events if own.has(event)])


def _second(event: TokenCount) -> str:
    return (event.time or "")[:19]
