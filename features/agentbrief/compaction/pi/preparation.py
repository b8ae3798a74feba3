"""What does a compaction of this path summarise, and what does it keep?

Source: openclaw.md 8.5; badlogic/pi-mono packages/coding-agent/src/core/compaction/compaction.ts
(prepareCompaction), as later versions have it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from agentbrief.compaction.pi.cut_point import cut_point
from agentbrief.compaction.pi.estimate import context_estimate
from agentbrief.compaction.pi.file_lists import FileOperations, file_operations
from agentbrief.profiles.openclaw_data import StoreSummaryData
from agentbrief.sessions.pi.context import ContextMessage, context_of, message_of
from agentbrief.sessions.tree import TranscriptTree, TreeEntry

NothingToCompact = Literal["already-compacted", "too-small", "nothing-real"]
"""Why there is nothing to prepare: the last entry is a compaction, nothing would be summarised, or nobody has
said anything in it."""


@dataclass(frozen=True, slots=True)
class Preparation:
    """What goes into a summary and what stays.

    ``history`` ends where the turn begins that the cut splits, ``turn_prefix`` is that turn up to the cut;
    without a split it is empty. ``kept`` are the entries from ``first_kept_id`` to the leaf.
    ``tokens_before`` is the size of the present context. ``previous_summary`` is that of the newest
    compaction on the path.
    """

    first_kept_id: str
    history: tuple[ContextMessage, ...]
    turn_prefix: tuple[ContextMessage, ...]
    kept: tuple[TreeEntry, ...]
    tokens_before: int
    previous_summary: str | None
    files: FileOperations

    @property
    def is_split_turn(self) -> bool:
        """Whether the cut falls inside a turn."""
        return bool(self.turn_prefix)

    @property
    def removed(self) -> tuple[ContextMessage, ...]:
        """All that is summarised, in order."""
        return (*self.history, *self.turn_prefix)


def prepare(
    tree: TranscriptTree, keep_recent_tokens: int, data: StoreSummaryData
) -> Preparation | NothingToCompact:
    """What a compaction at the leaf of ``tree`` would do, or why it would do nothing."""
    path = tree.path
    if path and path[-1].type == "compaction":
        return "already-compacted"
    previous = next((i for i in range(len(path) - 1, -1, -1) if path[i].type == "compaction"), None)
    start = _start(path, previous)
    if start >= len(path):
        return "too-small"
    cut = cut_point(path, start, keep_recent_tokens, data)
    turn_start = cut.first_kept if cut.turn_start is None else cut.turn_start
    history = _messages(path[start:turn_start])
    prefix = _messages(path[turn_start : cut.first_kept])
    if not history and not prefix:
        return "too-small"
    context = context_of(tree, tree.leaf_id)
    before = path[previous] if previous is not None else None
    return Preparation(
        path[cut.first_kept].id,
        history,
        prefix,
        path[cut.first_kept :],
        context_estimate([message.value for message in context.messages], data).tokens,
        _summary(before),
        file_operations(
            [message.value for message in (*history, *prefix)], (before,) if before is not None else ()
        ),
    )


def _start(path: tuple[TreeEntry, ...], previous: int | None) -> int:
    """Where the part begins that may be summarised: what the previous compaction kept belongs to it."""
    if previous is None:
        return 0
    wanted = path[previous].value.get("firstKeptEntryId")
    return next((index for index in range(previous) if path[index].id == wanted), previous + 1)


def _summary(entry: TreeEntry | None) -> str | None:
    summary = entry.value.get("summary") if entry is not None else None
    return summary if isinstance(summary, str) else None


def _messages(entries: Iterable[TreeEntry]) -> tuple[ContextMessage, ...]:
    return tuple(
        ContextMessage(entry.id, message) for entry in entries if (message := message_of(entry)) is not None
    )
