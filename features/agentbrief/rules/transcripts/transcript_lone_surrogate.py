r"""A text in a transcript that holds half a character.

## What it does
Names each line in which an escape stands for one half of a surrogate pair without the other half.

## Why it matters
Such a text cannot be written as UTF-8. Some readers refuse the line, and Claude Code could not resume such
a session before it cleaned the text on loading.

## Example
An emoji at the place where the output of a tool was cut: `\ud83d…`.

## Better
Write a repaired copy: the half becomes U+FFFD.

## Which agents
Claude Code, Codex, OpenClaw, pi.

## Source
agents.md 8; CHANGELOG.md of anthropics/claude-code.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from agentbrief.rules.finding import Finding, Fix, Severity
from agentbrief.rules.transcript_scene import TranscriptScene, finding_at, repaired_copy

SEVERITY: Severity = "error"
AGENTS = ("claude-code", "codex", "openclaw", "pi")


def check(scene: TranscriptScene) -> Iterator[Finding]:
    for facts in scene.transcripts:
        for line in facts.half_pairs:
            yield finding_at(scene, "transcript-lone-surrogate", facts.path, line, SEVERITY, (("n", line),))


def fix(finding: Finding, text: str) -> Iterable[Fix]:
    return repaired_copy(finding)
