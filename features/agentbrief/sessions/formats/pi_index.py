"""What does the index keep of a record of pi or OpenClaw?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from agentbrief.sessions.index import CallRow, IndexShape


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


def _calls(rows: Sequence[PiRow]) -> list[CallRow]:
    return [
        (at, None, None, usage.input, usage.output, usage.cache_write, usage.cache_read)
        for at, row in enumerate(rows)
        if (message := row.message) is not None
        and (usage := message.usage) is not None
        and message.provider != "openclaw"
    ]


def _marks(rows: Sequence[PiRow]) -> Iterable[tuple[int, str]]:
    return [(at, "boundary") for at, row in enumerate(rows) if row.type == "compaction"]


PI_INDEX = IndexShape(
    PiRow,
    lambda rows: [row.type for row in rows],
    lambda rows: [row.id if row.type != "session" else None for row in rows],
    lambda rows: [row.parent for row in rows],
    _calls,
    _marks,
)
