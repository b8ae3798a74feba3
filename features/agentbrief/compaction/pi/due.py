"""Is a session of pi or OpenClaw due for compaction, and by which numbers?

Nothing is compacted here: the answer is reported. Source: openclaw.md 8.2; badlogic/pi-mono
packages/coding-agent/src/core/agent-session.ts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from agentbrief.compaction.pi.estimate import ContextEstimate, context_estimate
from agentbrief.profiles.openclaw_data import StoreSummaryData
from agentbrief.sessions.pi.context import MessageValues, context_messages
from agentbrief.sessions.pi.leaf_path import TreeAtLeaf

Unchecked = Literal["off", "aborted", "before-compaction", "no-usage"]
"""Why the agent does not look at the threshold: compaction is off, the last reply was aborted or stands
before the newest compaction, or no reply says what its context took.
"""


@dataclass(frozen=True, slots=True)
class CompactionDue:
    """Where a session stands, in tokens. ``due`` is what the agent would find at its next check."""

    context: ContextEstimate
    window_tokens: int
    reserve_tokens: int
    due: bool
    unchecked: Unchecked | None

    @property
    def threshold_tokens(self) -> int:
        """A context of more than this is compacted; 0 or less: always."""
        return self.window_tokens - self.reserve_tokens

    @property
    def distance_tokens(self) -> int:
        """How much more fits before the threshold; negative beyond it."""
        return self.threshold_tokens - self.context.tokens


def is_due(context_tokens: int, window_tokens: int, reserve_tokens: int, enabled: bool = True) -> bool:
    """Whether a context of that size is compacted: it is larger than what the reserve leaves."""
    return enabled and context_tokens > window_tokens - reserve_tokens


def compaction_due(
    tree: TreeAtLeaf,
    window_tokens: int,
    reserve_tokens: int,
    data: StoreSummaryData,
    *,
    enabled: bool = True,
    before_prompt: bool = False,
) -> CompactionDue:
    """Where the session at the leaf of ``tree`` stands.

    ``before_prompt`` is the check before a new message, which looks at an aborted reply too.
    """
    estimate = context_estimate(MessageValues(context_messages(tree.path)), data)
    unchecked = _unchecked(tree, estimate, enabled, before_prompt)
    due = unchecked is None and is_due(estimate.tokens, window_tokens, reserve_tokens)
    return CompactionDue(estimate, window_tokens, reserve_tokens, due, unchecked)


def _unchecked(
    tree: TreeAtLeaf, estimate: ContextEstimate, enabled: bool, before_prompt: bool
) -> Unchecked | None:
    if not enabled:
        return "off"
    for entry in reversed(tree.path):
        if entry.type == "compaction":
            return "before-compaction"
        message = entry.value.get("message") if entry.type == "message" else None
        if isinstance(message, dict) and message.get("role") == "assistant":
            if message.get("stopReason") == "aborted" and not before_prompt:
                return "aborted"
            break
    return "no-usage" if estimate.last_usage_index is None else None
