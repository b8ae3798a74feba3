"""A session that is large enough to be compacted.

## What it does
Tells when a session has passed the bounds of its agent's compaction, with its tokens and, where that is
quickly told, those that a compaction would leave. Sessions of claw-code and of this workspace are counted by
messages and tokens; of OpenClaw and pi what the last reply reported counts, against what the reserve leaves
of the window.

## Why it matters
The agent's next run may compact it by its own rules, or the service may refuse it as too long. Nothing here
compacts a session without being asked.

## Example
A session of claw-code with 212 messages and about 82,000 tokens, where more than 4 messages from 10,000
tokens on are due.

## Better
Preview the compaction, then compact: a checkpoint is kept first. The bounds are settings
(`agentbrief.compaction.…`), for OpenClaw and pi those of the agent itself.

## Which agents
Claw, claw-code, OpenClaw and pi.

## Source
claw.md 6.2 and 6.9; openclaw.md 8.2.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentbrief.rules.finding import Finding, Fix, Severity
from agentbrief.rules.transcript_scene import TranscriptScene, finding_at

SEVERITY: Severity = "warning"
AGENTS = ("claw", "claw-code", "openclaw", "pi")


def check(scene: TranscriptScene) -> Iterator[Finding]:
    for budget in scene.budgets:
        if not budget.is_due:
            continue
        after = budget.tokens_after
        is_window = budget.measure == "window"
        message = "session-over-budget.window" if is_window else "session-over-budget"
        counts: tuple[tuple[str, int], ...] = (("tokens", budget.tokens), ("limit", budget.limit_tokens))
        if not is_window:
            counts += (("messages", budget.messages), ("preserve", budget.preserve))
        if after is not None:
            message += "-after" if is_window else ".after"
            counts += (("after", after),)
        yield finding_at(
            scene, "session-over-budget", budget.path, 0, SEVERITY, counts, message=message, data=counts
        )


def fix(finding: Finding, text: str) -> Iterator[Fix]:
    """The offer to look at what a compaction would do; nothing is changed by it."""
    yield Fix(
        "preview-compaction",
        "fix.preview-compaction",
        "quickfix",
        command="agentbrief.compaction.plan",
        command_arguments=(("uri", finding.path),),
    )
