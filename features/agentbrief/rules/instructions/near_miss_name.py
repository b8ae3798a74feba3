"""A file whose name is almost that of an instruction file.

## What it does
Names a file that differs from an instruction file's name only in upper and lower case, on a
disk that tells them apart.

## Why it matters
The agent does not read it. On another disk it may, so the same project behaves differently.

## Example
`claude.md` instead of `CLAUDE.md`.

## Better
Rename the file.

## Which agents
Claw and every other agent that asks for an exact name.

## Source
claw.md 2.2.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentbrief.rules.finding import Finding, Severity
from agentbrief.rules.scene import Scene
from agentbrief.text.span import Span

SEVERITY: Severity = "warning"


def check(scene: Scene) -> Iterator[Finding]:
    seen: set[str] = set()
    for brief in scene.briefs:
        for miss in brief.near_misses:
            if miss.path in seen or (scene.only is not None and miss.path != scene.only):
                continue
            seen.add(miss.path)
            found = miss.path.rsplit("/", 1)[-1]
            yield Finding(
                "near-miss-name",
                miss.path,
                Span(0, 0),
                SEVERITY,
                "near-miss-name",
                scene.profile.id,
                (("agent", scene.profile.title), ("found", found), ("name", miss.name)),
                data=(("name", miss.name),),
            )
