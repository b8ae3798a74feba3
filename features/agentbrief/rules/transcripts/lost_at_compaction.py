"""An instruction file that a compaction has removed from the context.

## What it does
Looks for instruction files that were put into the context of a session before its last compaction and not
again since. Of several sessions the one that changed last counts.

## Why it matters
The agent reads the files of the project's root again after a compaction, but not those of sub-folders and
rules with paths. Until it next reads a file there, it does not know them.

## Example
`api/CLAUDE.md` was loaded when a file in `api` was read; then the session was compacted.

## Better
Move what must always hold into the file at the root, or take the paths from the rule.

## Which agents
Claude Code.

## Source
agents.md 5.11 and 8; vendor page `context-window`.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentbrief.rules.finding import Finding, Severity
from agentbrief.rules.transcript_scene import TranscriptScene, finding_at

SEVERITY: Severity = "information"
AGENTS = ("claude-code",)


def check(scene: TranscriptScene) -> Iterator[Finding]:
    told: set[str] = set()
    for facts in sorted(scene.transcripts, key=lambda facts: (-facts.mtime_ms, facts.path)):
        if not facts.boundaries:
            continue
        boundary = facts.boundaries[-1]
        since = {injected.path for injected in facts.injected if injected.line > boundary.line}
        for injected in facts.injected:
            if injected.line > boundary.line or injected.path in since or injected.path in told:
                continue
            told.add(injected.path)
            yield finding_at(
                scene,
                "lost-at-compaction",
                injected.path,
                0,
                SEVERITY,
                (("time", boundary.time[:16].replace("T", " ")),) if boundary.time else (),
                message="lost-at-compaction" if boundary.time else "lost-at-compaction.unknown-time",
                data=(("transcript", facts.path), ("transcript_line", injected.line)),
            )
