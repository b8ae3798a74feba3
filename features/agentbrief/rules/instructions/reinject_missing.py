"""A section that OpenClaw would show again after a compaction is not there.

## What it does
Looks in the workspace's `AGENTS.md` for the sections that OpenClaw shows to the model again after each
compaction, and names those that are missing.

## Why it matters
After a compaction the model has only a summary of what `AGENTS.md` said at the start; rules without such a
section are not repeated.

## Example
An `AGENTS.md` with `## Rules` and no `## Red Lines`.

## Better
Put what must never be forgotten under `## Red Lines`, and what belongs to each beginning under
`## Session Startup`.

## Which agents
OpenClaw. From 2026.4.15 on the names can be set (`agents.defaults.compaction.postCompactionSections`), and
`Every Session` and `Safety` count where none of the two is there. 2026.9.6 shows nothing again unless names
are set.

## Source
openclaw.md 12.1; openclaw/openclaw `src/auto-reply/reply/post-compaction-context.ts`, issue 17727.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentbrief.rules.finding import Finding, Severity
from agentbrief.rules.scene import Scene
from agentbrief.rules.shown_again import shown_again
from agentbrief.text.span import Span

SEVERITY: Severity = "information"
AGENTS = ("openclaw",)


def check(scene: Scene) -> Iterator[Finding]:
    for judged in scene.judged:
        again = shown_again(scene, judged)
        if again is None or not again.missing:
            continue
        end = judged.text.find("\n")
        yield Finding(
            "reinject-missing",
            judged.file.path,
            Span(0, len(judged.text) if end < 0 else end),
            SEVERITY,
            "reinject-missing",
            scene.profile.id,
            (("agent", scene.profile.title), ("names", ", ".join(again.missing))),
            data=tuple(("name", name) for name in again.missing),
        )
