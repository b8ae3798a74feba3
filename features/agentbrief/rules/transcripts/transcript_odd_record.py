"""A record of a transcript that is read, but not as it was meant.

## What it does
Names records without an identifier, without a message or its content, with a time that cannot be read, and
headers after the first.

## Why it matters
They are shown where they stand. What the missing part would have said is lost.

## Example
A message whose `content` is null because a reply was interrupted.

## Better
Nothing has to be done. A repaired copy leaves such records as they are.

## Which agents
OpenClaw, pi.

## Source
openclaw.md 4.7.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentbrief.rules.finding import Finding, Severity
from agentbrief.rules.transcript_scene import TranscriptScene, finding_at

SEVERITY: Severity = "warning"
AGENTS = ("openclaw", "pi")


def check(scene: TranscriptScene) -> Iterator[Finding]:
    for facts in scene.transcripts:
        for odd in facts.odd:
            yield finding_at(
                scene,
                "transcript-odd-record",
                facts.path,
                odd.line,
                SEVERITY,
                (("n", odd.line),),
                reason=odd.what,
                message=f"transcript-odd-record.{odd.what}",
            )
