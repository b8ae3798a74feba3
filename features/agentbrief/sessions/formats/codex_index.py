"""What does the index keep of a Codex record?

A type is that of the line and that of what it carries, such as ``event_msg/token_count``. The running totals
are kept as calls; which of them stand for a call is told by :mod:`agentbrief.sessions.formats.codex_usage`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from agentbrief.sessions.jsonl.index_shape import CallRow, IndexShape


@dataclass(frozen=True, slots=True)
class _Tokens:
    input: int = field(default=0, metadata={"key": "input_tokens"})
    cached: int = field(default=0, metadata={"key": "cached_input_tokens"})
    output: int = field(default=0, metadata={"key": "output_tokens"})
    total: int = field(default=0, metadata={"key": "total_tokens"})


@dataclass(frozen=True, slots=True)
class _Info:
    sum: _Tokens | None = field(default=None, metadata={"key": "total_token_usage"})
    last: _Tokens | None = field(default=None, metadata={"key": "last_token_usage"})


@dataclass(frozen=True, slots=True)
class _Payload:
    type: str | None = None
    info: _Info | None = None


@dataclass(frozen=True, slots=True)
class CodexRow:
    """The keys of a record that the index needs."""

    type: str | None = None
    payload: _Payload | None = None


def _types(rows: Sequence[CodexRow]) -> list[str | None]:
    return [
        f"{row.type}/{payload.type}" if (payload := row.payload) is not None and payload.type else row.type
        for row in rows
    ]


def _calls(rows: Sequence[CodexRow], first: int) -> list[CallRow]:
    return [
        (
            place,
            str(info.sum.total) if info.sum else None,
            None,
            max(last.input - last.cached, 0),
            last.output,
            0,
            last.cached,
        )
        for place, row in enumerate(rows, first)
        if (payload := row.payload) is not None
        and (info := payload.info) is not None
        and (last := info.last) is not None
    ]


CODEX_INDEX = IndexShape(
    CodexRow,
    types=_types,
    codes=lambda rows, names: [names[each] for each in _types(rows)],
    ids=lambda rows: [None] * len(rows),
    parents=lambda rows: [None] * len(rows),
    calls=_calls,
    marks=lambda rows, first: (),
    boundaries="compacted",
)
