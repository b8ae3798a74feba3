"""A heading that OpenClaw does not take for one of the sections it shows again.

## What it does
Finds headings in the workspace's `AGENTS.md` that a person reads as `Session Startup` or `Red Lines` and
OpenClaw does not: without a blank behind the hashes, with closing hashes, in bold, with a colon, of another
level, indented, underlined, or inside a fence.

## Why it matters
The section is not shown again after a compaction, although it stands there.

## Example
`##Red Lines`, `## **Red Lines**`, `## Red Lines:`, `# Red Lines`

## Better
Write `## Red Lines` at the start of a line, with one blank and nothing behind the name.

## Which agents
OpenClaw.

## Source
openclaw.md 12.1; openclaw/openclaw `src/auto-reply/reply/post-compaction-context.ts`.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentbrief.rules.finding import Finding, Severity
from agentbrief.rules.scene import Scene
from agentbrief.rules.shown_again import shown_again

SEVERITY: Severity = "warning"
AGENTS = ("openclaw",)


def check(scene: Scene) -> Iterator[Finding]:
    for judged in scene.judged:
        again = shown_again(scene, judged)
        for miss in again.near_misses if again is not None else ():
            yield Finding(
                "reinject-near-miss",
                judged.file.path,
                miss.span,
                SEVERITY,
                f"reinject-near-miss.{miss.kind}",
                scene.profile.id,
                (("agent", scene.profile.title), ("name", miss.name)),
                data=(("reason", miss.kind), ("name", miss.name)),
            )
