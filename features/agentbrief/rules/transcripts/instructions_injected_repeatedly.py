"""An instruction file that one session put into the context several times.

## What it does
Counts how often one and the same text of a file was put into the context of a session since its last
compaction.

## Why it matters
Each copy takes its share of the window. Up to 2.1.88 every read in a sub-folder brought its file along
again.

## Example
Three reads in `web/`, and the 4,000 characters of `web/CLAUDE.md` stand in the context three times.

## Better
Use a newer version, or move the text into the file at the root.

## Which agents
Claude Code.

## Source
agents.md 5.2 and 8.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentbrief.rules.finding import Finding, Severity
from agentbrief.rules.transcript_scene import TranscriptScene, finding_at
from agentbrief.sessions.context_used import tokens_of_chars
from agentbrief.sessions.facts import Injected

SEVERITY: Severity = "warning"
AGENTS = ("claude-code",)


def check(scene: TranscriptScene) -> Iterator[Finding]:
    told: set[str] = set()
    for facts in sorted(scene.transcripts, key=lambda facts: (-facts.mtime_ms, facts.path)):
        copies: dict[tuple[str, str], list[Injected]] = {}
        for injected in facts.injected:
            if injected.line > facts.last_boundary_line:
                copies.setdefault((injected.path, injected.digest), []).append(injected)
        for (path, _), found in copies.items():
            if len(found) < 2 or path in told:
                continue
            told.add(path)
            tokens = tokens_of_chars(found[0].chars) * (len(found) - 1)
            yield finding_at(
                scene,
                "instructions-injected-repeatedly",
                path,
                0,
                SEVERITY,
                (("copies", len(found)), ("tokens", tokens)),
                data=(
                    ("copies", len(found)),
                    ("tokens", tokens),
                    ("transcript", facts.path),
                    ("transcript_line", found[-1].line),
                ),
            )
