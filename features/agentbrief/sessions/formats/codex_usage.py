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
        count_at(total, "total_tokens") if isinstance(total, dict) else None,
        usage,
        count_at(last, "total_tokens") or usage.total,
        count_at(info, "model_context_window") or None,
    )


def counted(
    events: Iterable[TokenCount], *, is_fork: bool = False, parent_totals: Container[int] | None = None
) -> tuple[TokenCount, ...]:
    """The events that stand for a call of this session, each once.

    ``parent_totals`` are the running totals of the session that this one was forked from; None: that one is
    not there, and the events of the first second are taken for its own.
    """
    events = tuple(events)
    found: list[TokenCount] = []
    previous: int | None = None
    replayed = _second(events[0]) if events and is_fork and parent_totals is None else None
    for event in events:
        if replayed is not None and _second(event) == replayed:
            previous = event.total
            continue
        replayed = None
        repeats = event.total is not None and event.total == previous
        is_parents = parent_totals is not None and event.total is not None and event.total in parent_totals
        if not repeats and not is_parents:
            found.append(event)
        if event.total is not None:
            previous = event.total
            parent_totals = parent_totals if is_parents else None
    return tuple(found)


def _second(event: TokenCount) -> str:
    return (event.time or "")[:19]
