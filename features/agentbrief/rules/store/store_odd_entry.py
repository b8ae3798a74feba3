"""An entry of a session store with a field of the wrong type.

## What it does
Names entries that are no objects, that have no session id, and fields whose value has another type than
OpenClaw writes. Such a value counts as absent and stays in the file.

## Why it matters
The session is listed without what the field should say, or is not found at all.

## Example
`"updatedAt": "yesterday"`

## Better
Mend the value while the Gateway is stopped.

## Which agents
OpenClaw.

## Source
openclaw.md 2.1, 2.2.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from agentbrief.rules.finding import Finding, Severity
from agentbrief.rules.store_scene import StoreScene, of_code

SEVERITY: Severity = "warning"
AGENTS = ("openclaw",)


def check(scene: StoreScene) -> Iterator[Finding]:
    for found, finding in of_code(scene, "store-odd-entry", SEVERITY, by_field=True):
        yield finding if found.names else replace(finding, message="store-odd-entry.no-object")
