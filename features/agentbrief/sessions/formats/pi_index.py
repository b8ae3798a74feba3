"""What does the index keep of a record of pi or OpenClaw?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from agentbrief.sessions.jsonl.index_shape import CallRow, IndexShape


@dataclass(frozen=True, slots=True)
class _Usage:
    input: int = 0
    output: int = 0
    cache_write: int = field(default=0, metadata={"key": "cacheWrite"})
    cache_read: int = field(default=0, metadata={"key": "cacheRead"})


@dataclass(frozen=True, slots=True)
class _Message:
    provider: str | None = None
    usage: _Usage | None = None


@dataclass(frozen=True, slots=True)
class PiRow:
    """The keys of a record that the index needs."""

    type: str | None = None
    id: str | None = None
    parent: str | None = field(default=None, metadata={"key": "parentId"})
    message: _Message | None = None


def _calls(rows: Sequence[PiRow], first: int) -> list[CallRow]:
    return [
        (place, None, None, usage.input, usage.output, usage.cache_write, usage.cache_read)
        for place, row in enumerate(rows, first)
        if (message := row.message) is not None
        and (usage := message.usage) is not None
        and message.provider != "openclaw"
    ]


PI_INDEX = IndexShape(
    PiRow,
    types=lambda rows: [row.type for row in rows],
    codes=lambda rows, names: [names[row.type] for row in rows],
    ids=lambda rows: [row.id if row.type != "session" else None for row in rows],
    parents=lambda rows: [row.parent for row in rows],
    calls=_calls,
    marks=lambda rows, first: (),
    boundaries="compaction",
)
