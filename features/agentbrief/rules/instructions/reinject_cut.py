"""A section that OpenClaw shows again after a compaction is cut.

## What it does
Marks the first character of the sections for after a compaction that is left out, because together they are
longer than OpenClaw's limit for them.

## Why it matters
After each compaction the model sees the beginning of these rules only.

## Example
`## Session Startup` and `## Red Lines` with 2,400 characters together, under a version that shows 1,800.

## Better
Shorten the sections, or raise `agents.defaults.contextLimits.postCompactionMaxChars` (from 2026.4.15 on).

## Which agents
OpenClaw: 3,000 UTF-16 units in 2026.3.2, 1,800 from 2026.4.15 on.

## Source
openclaw.md 12.1; openclaw/openclaw `src/auto-reply/reply/post-compaction-context.ts`, issue 78211.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentbrief.rules.finding import Finding, Severity
from agentbrief.rules.scene import Scene
from agentbrief.rules.shown_again import shown_again
from agentbrief.text.span import Span

SEVERITY: Severity = "warning"
AGENTS = ("openclaw",)


def check(scene: Scene) -> Iterator[Finding]:
    for judged in scene.judged:
        again = shown_again(scene, judged)
        if again is None or again.cut is None:
            continue
        yield Finding(
            "reinject-cut",
            judged.file.path,
            Span(again.cut, again.cut + 1),
            SEVERITY,
            "reinject-cut",
            scene.profile.id,
            (("agent", scene.profile.title), ("max", again.max_chars)),
            data=(("cut", again.cut),),
        )
