"""An identifier that two records of a transcript share.

## What it does
Tells when one identifier stands in two records with different parents (`record`), and when two messages
call a tool under one identifier (`tool-use`).

## Why it matters
An index that keeps the other record of the two loses everything that hangs on the first. Of records Claude
Code counts the first, pi and OpenClaw the last.

## Example
A prompt that was written again after a crash, days later and under another parent.

## Better
Write a repaired copy that keeps the record that the agent counts.

## Which agents
Claude Code, OpenClaw, pi.

## Source
agents.md 8 and 9.1; openclaw.md 4.4.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from agentbrief.rules.finding import Finding, Fix, Severity
from agentbrief.rules.transcript_scene import TranscriptScene, finding_at, other_line, repaired_copy

SEVERITY: Severity = "error"
AGENTS = ("claude-code", "openclaw", "pi")


def check(scene: TranscriptScene) -> Iterator[Finding]:
    for facts in scene.transcripts:
        for repeated in facts.repeated:
            yield finding_at(
                scene,
                "transcript-duplicate-id",
                facts.path,
                repeated.line,
                SEVERITY,
                (("id", repeated.id), ("a", repeated.first_line), ("b", repeated.line)),
                reason=repeated.kind,
                related=(other_line(facts.path, repeated.first_line, "transcript-duplicate-id.first"),),
                data=(("id", repeated.id),),
            )


def fix(finding: Finding, text: str) -> Iterable[Fix]:
    return repaired_copy(finding)
