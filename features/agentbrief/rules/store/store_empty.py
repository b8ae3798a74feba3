"""A session store without a byte in it.

## What it does
Tells when `sessions.json` is blank.

## Why it matters
It is what a full disk or a network drive leaves of a store; OpenClaw takes it for empty and goes on.

## Example
A file of 0 bytes beside 40 transcripts.

## Better
Put back a copy before the Gateway writes the file again. The transcripts beside it are still there.

## Which agents
OpenClaw.

## Source
openclaw.md 2.1; openclaw/openclaw issue 77783.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentbrief.rules.finding import Finding, Severity
from agentbrief.rules.store_scene import StoreScene, of_code

SEVERITY: Severity = "error"
AGENTS = ("openclaw",)


def check(scene: StoreScene) -> Iterator[Finding]:
    for _, finding in of_code(scene, "store-empty", SEVERITY):
        yield finding
