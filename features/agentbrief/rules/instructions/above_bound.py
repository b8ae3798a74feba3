"""An instruction file above the folders that are looked at.

## What it does
Names files with an instruction file's name in folders above the project. They are looked at, never opened.

## Why it matters
Some agents walk up to the root of the disk and read them; the agent whose rules are shown here does not.

## Example
`~/CLAUDE.md` above a project in `~/work/app`, whose git root is `app`.

## Better
Move what the project needs into the project. To have the walk go on, set
`agentbrief.discovery.bound` to `root`.

## Which agents
Claw, as this tool judges it: up to the outer one of the workspace folder and the git root.
claw-code stops at the git root; it does not read these files either. Versions of claw-code before April 2026
walked to the root of the disk.

## Source
claw.md 2.1; ultraworkers/claw-code@8465b692 `rust/crates/runtime/src/prompt.rs`.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentbrief.brief import Brief, Entry
from agentbrief.rules.finding import Finding, Severity
from agentbrief.rules.scene import Scene, shown
from agentbrief.text.span import Span

SEVERITY: Severity = "information"


def check(scene: Scene) -> Iterator[Finding]:
    seen: set[str] = set()
    for brief in scene.briefs:
        place = _nearest_loaded(brief)
        if place is None or (scene.only is not None and place != scene.only):
            continue
        for path in brief.above:
            if path in seen:
                continue
            seen.add(path)
            yield Finding(
                "above-bound",
                place,
                Span(0, 0),
                SEVERITY,
                "above-bound",
                scene.profile.id,
                (
                    ("agent", scene.profile.title),
                    ("path", shown(path, place)),
                    ("bound", shown(brief.bound, place)),
                ),
                data=(("path", path),),
            )


def _nearest_loaded(brief: Brief) -> str | None:
    """The file that the agent pays for first: nearest folder, first name."""
    entries = [placed for placed in brief.placements if isinstance(placed, Entry)]
    return (
        min(entries, key=lambda entry: (entry.file.distance, entry.file.rank)).file.path if entries else None
    )
