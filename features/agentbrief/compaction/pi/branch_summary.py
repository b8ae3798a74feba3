"""What of a branch that is left would be summarised?

Source: openclaw.md 8.12, 8.13; badlogic/pi-mono
packages/coding-agent/src/core/compaction/branch-summarization.ts.
"""

from __future__ import annotations

from dataclasses import dataclass

from agentbrief.compaction.pi.estimate import message_tokens
from agentbrief.compaction.pi.file_lists import FileOperations, file_operations
from agentbrief.profiles.openclaw_data import StoreSummaryData
from agentbrief.sessions.pi.context import ContextMessage, RawMessage, compaction_message, message_of
from agentbrief.sessions.tree import TranscriptTree, TreeEntry

NO_CONTENT = "No content to summarize"
"""The summary of a branch without messages."""


@dataclass(frozen=True, slots=True)
class LeftBranch:
    """The entries from behind ``common_ancestor_id`` to the old leaf, and those messages that fit.

    ``total_tokens`` is the size of the messages. ``common_ancestor_id`` is None where the two places have
    nothing in common.
    """

    entries: tuple[TreeEntry, ...]
    common_ancestor_id: str | None
    messages: tuple[ContextMessage, ...]
    total_tokens: int
    files: FileOperations


def branch_budget(window_tokens: int, branch_reserve_tokens: int) -> int:
    """How many tokens of messages go into one summary; 0 = no limit."""
    return max(0, window_tokens - branch_reserve_tokens)


def left_branch(
    tree: TranscriptTree, old_leaf: str | None, target: str | None, budget_tokens: int, data: StoreSummaryData
) -> LeftBranch:
    """What is left when the leaf moves from ``old_leaf`` to ``target``; None stands for before all entries.

    Raises:
        ValueError: there is no such entry.
    """
    old_path = tree.path_to(old_leaf)
    places = {entry.id: index for index, entry in enumerate(old_path)}
    common = next((entry.id for entry in reversed(tree.path_to(target)) if entry.id in places), None)
    entries = old_path[places[common] + 1 :] if common is not None else old_path
    taken: list[ContextMessage] = []
    looked_at: list[RawMessage] = []
    total = 0
    for entry in reversed(entries):
        message = _message(entry)
        if message is None:
            continue
        looked_at.append(message)
        tokens = message_tokens(message, data)
        fits = budget_tokens <= 0 or total + tokens <= budget_tokens
        is_summary = entry.type in ("compaction", "branch_summary")
        if fits or (is_summary and total < budget_tokens * data.branch_fit_share):
            taken.append(ContextMessage(entry.id, message))
            total += tokens
        if not fits:
            break
    summaries = (entry for entry in entries if entry.type == "branch_summary")
    return LeftBranch(entries, common, tuple(reversed(taken)), total, file_operations(looked_at, summaries))


def _message(entry: TreeEntry) -> RawMessage | None:
    if entry.type == "compaction":
        return compaction_message(entry)
    message = message_of(entry)
    return None if message is not None and message.get("role") == "toolResult" else message
