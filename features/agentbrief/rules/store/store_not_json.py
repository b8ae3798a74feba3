"""A session store that is not JSON.

## What it does
Tells when `sessions.json` cannot be parsed, and where parsing stops.

## Why it matters
OpenClaw takes such a file for empty and writes over it: every session in it is lost.

## Example
A file that was cut by a full disk: `{"agent:main:main": {"sessionId": "4f…`

## Better
Stop the Gateway, mend the file or put back a copy (`sessions.json.bak.<ms>`), then start it again. Agent
Brief never writes over a file that it cannot parse.

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
    for _, finding in of_code(scene, "store-not-json", SEVERITY):
        yield finding
