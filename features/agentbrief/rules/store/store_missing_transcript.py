"""An entry without a transcript.

## What it does
Names entries whose session has no file, neither the one it spells nor `<sessionId>.jsonl`.

## Why it matters
The next message starts an empty conversation under the old counters. After a reset it is normal until the
first message.

## Example
An entry whose file was moved by hand.

## Better
`agentbrief store cleanup --fix-missing --dry-run` lists what can go.

## Which agents
OpenClaw.

## Source
openclaw.md 2.4, 7.2.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from agentbrief.rules.finding import Finding, Fix, Severity
from agentbrief.rules.store_scene import StoreScene, of_code

SEVERITY: Severity = "information"
AGENTS = ("openclaw",)


def check(scene: StoreScene) -> Iterator[Finding]:
    for _, finding in of_code(scene, "store-missing-transcript", SEVERITY):
        yield finding


def fix(finding: Finding, text: str) -> Iterable[Fix]:
    return (
        Fix(
            "preview-cleanup",
            "fix.preview-cleanup",
            "quickfix",
            command="agentbrief.maintenance.plan",
            command_arguments=(("uri", finding.path), ("fixMissing", "true")),
        ),
    )
