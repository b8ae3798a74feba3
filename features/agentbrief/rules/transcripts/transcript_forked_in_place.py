"""Two programs that wrote one session at the same time.

## What it does
Tells when two typed prompts answer one message and both branches were being written at once. Going back to
an earlier prompt is no such fork: its first branch ends before the second begins.

## Why it matters
The end of the file shows one branch only. What was said in the other is kept, but the agent does not know
it.

## Example
The same session resumed in two terminals.

## Better
View both branches; go on in one program.

## Which agents
Claude Code.

## Source
agents.md 8.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentbrief.rules.finding import Finding, Severity
from agentbrief.rules.transcript_scene import TranscriptScene, finding_at, other_line

SEVERITY: Severity = "warning"
AGENTS = ("claude-code",)


def check(scene: TranscriptScene) -> Iterator[Finding]:
    for facts in scene.transcripts:
        for fork in facts.two_writers:
            yield finding_at(
                scene,
                "transcript-forked-in-place",
                facts.path,
                fork.line,
                SEVERITY,
                (("n", fork.line),),
                related=(other_line(facts.path, fork.first_line, "transcript-forked-in-place.first"),),
                data=(("parent", fork.parent_id),),
            )
