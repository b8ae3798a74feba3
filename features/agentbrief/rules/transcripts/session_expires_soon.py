"""A session that its agent will soon delete.

## What it does
Adds the agent's retention to the time a transcript last changed, and tells when 7 days or less are left.

## Why it matters
The agent deletes old sessions when it starts, without a word.

## Example
A transcript that last changed 28 days ago, with the retention of 30 days that Claude Code has by default.

## Better
Export the session, or raise `cleanupPeriodDays` in the settings of Claude Code.

## Which agents
Claude Code.

## Source
agents.md 8 and 9.1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from agentbrief.rules.finding import Finding, Fix, Severity
from agentbrief.rules.transcript_scene import TranscriptScene, finding_at
from agentbrief.sessions.listing import days_left

SEVERITY: Severity = "information"
AGENTS = ("claude-code",)


def check(scene: TranscriptScene) -> Iterator[Finding]:
    if scene.retention_days is None or scene.expiring_days <= 0:
        return
    for session in scene.listed:
        days = days_left(session.mtime_ms, scene.retention_days, scene.now_ms)
        if days <= scene.expiring_days:
            yield finding_at(
                scene,
                "session-expires-soon",
                session.path,
                0,
                SEVERITY,
                (("days", days),),
                data=(("days", days),),
            )


def fix(finding: Finding, text: str) -> Iterable[Fix]:
    return (
        Fix(
            "export-session",
            "fix.export-session",
            "quickfix",
            command="agentbrief.session.export",
            command_arguments=(("uri", finding.path),),
        ),
    )
