"""A history that OpenClaw sends without repairing it.

## What it does
Builds what the next run restores of a session and compares it with what OpenClaw 2026.3.2 really sends:
doubled or unordered tool results, results under a call id that was used again, text that merging loses, a
summary that the limit of turns cuts off.

## Why it matters
Providers refuse such a request, or the model never sees a part of the conversation.

## Example
Two results of one call, of which the second was written after a restart.

## Better
Start the session anew, or go on in a fork. Agent Brief shows the repaired history in *What a run restores*.

## Which agents
OpenClaw.

## Source
openclaw.md 11.4 to 11.6, 19.11.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentbrief.rules.finding import Finding, Severity
from agentbrief.rules.store_scene import StoreScene
from agentbrief.text.span import Span

SEVERITY: Severity = "warning"
AGENTS = ("openclaw",)


def check(scene: StoreScene) -> Iterator[Finding]:
    for transcript in scene.transcripts:
        for word in transcript.sent_broken:
            yield Finding(
                "history-sent-broken",
                transcript.path,
                Span(0, 0),
                SEVERITY,
                f"history-sent-broken.{word}",
                scene.profile.id,
                (("agent", scene.profile.title), ("key", transcript.key)),
                data=(("reason", word), ("line", 0)),
            )
