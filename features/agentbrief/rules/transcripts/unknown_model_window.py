"""A model whose window the agent has to guess.

## What it does
Tells when the agent does not know a model and the context is fuller than 80 % of the window that it
assumes.

## Why it matters
If the real window is larger, the agent compacts for nothing; if it is smaller, the service refuses the
request. Before 2.1.223 Claude Code did not compact such sessions ahead of time at all.

## Example
A model of another vendor behind a gateway, with 303,000 tokens in use where 200,000 are assumed.

## Better
Set `CLAUDE_CODE_MAX_CONTEXT_TOKENS` to the real window.

## Which agents
Claude Code.

## Source
agents.md 5.11 and 8; vendor page `model-config`.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentbrief.rules.finding import Finding, Severity
from agentbrief.rules.transcript_scene import TranscriptScene, finding_at
from agentbrief.sessions.context_used import NEAR_PERCENT

SEVERITY: Severity = "warning"
AGENTS = ("claude-code",)


def check(scene: TranscriptScene) -> Iterator[Finding]:
    for facts in scene.transcripts:
        used, model = facts.context, scene.model or facts.model
        window = scene.window(facts)
        if used is None or not model or window.is_known or not window.tokens:
            continue
        if 100 * used.tokens <= NEAR_PERCENT * window.tokens:
            continue
        yield finding_at(
            scene,
            "unknown-model-window",
            facts.path,
            used.line,
            SEVERITY,
            (("window", window.tokens), ("model", model), ("used", used.tokens)),
            data=(
                ("window", window.tokens),
                ("used", used.tokens),
                ("percent", round(100 * used.tokens / window.tokens)),
            ),
        )
