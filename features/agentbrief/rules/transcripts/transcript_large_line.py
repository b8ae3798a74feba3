"""A line of a transcript of 5 MB or more.

## What it does
Names each line of 5,000,000 bytes or more, with its share of the file.

## Why it matters
Programs that read a line at a time need several times its size of memory, and resuming can hang. Often the
same output also lies in a file beside the transcript.

## Example
The whole output of `git diff` over generated files, as the result of one call.

## Better
View the session without that line. The transcript stays as it is.

## Which agents
Claude Code, Codex.

## Source
agents.md 8.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentbrief.rules.finding import Finding, Severity
from agentbrief.rules.transcript_scene import TranscriptScene, finding_at, percent_text, size_text

SEVERITY: Severity = "warning"
AGENTS = ("claude-code", "codex")


def check(scene: TranscriptScene) -> Iterator[Finding]:
    for facts in scene.transcripts:
        for record in facts.long_records:
            yield finding_at(
                scene,
                "transcript-large-line",
                facts.path,
                record.line,
                SEVERITY,
                (
                    ("n", record.line),
                    ("size", size_text(record.bytes)),
                    ("share", percent_text(record.bytes, facts.size)),
                ),
                data=(("bytes", record.bytes), ("type", record.type or "")),
            )
