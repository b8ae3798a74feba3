"""What did reading a transcript show that a rule may judge?

Values only, the same for every format; a format fills in what its files can have and leaves out the rest.
Lines count from 1 with blank ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from agentbrief.sessions.context_used import ContextUsed
from agentbrief.sessions.model import Damage

MERGED_LINES = frozenset(("two-records", "spliced"))
"""The reader's words for a line with more than one record on it."""

UNREADABLE_LINES = frozenset(("nul-run", "not-json", "not-utf8", "not-object", "too-deep"))
"""The reader's words for a line that is no record and holds none."""


class Reach(NamedTuple):
    """How many of the records that form a chain are reached from its end, and which parents are missing."""

    reachable: int
    total: int
    dangling: tuple[str, ...]


class ChainFault(NamedTuple):
    """A record whose parent is no record, stands beyond a compaction, or is its own descendant."""

    kind: Literal["dangling", "skips-boundary", "cycle"]
    line: int
    id: str
    parent_id: str


class RepeatedId(NamedTuple):
    """An identifier that two records, or the tool calls of two messages, share."""

    kind: Literal["record", "tool-use"]
    id: str
    first_line: int
    line: int


class TwoWriters(NamedTuple):
    """A record that two prompts follow whose branches were written at the same time.

    ``line`` is where the second writer begins.
    """

    parent_id: str
    first_line: int
    line: int


class UnpairedTool(NamedTuple):
    """A tool call without its result, or a result without its call, in what the model is sent."""

    kind: Literal["use-without-result", "result-without-use"]
    id: str
    line: int


class SplitMessage(NamedTuple):
    """A record at ``line`` that stands between the parts of one reply."""

    message_id: str
    line: int
    first_line: int
    last_line: int


class RejectedBlock(NamedTuple):
    """A content block that the service refuses; ``keys`` are those that it does not know."""

    kind: Literal["extra-keys", "empty-thinking"]
    line: int
    block: str
    keys: tuple[str, ...] = ()


class OddRecord(NamedTuple):
    """A record that is read although something about it is unusual; ``what`` is the reader's word for it."""

    line: int
    what: str


class Injected(NamedTuple):
    """An instruction file that was put into the context. ``digest`` tells equal texts apart."""

    path: str
    line: int
    chars: int
    digest: str


class Boundary(NamedTuple):
    """A compaction. Tokens before and after it are the agent's own numbers, None where it gives none."""

    line: int
    trigger: str | None
    time: str | None
    before_tokens: int | None = None
    after_tokens: int | None = None


class TypeSize(NamedTuple):
    """How many records of a type there are and how many bytes they take, line ends left out.

    ``unseen_bytes`` are those of records that the model is never sent.
    """

    type: str
    records: int
    bytes: int
    unseen_bytes: int


class LongRecord(NamedTuple):
    """A line of remarkable size in bytes; ``type`` is None where nothing says it."""

    line: int
    bytes: int
    type: str | None


@dataclass(frozen=True, slots=True)
class TranscriptFacts:
    """What one file shows.

    ``size`` in bytes and ``mtime_ms`` are those of the file that was read. ``reach`` is None for a format
    without a chain. ``half_pairs`` are lines with half a surrogate pair. ``types`` are ordered by size.
    """

    path: str
    format: str
    session_id: str | None
    size: int
    mtime_ms: int
    cwd: str | None = None
    version: str | None = None
    model: str | None = None
    last_time: str | None = None
    damage: tuple[Damage, ...] = ()
    torn_tail: Damage | None = None
    half_pairs: tuple[int, ...] = ()
    long_records: tuple[LongRecord, ...] = ()
    types: tuple[TypeSize, ...] = ()
    has_header: bool = True
    reach: Reach | None = None
    chain_faults: tuple[ChainFault, ...] = ()
    repeated: tuple[RepeatedId, ...] = ()
    two_writers: tuple[TwoWriters, ...] = ()
    unpaired: tuple[UnpairedTool, ...] = ()
    split: tuple[SplitMessage, ...] = ()
    rejected: tuple[RejectedBlock, ...] = ()
    odd: tuple[OddRecord, ...] = ()
    injected: tuple[Injected, ...] = ()
    boundaries: tuple[Boundary, ...] = ()
    context: ContextUsed | None = None

    @property
    def last_boundary_line(self) -> int:
        """The line of the last compaction; 0 if there was none."""
        return self.boundaries[-1].line if self.boundaries else 0
