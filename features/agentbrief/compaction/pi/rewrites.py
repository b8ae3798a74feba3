"""By which steps is a transcript rewritten with less in it, and is what the model sees the same afterwards?

Two ways: the messages that a compaction summarised go (openclaw.md 8.11), or all but the last lines (8.10).
The checkpoint of the first is made by the room that keeps them; the second keeps its old name for OpenClaw.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace

from agentbrief.changes.steps import CopyVerified, Forward, ReplaceFile
from agentbrief.compaction.openclaw.keep_lines import LinesKept, keep_last_lines
from agentbrief.compaction.pi.replacement import Replacement, replacement
from agentbrief.disk.values import Stamp
from agentbrief.sessions.pi.context import Context, context_of
from agentbrief.sessions.pi.read import read_transcript
from agentbrief.sessions.pi.tree import PiTranscript
from agentbrief.sessions.store.names import archive_name


@dataclass(frozen=True, slots=True)
class ReplacementPlan:
    """What goes, and the steps; no steps where nothing changes."""

    path: str
    replacement: Replacement
    steps: tuple[Forward, ...] = ()


@dataclass(frozen=True, slots=True)
class LinesPlan:
    """What is kept, and the steps; ``archive`` is the file that gets the old content."""

    path: str
    kept: LinesKept
    archive: str | None = None
    steps: tuple[Forward, ...] = ()


def plan_replacement(path: str, data: bytes, stamp: Stamp) -> ReplacementPlan:
    """The plan that takes the summarised messages out of the transcript ``path``."""
    found = replacement(data)
    if found.content is None:
        return ReplacementPlan(path, found)
    if not _shows_the_same(data, found.content):
        return ReplacementPlan(path, replace(found, content=None, removed=(), reason="would lose messages"))
    return ReplacementPlan(path, found, (ReplaceFile(path, found.content, stamp),))


def plan_last_lines(path: str, data: bytes, stamp: Stamp, max_lines: int, now_ms: int) -> LinesPlan:
    """The plan that keeps the header and the last ``max_lines`` entries of the transcript ``path``.

    Raises:
        ValueError: ``max_lines`` is below 1.
    """
    kept = keep_last_lines(data, max_lines)
    if kept.content is None:
        return LinesPlan(path, kept)
    folder, name = os.path.split(path)
    archive = os.path.join(folder, archive_name(name, "bak", now_ms))
    steps = (CopyVerified(path, archive, stamp), ReplaceFile(path, kept.content, stamp))
    return LinesPlan(path, kept, archive, steps)


def _shows_the_same(before: bytes, after: bytes) -> bool:
    """Whether the model sees the same messages of both, at the same leaf."""
    old, new = _context(before), _context(after)
    return old is not None and new is not None and old.messages == new.messages


def _context(data: bytes) -> Context | None:
    transcript = read_transcript(data)
    if not isinstance(transcript, PiTranscript):
        return None
    return context_of(transcript.tree, transcript.tree.leaf_id)
