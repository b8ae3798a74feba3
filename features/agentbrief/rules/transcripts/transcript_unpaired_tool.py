"""A tool call without its result, or a result without its call.

## What it does
Looks at what the model is sent: every call has a result behind it, and every result a call before it. A
call at the very end may still be running.

## Why it matters
The service refuses such a request, so every further prompt in the session fails.

## Example
A call that was written when the program was killed, and a prompt typed after the restart.

## Better
Write a repaired copy: a call without a result gets one that says it was interrupted, a result without a
call is left out.

## Which agents
Claude Code, Codex.

## Source
agents.md 8 and 9.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from agentbrief.rules.finding import Finding, Fix, Severity
from agentbrief.rules.transcript_scene import TranscriptScene, finding_at, repaired_copy

SEVERITY: Severity = "error"
AGENTS = ("claude-code", "codex")


def check(scene: TranscriptScene) -> Iterator[Finding]:
    for facts in scene.transcripts:
        for tool in facts.unpaired:
            yield finding_at(
                scene,
                "transcript-unpaired-tool",
                facts.path,
                tool.line,
                SEVERITY,
                (("id", tool.id),),
                reason=tool.kind,
                message=f"transcript-unpaired-tool.{tool.kind}",
                data=(("id", tool.id),),
            )


def fix(finding: Finding, text: str) -> Iterable[Fix]:
    return repaired_copy(finding)
