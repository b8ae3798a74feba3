"""An entry whose transcript path leads out of the sessions folder.

## What it does
Names entries whose `sessionFile` lies neither in the sessions folder, nor below it, nor in that of another
agent of the same state folder.

## Why it matters
Agent Brief does not follow it, and takes `<sessionId>.jsonl` instead: a store must not make a tool read or
move any file of the machine.

## Example
`"sessionFile": "/etc/passwd"`

## Better
Correct the path, or remove the field.

## Which agents
OpenClaw. It takes any path of the form `…/agents/<id>/sessions/<file>`.

## Source
openclaw.md 3.3; CVE-2026-28482.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from agentbrief.rules.finding import Finding, Severity
from agentbrief.rules.store_scene import StoreScene, of_code

SEVERITY: Severity = "warning"
AGENTS = ("openclaw",)


def check(scene: StoreScene) -> Iterator[Finding]:
    spans = None
    for found, finding in of_code(scene, "store-outside-path", SEVERITY):
        spans = spans or scene.spans()
        named = spans.fields(found.key or "").get("sessionFile")
        yield finding if named is None else replace(finding, span=named.value)
