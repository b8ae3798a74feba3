"""A session that its agent does not list.

## What it does
Tells when the folder that a transcript names first is gone (`moved`), and when a transcript lies too high
or too deep in the store (`misplaced`).

## Why it matters
The agent looks for sessions by the folder it is started in. After a move the old ones seem lost.

## Example
`/w/old/app` was moved to `/w/new/app`.

## Better
Start the agent where the folder was, or move the transcript by hand to the path that is named.

## Which agents
Claude Code, Codex (`moved` only).

## Source
agents.md 8 and 9.1.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentbrief.rules.finding import Finding, Severity
from agentbrief.rules.transcript_scene import TranscriptScene, finding_at

SEVERITY: Severity = "warning"
AGENTS = ("claude-code", "codex")


def check(scene: TranscriptScene) -> Iterator[Finding]:
    for session in scene.unlisted:
        message = f"session-not-listed.{session.kind}"
        if session.suggestion:
            message += ".suggestion"
        yield finding_at(
            scene,
            "session-not-listed",
            session.path,
            0,
            SEVERITY,
            (("cwd", session.cwd or ""), ("suggestion", session.suggestion or "")),
            reason=session.kind,
            message=message,
            data=(("cwd", session.cwd or ""), ("suggestion", session.suggestion or "")),
        )
