"""Where does a compaction cut a path: which entry is the first that stays?

A result never loses its call. Source: openclaw.md 8.4; badlogic/pi-mono
packages/coding-agent/src/core/compaction/compaction.ts (findCutPoint), as later versions have it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agentbrief.compaction.pi.estimate import message_tokens
from agentbrief.profiles.openclaw_data import StoreSummaryData
from agentbrief.sessions.pi.context import facts_of, message_of
from agentbrief.sessions.pi.leaf_path import PathFacts
from agentbrief.sessions.pi.messages import CALL_TYPES, result_call_id
from agentbrief.sessions.tree import TreeEntry

_CUT_ROLES = frozenset(("user", "assistant", "bashExecution", "custom", "branchSummary", "compactionSummary"))


@dataclass(frozen=True, slots=True)
class CutPoint:
    """Indexes into the path: the first entry that stays, and the start of the turn that the cut splits.

    ``turn_start`` is None where the cut falls between two turns.
    """

    first_kept: int
    turn_start: int | None


def cut_point(
    path: Sequence[TreeEntry], start: int, keep_recent_tokens: int, data: StoreSummaryData
) -> CutPoint:
    """The cut of the entries from ``start`` on that keeps about ``keep_recent_tokens``.

    ``start`` itself where there is nothing to cut at.
    """
    reached = _reached(path, start, keep_recent_tokens, data)
    facts = facts_of(path)
    types, roles = facts.types, facts.roles
    ahead = range(start if reached is None else reached, len(path))
    back = range(len(path) - 1, start - 1, -1)
    cut = next((i for part in (ahead, back) for i in part if roles[i] in _CUT_ROLES), None)
    if cut is None:
        return CutPoint(start, None)
    cut = _with_calls(path, start, cut)
    while cut > start and types[cut - 1] != "compaction" and roles[cut - 1] is None:
        cut -= 1
    if _begins_turn(facts, cut):
        return CutPoint(cut, None)
    return CutPoint(cut, next((i for i in range(cut - 1, start - 1, -1) if _begins_turn(facts, i)), None))


def called_ids(entry: TreeEntry) -> frozenset[str]:
    """The identifiers of the tool calls of an entry."""
    message = entry.value.get("message") if entry.type == "message" else None
    if not isinstance(message, dict) or message.get("role") != "assistant":
        return frozenset()
    content = message.get("content")
    return frozenset(
        identifier
        for block in (content if isinstance(content, list) else ())
        if isinstance(block, dict)
        and block.get("type") in CALL_TYPES
        and isinstance(identifier := block.get("id"), str)
    )


def answered_id(entry: TreeEntry) -> str | None:
    """The identifier of the call that an entry answers; None if it is no tool result, or names none."""
    message = entry.value.get("message") if entry.type == "message" else None
    if not isinstance(message, dict) or message.get("role") != "toolResult":
        return None
    return result_call_id(message)


def _reached(path: Sequence[TreeEntry], start: int, keep_tokens: int, data: StoreSummaryData) -> int | None:
    """The entry from which on there are ``keep_tokens``; None where there are fewer."""
    tokens = 0
    roles = facts_of(path).roles
    for index in range(len(path) - 1, start - 1, -1):
        message = message_of(path[index]) if roles[index] is not None else None
        if message is None:
            continue
        tokens += message_tokens(message, data)
        if tokens >= keep_tokens:
            return index
    return None


def _with_calls(path: Sequence[TreeEntry], start: int, cut: int) -> int:
    """``cut``, or the earliest call before it that a result answers which stays."""
    wanted = _unanswered(path[cut:])
    between: set[str] = set()
    for index in range(cut - 1, start - 1, -1):
        if not wanted:
            break
        called = called_ids(path[index])
        if called & wanted:
            cut, wanted = index, (wanted | between) - called
            between.clear()
            continue
        between -= called
        if (answered := answered_id(path[index])) is not None:
            between.add(answered)
    return cut


def _unanswered(entries: Sequence[TreeEntry]) -> set[str]:
    """The calls that results among ``entries`` answer, but no entry before them makes."""
    called: set[str] = set()
    found: set[str] = set()
    for entry in entries:
        called |= called_ids(entry)
        answered = answered_id(entry)
        if answered is not None and answered not in called:
            found.add(answered)
    return found


def _begins_turn(facts: PathFacts, index: int) -> bool:
    if facts.types[index] == "message":
        return facts.roles[index] in ("user", "bashExecution")
    return facts.roles[index] is not None
