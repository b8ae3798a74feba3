"""A transcript whose last record is incomplete.

## What it does
Names a last line that has no line end and is no record, once the file has been quiet for a minute.

## Why it matters
The next record that is appended to it makes one bad line of two good records.

## Example
The machine lost power while a reply was being written.

## Better
Write a repaired copy without the last line.

## Which agents
Claude Code, Codex, OpenClaw, pi.

## Source
agents.md 8; reliability.md 7.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from agentbrief.rules.finding import Finding, Fix, Severity
from agentbrief.rules.transcript_scene import TranscriptScene, finding_at, repaired_copy

SEVERITY: Severity = "warning"
AGENTS = ("claude-code", "codex", "openclaw", "pi")


def check(scene: TranscriptScene) -> Iterator[Finding]:
    for facts in scene.transcripts:
        if facts.torn_tail is not None and not scene.may_be_running(facts):
            yield finding_at(
                scene,
                "transcript-torn-tail",
                facts.path,
                facts.torn_tail.line,
                SEVERITY,
                data=(("offset", facts.torn_tail.offset), ("length", facts.torn_tail.length)),
            )


def fix(finding: Finding, text: str) -> Iterable[Fix]:
    return repaired_copy(finding)
