"""What does the index keep of a Claude Code record?

Words that no model wrote, and errors of the service, state a usage of zeros; they are no calls.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from agentbrief.sessions.jsonl.index_shape import CallRow, IndexShape


@dataclass(frozen=True, slots=True)
class _Usage:
    input_tokens: int = 0
    cache_creation_input_tokens: int = 0
    cache_read_input_tokens: int = 0
    output_tokens: int = 0


@dataclass(frozen=True, slots=True)
class _Message:
    id: str | None = None
    usage: _Usage | None = None


@dataclass(frozen=True, slots=True)
class ClaudeRow:
    """The keys of a record that the index needs, in the order in which they are written."""

    parent: str | None = field(default=None, metadata={"key": "parentUuid"})
    is_sidechain: bool | None = field(default=None, metadata={"key": "isSidechain"})
    type: str | None = None
    subtype: str | None = None
    message: _Message | None = None
    request: str | None = field(default=None, metadata={"key": "requestId"})
    uuid: str | None = None


def _calls(rows: Sequence[ClaudeRow], first: int) -> list[CallRow]:
    return [
        (
            place,
            message.id,
            row.request,
            usage.input_tokens,
            usage.output_tokens,
            usage.cache_creation_input_tokens,
            usage.cache_read_input_tokens,
        )
        for place, row in enumerate(rows, first)
        if (message := row.message) is not None and (usage := message.usage) is not None
    ]


CLAUDE_INDEX = IndexShape(
    ClaudeRow,
    types=lambda rows: [row.type for row in rows],
    codes=lambda rows, names: [names[row.type] for row in rows],
    ids=lambda rows: [row.uuid for row in rows],
    parents=lambda rows: [row.parent for row in rows],
    calls=_calls,
    marks=lambda rows, first: [
        (place, "sidechain") for place, row in enumerate(rows, first) if row.is_sidechain
    ],
    boundaries="system",
    is_boundary=lambda row: row.subtype == "compact_boundary",
)
