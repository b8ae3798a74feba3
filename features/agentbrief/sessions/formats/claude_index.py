"""What does the index keep of a Claude Code record?

Words that no model wrote, and errors of the service, state a usage of zeros; they are no calls.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from agentbrief.sessions.index import CallRow, IndexShape


@dataclass(frozen=True, slots=True)
class _Usage:
    input_tokens: int = 0
    output_tokens: int = 0
    cache_creation_input_tokens: int = 0
    cache_read_input_tokens: int = 0


@dataclass(frozen=True, slots=True)
class _Message:
    id: str | None = None
    usage: _Usage | None = None


@dataclass(frozen=True, slots=True)
class ClaudeRow:
    """The keys of a record that the index needs."""

    type: str | None = None
    uuid: str | None = None
    parent: str | None = field(default=None, metadata={"key": "parentUuid"})
    is_sidechain: bool | None = field(default=None, metadata={"key": "isSidechain"})
    request: str | None = field(default=None, metadata={"key": "requestId"})
    subtype: str | None = None
    message: _Message | None = None


def _calls(rows: Sequence[ClaudeRow]) -> list[CallRow]:
    return [
        (
            at,
            message.id,
            row.request,
            usage.input_tokens,
            usage.output_tokens,
            usage.cache_creation_input_tokens,
            usage.cache_read_input_tokens,
        )
        for at, row in enumerate(rows)
        if (message := row.message) is not None and (usage := message.usage) is not None
    ]


def _marks(rows: Sequence[ClaudeRow]) -> Iterable[tuple[int, str]]:
    found = [(at, "sidechain") for at, row in enumerate(rows) if row.is_sidechain]
    return found + [
        (at, "boundary")
        for at, row in enumerate(rows)
        if row.subtype is not None and row.subtype == "compact_boundary"
    ]


CLAUDE_INDEX = IndexShape(
    ClaudeRow,
    lambda rows: [row.type for row in rows],
    lambda rows: [row.uuid for row in rows],
    lambda rows: [row.parent for row in rows],
    _calls,
    _marks,
)
