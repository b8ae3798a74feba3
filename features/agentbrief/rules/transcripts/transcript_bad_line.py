"""A line of a transcript that cannot be read.

## What it does
Names each line that is no record and holds none: cut off, filled with NUL bytes, no UTF-8, nested too
deeply.

## Why it matters
The records after it are good, but some programs stop there. Claude Code did so when it resumed a session,
up to 2.1.120.

## Example
A line that ends in the middle of a word because the disk was full while it was written.

## Better
Write a repaired copy. It leaves the line out and every other line as it is, byte for byte.

## Which agents
Claude Code, Codex, OpenClaw, pi.

## Source
agents.md 8; reliability.md 9; CHANGELOG.md of anthropics/claude-code, 2.1.121.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from agentbrief.rules.finding import Finding, Fix, Severity
from agentbrief.rules.transcript_scene import TranscriptScene, finding_at, repaired_copy
from agentbrief.sessions.facts import MERGED_LINES, UNREADABLE_LINES

SEVERITY: Severity = "error"
AGENTS = ("claude-code", "codex", "openclaw", "pi")


def check(scene: TranscriptScene) -> Iterator[Finding]:
    for facts in scene.transcripts:
        for damage in facts.damage:
            if damage.code in MERGED_LINES or damage.code not in UNREADABLE_LINES:
                continue
            reason = "nul" if damage.code == "nul-run" else "cut"
            arguments = (("n", damage.line),)
            yield finding_at(
                scene,
                "transcript-bad-line",
                facts.path,
                damage.line,
                SEVERITY,
                arguments,
                reason=reason,
                message=f"transcript-bad-line.{reason}",
                data=(("offset", damage.offset), ("length", damage.length), ("word", damage.code)),
            )


def fix(finding: Finding, text: str) -> Iterable[Fix]:
    return repaired_copy(finding)
