"""A content block that the service refuses.

## What it does
Looks at the blocks that are sent: it tells of keys that the service does not know (`extra-keys`), and of
empty thinking with a signature once the service has complained about thinking (`empty-thinking`).

## Why it matters
Every request that holds such a block fails, whatever is asked.

## Example
A text block with `start_timestamp`, stored by a beta version.

## Better
Write a repaired copy without the keys, or without the empty block.

## Which agents
Claude Code.

## Source
agents.md 8 and 9.1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from agentbrief.rules.finding import Finding, Fix, Severity
from agentbrief.rules.transcript_scene import TranscriptScene, finding_at, repaired_copy

SEVERITY: Severity = "error"
AGENTS = ("claude-code",)


def check(scene: TranscriptScene) -> Iterator[Finding]:
    for facts in scene.transcripts:
        for block in facts.rejected:
            yield finding_at(
                scene,
                "transcript-rejected-block",
                facts.path,
                block.line,
                SEVERITY,
                (("block", block.block), ("keys", ", ".join(block.keys))),
                reason=block.kind,
                message=f"transcript-rejected-block.{block.kind}",
                data=(("keys", ", ".join(block.keys)),),
            )


def fix(finding: Finding, text: str) -> Iterable[Fix]:
    return repaired_copy(finding)
