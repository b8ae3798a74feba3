"""What does a compaction of this path summarise, and what does it keep?

Source: openclaw.md 8.5; badlogic/pi-mono packages/coding-agent/src/core/compaction/compaction.ts
(prepareCompaction), as later versions have it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from agentbrief.compaction.pi.cut_point import cut_point
from agentbrief.compaction.pi.estimate import context_estimate
from agentbrief.compaction.pi.file_lists import FileOperations, file_operations
from agentbrief.profiles.openclaw_data import StoreSummaryData
from agentbrief.sessions.pi.context import (
    ContextMessage,
    MessageValues,
    context_messages,
    first_kept,
    last_of,
    messages_on,
)
from agentbrief.sessions.pi.leaf_path import TreeAtLeaf
from agentbrief.sessions.tree import TreeEntry

NothingToCompact = Literal["already-compacted", "too-small", "nothing-real"]
"""Why there is nothing to prepare: the last entry is a compaction, nothing would be summarised, or nobody has
said anything in it."""


@dataclass(frozen=True, slots=True)
class Preparation:
    """What goes into a summary and what stays.

    ``history`` ends where the turn begins that the cut splits, ``turn_prefix`` is that turn up to the cut;
    without a split it is empty. ``kept`` are the entries from ``first_kept_id`` to the leaf.
    ``tokens_before`` is the size of the present context. ``previous_summary`` is that of the newest
    compaction on the path, which is ``previous``. ``files_told`` are None until they were looked for.
    """

    first_kept_id: str
    history: Sequence[ContextMessage]
    turn_prefix: Sequence[ContextMessage]
    kept: Sequence[TreeEntry]
    tokens_before: int
    previous_summary: str | None
    files_told: FileOperations | None = None
    previous: TreeEntry | None = None

    @property
    def is_split_turn(self) -> bool:
        """Whether the cut falls inside a turn."""
        return len(self.turn_prefix) > 0

    @property
    def removed(self) -> tuple[ContextMessage, ...]:
        """All that is summarised, in order."""
        return (*self.history, *self.turn_prefix)

    @property
    def removed_count(self) -> int:
        """How many messages are summarised."""
        return len(self.history) + len(self.turn_prefix)

    @property
    def files(self) -> FileOperations:
        """What was done to which files in what is summarised, now and before."""
        if self.files_told is not None:
            return self.files_told
        summaries = (self.previous,) if self.previous is not None else ()
        return file_operations([message.value for message in self.removed], summaries)

    def with_files(self) -> Preparation:
        """The same, the files looked for once."""
        return replace(self, files_told=self.files)


def prepare(
    tree: TreeAtLeaf, keep_recent_tokens: int, data: StoreSummaryData
) -> Preparation | NothingToCompact:
    """What a compaction at the leaf of ``tree`` would do, or why it would do nothing.

    Of the path no more is looked at than the numbers need.
    """
    path = tree.path
    previous = last_of(path, "compaction")
    if previous is not None and previous == len(path) - 1:
        return "already-compacted"
    start = _start(path, previous)
    if start >= len(path):
        return "too-small"
    cut = cut_point(path, start, keep_recent_tokens, data)
    turn_start = cut.first_kept if cut.turn_start is None else cut.turn_start
    history = messages_on(path, range(start, turn_start))
    prefix = messages_on(path, range(turn_start, cut.first_kept))
    if not len(history) and not len(prefix):
        return "too-small"
    before = path[previous] if previous is not None else None
    return Preparation(
        path[cut.first_kept].id,
        history,
        prefix,
        path[cut.first_kept :],
        context_estimate(MessageValues(context_messages(path)), data).tokens,
        _summary(before),
        previous=before,
    )


def _start(path: Sequence[TreeEntry], previous: int | None) -> int:
    """Where the part begins that may be summarised: what the previous compaction kept belongs to it."""
    if previous is None:
        return 0
    kept = first_kept(path, previous)
    return previous + 1 if kept is None else kept


def _summary(entry: TreeEntry | None) -> str | None:
    summary = entry.value.get("summary") if entry is not None else None
    return summary if isinstance(summary, str) else None
