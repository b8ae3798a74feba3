"""The stretch of a file that the agent does not read.

## What it does
Covers everything from the cut to the end of the file, so that an editor can fade it.

## Why it matters
It shows at a glance which rules reach the agent and which do not.

## Example
The last third of a `CLAUDE.md` of 6,012 characters, under an agent that reads 4,000.

## Better
See `file-over-limit` and `total-over-limit`, which say why.

## Which agents
Every agent with a limit that cuts. The cut shown is the one that an agent makes which is
started in the file's own folder.

## Source
ultraworkers/claw-code `rust/crates/runtime/src/prompt.rs`.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentbrief.brief import CutAt, Omitted
from agentbrief.rules.finding import Finding, Severity
from agentbrief.rules.scene import Scene
from agentbrief.text.span import Span

SEVERITY: Severity = "hint"


def check(scene: Scene) -> Iterator[Finding]:
    for judged in scene.judged:
        placed = judged.own.placed
        if isinstance(placed, CutAt):
            lost = placed.lost
        elif isinstance(placed, Omitted) and placed.why == "budget":
            lost = Span(0, judged.file.chars)
        else:
            continue
        yield Finding(
            "text-past-limit",
            judged.file.path,
            lost,
            SEVERITY,
            "text-past-limit",
            scene.profile.id,
            (("agent", scene.profile.title),),
            tags=("unnecessary",),
        )
