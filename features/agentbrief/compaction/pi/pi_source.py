"""What is a compaction of a transcript of pi or OpenClaw made from: which file, and which bounds?"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from agentbrief.disk.values import Stamp
from agentbrief.profiles.openclaw_data import StoreSummaryData
from agentbrief.sessions.model import SessionRef
from agentbrief.sessions.pi.leaf_path import TranscriptAtLeaf

Layout = Literal["pi", "openclaw"]


@dataclass(frozen=True, slots=True)
class PiSource:
    """The file that is compacted, and the transcript that was read from it."""

    ref: SessionRef
    data: bytes = field(repr=False)
    stamp: Stamp | None
    transcript: TranscriptAtLeaf = field(repr=False)


@dataclass(frozen=True, slots=True)
class PiSettings:
    """The bounds in tokens, and how the summary is written down.

    ``window_tokens`` None = not known. ``rules`` are the sections of the workspace's file that OpenClaw's
    layout repeats, joined, ``reinjected`` the names of those sections; ``recent_turns`` how many turns it
    keeps word for word.
    """

    keep_recent_tokens: int
    reserve_tokens: int
    layout: Layout
    data: StoreSummaryData
    window_tokens: int | None = None
    recent_turns: int = 0
    rules: str = ""
    reinjected: tuple[str, ...] = ()
