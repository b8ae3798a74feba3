"""One session under several spellings of its key.

## What it does
Names keys that differ in case or in outer blanks only.

## Why it matters
They are one session: the newest entry counts, the others hide what they hold.

## Example
`agent:main:Telegram:group:1` beside `agent:main:telegram:group:1`

## Better
Nothing is needed: the next write of the session leaves the lower-case key.

## Which agents
OpenClaw.

## Source
openclaw.md 2.1.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentbrief.rules.finding import Finding, Severity
from agentbrief.rules.store_scene import StoreScene, of_code

SEVERITY: Severity = "warning"
AGENTS = ("openclaw",)


def check(scene: StoreScene) -> Iterator[Finding]:
    for _, finding in of_code(scene, "store-key-case", SEVERITY):
        yield finding
