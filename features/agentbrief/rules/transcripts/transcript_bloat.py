"""A transcript that mostly holds what the model never sees.

## What it does
Tells when a file of 5,000,000 bytes or more consists to 80 % of records that are never sent: with Codex
every compaction but the last, with Claude Code the notes of the program itself.

## Why it matters
The agent reads all of it to resume the session, and may run out of memory.

## Example
A rollout of Codex in which each of a dozen compactions repeats the whole history.

## Better
Write an archive copy without these records. The transcript stays as it is.

## Which agents
Claude Code, Codex.

## Source
agents.md 8.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentbrief.rules.finding import Finding, Severity
from agentbrief.rules.transcript_scene import TranscriptScene, finding_at, percent_text, size_text
from agentbrief.sessions.jsonl.line_facts import LARGE_LINE_BYTES

SEVERITY: Severity = "warning"
AGENTS = ("claude-code", "codex")

_LEAST_PERCENT = 80


def check(scene: TranscriptScene) -> Iterator[Finding]:
    for facts in scene.transcripts:
        unseen = sum(kind.unseen_bytes for kind in facts.types)
        if facts.size < LARGE_LINE_BYTES or 100 * unseen < _LEAST_PERCENT * facts.size:
            continue
        largest = max(facts.types, key=lambda kind: kind.unseen_bytes)
        yield finding_at(
            scene,
            "transcript-bloat",
            facts.path,
            0,
            SEVERITY,
            (
                ("share", percent_text(largest.unseen_bytes, facts.size)),
                ("size", size_text(facts.size)),
                ("type", largest.type),
            ),
            data=(
                ("type", largest.type),
                ("bytes", largest.unseen_bytes),
                ("permille", 1000 * largest.unseen_bytes // facts.size),
            ),
        )
