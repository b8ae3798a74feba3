"""What is there to say of a compaction that was planned? The values that a page, a terminal and JSON need."""

from __future__ import annotations

from dataclasses import dataclass, field

from agentbrief.compaction.layers import Outcome
from agentbrief.compaction.openclaw.flush import FlushState
from agentbrief.compaction.openclaw.reinjection import Reinjection
from agentbrief.compaction.pi.memory_notes import MemoryNotes
from agentbrief.profiles.profile import AgentProfile
from agentbrief.sessions.model import Message
from agentbrief.text.section_near_misses import NearMiss


@dataclass(frozen=True, slots=True)
class ShownAgain:
    """What OpenClaw shows of its file again after a compaction.

    ``found`` None: none of the sections ``asked`` is there. ``misses`` are headings that were meant for one.
    """

    file: str
    asked: tuple[str, ...]
    found: Reinjection | None
    misses: tuple[NearMiss, ...] = ()


@dataclass(frozen=True, slots=True)
class CompactionView:
    """A compaction that was planned, with what a person is told beside it.

    ``agent`` is the profile of the session's agent, ``rules`` the one by whose bounds it is compacted.
    ``kept`` are the messages that stay. ``now_ms`` is when the checkpoint would be made; ``dropped`` old ones
    make room. ``is_copy``: the session itself stays as it is.
    """

    path: str
    title: str
    agent: AgentProfile
    rules: AgentProfile
    outcome: Outcome
    now_ms: int
    kept: tuple[Message, ...] = field(default=(), repr=False)
    is_copy: bool = False
    dropped: int = 0
    notes: MemoryNotes | None = None
    flush: FlushState | None = None
    again: ShownAgain | None = None
