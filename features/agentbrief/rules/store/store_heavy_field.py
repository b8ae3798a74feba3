"""A session store that is mostly bulk.

## What it does
Tells when `skillsSnapshot` and `systemPromptReport` make up more than half of the file.

## Why it matters
OpenClaw reads and writes the whole file with each message.

## Example
600 entries of 1 kB with a snapshot of 15 kB each.

## Better
Clean up old sessions: each takes its snapshot with it.

## Which agents
OpenClaw.

## Source
openclaw.md 2.4; openclaw/openclaw issue 64767.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from agentbrief.rules.finding import Finding, Severity
from agentbrief.rules.store_scene import StoreScene, of_code
from agentbrief.rules.transcript_scene import size_text

SEVERITY: Severity = "information"
AGENTS = ("openclaw",)


def check(scene: StoreScene) -> Iterator[Finding]:
    for found, finding in of_code(scene, "store-heavy-field", SEVERITY):
        words = (("agent", scene.profile.title), ("names", ", ".join(found.names)))
        yield replace(finding, arguments=(*words, ("size", size_text(found.size or 0))))
