"""A reply that was meant to stay unsaid and was delivered.

## What it does
Finds replies that hold the token `NO_REPLY` in a form that does not count: in another case, in quotes,
emphasis or a fence, or glued to a word.

## Why it matters
OpenClaw withholds a reply only if it begins with the exact token, or ends with it: everybody in the chat saw
this one.

## Example
`**NO_REPLY**`, `no_reply`, `NO_REPLYThe build is green.`

## Better
Tell the agent in its instructions to answer with `NO_REPLY` alone, without marks around it.

## Which agents
OpenClaw. Before 2026.1.10 the token could also leak while a reply was still being written.

## Source
openclaw.md 13; openclaw/openclaw `src/auto-reply/tokens.ts`.
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
        for reply in transcript.near_silent:
            yield Finding(
                "silent-token-near-miss",
                transcript.path,
                Span(0, 0),
                SEVERITY,
                "silent-token-near-miss",
                scene.profile.id,
                (("agent", scene.profile.title), ("n", reply.line), ("words", reply.words)),
                data=(("line", reply.line),),
            )
