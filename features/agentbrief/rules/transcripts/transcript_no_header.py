"""A transcript without its header.

## What it does
Tells when the first line that is not blank is not the header of a session, and when the file is empty.

## Why it matters
OpenClaw and pi refuse to open such a file.

## Example
A file whose first line was lost when it was copied while the agent wrote it.

## Better
Write a repaired copy with a header made from the file name and the first time.

## Which agents
OpenClaw, pi.

## Source
openclaw.md 4.7.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from agentbrief.rules.finding import Finding, Fix, Severity
from agentbrief.rules.transcript_scene import TranscriptScene, finding_at, repaired_copy

SEVERITY: Severity = "error"
AGENTS = ("openclaw", "pi")


def check(scene: TranscriptScene) -> Iterator[Finding]:
    for facts in scene.transcripts:
        if facts.has_header:
            continue
        reason = "empty-file" if facts.size == 0 else "no-header"
        yield finding_at(
            scene, "transcript-no-header", facts.path, min(facts.size, 1), SEVERITY, reason=reason
        )


def fix(finding: Finding, text: str) -> Iterable[Fix]:
    return repaired_copy(finding)
