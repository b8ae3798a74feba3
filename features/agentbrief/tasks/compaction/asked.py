"""What is asked of a compaction, and what is it given that features do not have by themselves?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, MutableMapping
from dataclasses import dataclass, field
from datetime import UTC, tzinfo

from agentbrief.compaction.layers import Clock, Trigger
from agentbrief.compaction.providers.provider import CancelToken, CompactionProvider
from agentbrief.compaction.steering import RunningCompaction
from agentbrief.sessions.pi.append import NewUuid

CLAW_PROFILES = ("claw", "claw-code")
"""The profiles by whose rules a session of the Claw family can be compacted."""


@dataclass(frozen=True, slots=True)
class CompactionAsked:
    """What the user asked for; None = as the settings say.

    ``providers`` are names in the order they are asked. ``preserve`` messages stay (formats of the Claw
    family and copies); from ``max_tokens`` on these are due, while in a transcript of pi or OpenClaw so many
    of the newest tokens stay. ``until_fits``: less is kept until little enough is left. ``output`` is the
    path of a copy; without one the session itself is changed. ``notes`` are the user's own memory notes,
    ``with_notes`` false leaves that step out. ``replace_transcript``: the summarised messages go from a
    transcript of pi or OpenClaw. ``agent`` is one of :data:`CLAW_PROFILES`.
    """

    trigger: Trigger = "asked"
    providers: tuple[str, ...] | None = None
    preserve: int | None = None
    max_tokens: int | None = None
    until_fits: bool = False
    output: str | None = None
    with_notes: bool = True
    notes: str | None = None
    replace_transcript: bool | None = None
    agent: str | None = None


@dataclass(frozen=True, slots=True)
class Means:
    """What a compaction needs from outside.

    ``clock`` has the time and a provider's deadline. ``known`` are providers that features do not have: the
    editor. ``running`` is what is being compacted now, by path; texts reach it there. ``cancel`` calls it
    off. ``pause`` waits for so many seconds between two attempts; None = one attempt.
    """

    clock: Clock
    new_uuid: NewUuid
    running: MutableMapping[str, RunningCompaction] = field(
        default_factory=dict[str, RunningCompaction], hash=False
    )
    known: Mapping[str, CompactionProvider] = field(default_factory=dict[str, CompactionProvider], hash=False)
    cancel: CancelToken | None = None
    host_zone: tzinfo = UTC
    pause: Callable[[float], None] | None = None
