"""A session that was compacted long before its window was full.

## What it does
Compares the tokens before an automatic compaction with the point at which the agent compacts by itself. It
tells when they are under 85 % of it and no valid setting explains that, and names a setting that does so by
mistake.

A compaction at the point of a smaller window, which the same model has with some providers, is no finding
unless the provider is known.

## Why it matters
Everything that was said before is replaced by a summary although there was room for it.

## Example
`CLAUDE_CODE_AUTO_COMPACT_WINDOW=500k`: a plain number is wanted, so 500 is read and raised to 100,000.

## Better
Look at `autoCompactWindow`, `CLAUDE_CODE_AUTO_COMPACT_WINDOW` and `CLAUDE_AUTOCOMPACT_PCT_OVERRIDE`.

## Which agents
Claude Code.

## Source
agents.md 5.11 and 8; the point of compaction is reverse-engineered and therefore given as "about".
"""

from __future__ import annotations

from collections.abc import Iterator

from agentbrief.rules.finding import Finding, Severity
from agentbrief.rules.transcript_scene import TranscriptScene, finding_at

SEVERITY: Severity = "warning"
AGENTS = ("claude-code",)

_LEAST_PERCENT = 85


def check(scene: TranscriptScene) -> Iterator[Finding]:
    for facts in scene.transcripts:
        window = scene.window(facts)
        point = scene.point(window)
        if point.tokens is None or window.tokens is None:
            continue
        for boundary in facts.boundaries:
            before = boundary.before_tokens
            if boundary.trigger != "auto" or before is None or _is_due(before, point.tokens):
                continue
            if any(_is_due(before, smaller) and before <= size for size, smaller in window.may_be):
                continue
            cause = ", ".join(point.mistaken)
            yield finding_at(
                scene,
                "compaction-early",
                facts.path,
                boundary.line,
                SEVERITY,
                (("pre", before), ("threshold", point.tokens), ("cause", cause)),
                message="compaction-early.cause" if cause else "compaction-early",
                data=(
                    ("pre", before),
                    ("threshold", point.tokens),
                    ("window", window.tokens),
                    ("permille", round(1000 * before / window.tokens)),
                    ("cause", cause),
                ),
            )


def _is_due(tokens: int, point: int) -> bool:
    return 100 * tokens >= _LEAST_PERCENT * point
