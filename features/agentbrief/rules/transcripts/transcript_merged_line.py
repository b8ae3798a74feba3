"""A line of a transcript with more than one record on it.

## What it does
Names each line that holds two whole records, or a whole one behind or before a piece of another.

## Why it matters
A reader that takes one record a line loses all of them, and with them the parent of what follows.

## Example
A note that was cut off when the program was killed, and the next reply on the same line.

## Better
Write a repaired copy: each whole record gets a line of its own, the piece is kept in a file beside it.

## Which agents
Claude Code, Codex, OpenClaw, pi.

## Source
agents.md 8; reliability.md 9.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from agentbrief.rules.finding import Finding, Fix, Severity
from agentbrief.rules.transcript_scene import TranscriptScene, finding_at, repaired_copy
from agentbrief.sessions.facts import MERGED_LINES

SEVERITY: Severity = "error"
AGENTS = ("claude-code", "codex", "openclaw", "pi")


def check(scene: TranscriptScene) -> Iterator[Finding]:
    for facts in scene.transcripts:
        for damage in facts.damage:
            if damage.code not in MERGED_LINES:
                continue
            yield finding_at(
                scene,
                "transcript-merged-line",
                facts.path,
                damage.line,
                SEVERITY,
                (("n", damage.line), ("k", len(damage.recovered))),
                reason=damage.code,
                message=f"transcript-merged-line.{damage.code}",
                data=(("offset", damage.offset), ("length", damage.length)),
            )


def fix(finding: Finding, text: str) -> Iterable[Fix]:
    return repaired_copy(finding)
