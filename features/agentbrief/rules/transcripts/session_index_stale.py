"""A list of sessions that names transcripts which are gone.

## What it does
Compares the agent's own index of sessions with the files beside it.

## Why it matters
The agent offers sessions that it cannot open.

## Example
`sessions-index.json` names a session whose file the clean-up has removed.

## Better
Go by the files, as Agent Brief does. The agent writes the index again by itself.

## Which agents
Claude Code.

## Source
agents.md 8 and 9.1.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentbrief.rules.finding import Finding, Severity
from agentbrief.rules.transcript_scene import TranscriptScene, finding_at

SEVERITY: Severity = "warning"
AGENTS = ("claude-code",)


def check(scene: TranscriptScene) -> Iterator[Finding]:
    for index in scene.index_files:
        if index.missing:
            yield finding_at(
                scene,
                "session-index-stale",
                index.path,
                0,
                SEVERITY,
                (("n", len(index.missing)),),
                data=tuple(("missing", identifier) for identifier in index.missing),
            )
