"""Notes that are never written before a compaction.

## What it does
Compares the tokens at which OpenClaw writes notes with those at which it compacts, and tells when the
compaction always comes first.

## Why it matters
The turn that saves lasting notes never runs, so what the summary leaves out is lost.

## Example
`agents.defaults.compaction.reserveTokens: 40_000` with the floor of 20,000: notes are due at the window less
24,000, the compaction at the window less 40,000.

## Better
Raise `reserveTokensFloor` to the reserve, or lower the reserve: the notes reckon with the floor.

## Which agents
OpenClaw.

## Source
openclaw.md 9; openclaw/openclaw `src/auto-reply/reply/memory-flush.ts`, issue 12590.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentbrief.rules.finding import Finding, Severity
from agentbrief.rules.store_scene import StoreScene

SEVERITY: Severity = "warning"
AGENTS = ("openclaw",)


def check(scene: StoreScene) -> Iterator[Finding]:
    flush = scene.flush
    if flush is None or not flush.never_runs:
        return
    yield Finding(
        "flush-never-runs",
        scene.config_path,
        flush.span,
        SEVERITY,
        "flush-never-runs",
        scene.profile.id,
        (
            ("agent", scene.profile.title),
            ("reserve", flush.reserve_tokens),
            ("reckoned", flush.floor_tokens + flush.soft_tokens),
        ),
        data=(("reserve", flush.reserve_tokens), ("floor", flush.floor_tokens), ("soft", flush.soft_tokens)),
    )
