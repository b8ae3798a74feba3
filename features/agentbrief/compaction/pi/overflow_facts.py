"""What would a run of OpenClaw do about a context that is too large, and how near is this session to that?

Facts to be shown; nothing here changes a file. Source: openclaw.md 8.9; openclaw/openclaw
src/agents/pi-embedded-runner, src/agents/pi-hooks/context-pruning. Lengths are UTF-16 units.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from agentbrief.compaction.openclaw.tool_results import limit_chars
from agentbrief.jsonio import JsonValue
from agentbrief.profiles.openclaw_data import OpenClawData, PruningData
from agentbrief.sessions.agent_config import text_at
from agentbrief.sessions.pi.context import context_of
from agentbrief.sessions.pi.messages import text_of
from agentbrief.sessions.tree import TranscriptTree
from agentbrief.text import utf16

_PRUNING_MODE = "cache-ttl"


@dataclass(frozen=True, slots=True)
class LongResult:
    """A tool result of the context that is longer than a run sends."""

    entry_id: str
    chars: int


@dataclass(frozen=True, slots=True)
class OverflowFacts:
    """What happens, and with which limits.

    A run compacts up to ``attempts`` times, then cuts results to ``result_chars`` once. ``request_chars`` is
    the longest request, ``one_result_chars`` the longest single result in it. ``results_share`` is the share
    of the context that is tool results. ``pruning`` is None where it is not switched on.
    """

    attempts: int
    result_chars: int
    request_chars: int
    one_result_chars: int
    long_results: tuple[LongResult, ...]
    results_share: float
    pruning: PruningData | None


def overflow_facts(
    tree: TranscriptTree, window_tokens: int, config: Mapping[str, JsonValue], data: OpenClawData
) -> OverflowFacts:
    """The facts for the session at the leaf of ``tree`` and a model with that window."""
    limit = limit_chars(window_tokens, data.tool_result)
    results: list[LongResult] = []
    others = 0
    for message in context_of(tree, tree.leaf_id).messages:
        chars = utf16.length(text_of(message.value.get("content")))
        if message.role == "toolResult":
            results.append(LongResult(message.entry_id, chars))
        else:
            others += chars
    in_results = sum(result.chars for result in results)
    whole = in_results + others
    mode = text_at(config, "agents", "defaults", "contextPruning", "mode")
    per_token = data.tool_result.chars_per_token
    return OverflowFacts(
        data.overflow.attempts,
        limit,
        int(data.overflow.request_share * window_tokens * per_token),
        window_tokens,
        tuple(result for result in results if result.chars > limit),
        in_results / whole if whole else 0.0,
        data.overflow.pruning if mode == _PRUNING_MODE else None,
    )
