"""A file that is read here and would not be on another disk.

## What it does
Names an instruction file whose name is spelled in other upper and lower case, on a disk that
does not tell them apart.

## Why it matters
Here the agent reads it; on a disk that tells them apart, such as most Linux machines and CI, it does not.

## Example
`Claude.md` on a Mac.

## Better
Rename the file to the exact name.

## Which agents
Claw and every other agent that asks for an exact name.

## Source
claw.md 2.2.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from agentbrief.rules.finding import Finding, Severity
from agentbrief.rules.scene import Scene
from agentbrief.text.span import Span

SEVERITY: Severity = "information"


def check(scene: Scene) -> Iterator[Finding]:
    for judged in scene.judged:
        if judged.file.spelled is None:
            continue
        name = os.path.basename(judged.file.path)
        yield Finding(
            "name-case",
            judged.file.path,
            Span(0, 0),
            SEVERITY,
            "name-case",
            scene.profile.id,
            (("agent", scene.profile.title), ("found", judged.file.spelled), ("name", name)),
            data=(("name", name),),
        )
