"""A command that stands inside one reply.

## What it does
A reply is written as several lines. It tells when a command or a prompt stands between them and the reply
calls a tool of the service.

## Why it matters
The service wants such a call and its result in one message. It refuses the request that is made of the
parts.

## Example
A slash command entered while the service was searching the web.

## Better
Write a repaired copy in which the command stands behind the reply.

## Which agents
Claude Code.

## Source
agents.md 8.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from agentbrief.rules.finding import Finding, Fix, Severity
from agentbrief.rules.transcript_scene import TranscriptScene, finding_at, other_line, repaired_copy

SEVERITY: Severity = "error"
AGENTS = ("claude-code",)


def check(scene: TranscriptScene) -> Iterator[Finding]:
    for facts in scene.transcripts:
        for split in facts.split:
            yield finding_at(
                scene,
                "transcript-split-message",
                facts.path,
                split.line,
                SEVERITY,
                related=(
                    other_line(facts.path, split.first_line, "transcript-split-message.part"),
                    other_line(facts.path, split.last_line, "transcript-split-message.part"),
                ),
                data=(("id", split.message_id),),
            )


def fix(finding: Finding, text: str) -> Iterable[Fix]:
    return repaired_copy(finding)
