"""A session store that is no object.

## What it does
Tells when `sessions.json` holds a list, a text or a number.

## Why it matters
OpenClaw takes it for empty and writes over it.

## Example
`[]`

## Better
Put back a copy, or remove the file while the Gateway is stopped.

## Which agents
OpenClaw.

## Source
openclaw.md 2.1.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentbrief.rules.finding import Finding, Severity
from agentbrief.rules.store_scene import StoreScene, of_code

SEVERITY: Severity = "error"
AGENTS = ("openclaw",)


def check(scene: StoreScene) -> Iterator[Finding]:
    for _, finding in of_code(scene, "store-not-object", SEVERITY):
        yield finding
