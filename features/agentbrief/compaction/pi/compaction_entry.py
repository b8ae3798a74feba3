"""Which entry does a compaction append, and what does the model see behind it?

One entry whose parent is the leaf; nothing is removed (openclaw.md 8.6). That nothing is lost but what the
summary stands for is checked on the tree as it will be.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from agentbrief.compaction.pi.cut_point import answered_id, called_ids
from agentbrief.compaction.pi.estimate import messages_tokens
from agentbrief.compaction.pi.preparation import Preparation
from agentbrief.jsonio import JsonValue
from agentbrief.profiles.openclaw_data import StoreSummaryData
from agentbrief.sessions.pi.append import NewUuid, entry_behind
from agentbrief.sessions.pi.context import (
    Context,
    MessageValues,
    PathMessages,
    context_messages,
    path_with,
)
from agentbrief.sessions.pi.leaf_path import TranscriptAtLeaf
from agentbrief.sessions.tree import TranscriptTree, TreeEntry


@dataclass(frozen=True, slots=True)
class CompactionEntry:
    """The entry to append and what is written for it, the context it makes, and how many tokens that has."""

    entry: TreeEntry
    text: bytes = field(repr=False)
    context: PathMessages = field(repr=False, hash=False)
    tokens_after: int


def compaction_entry(
    transcript: TranscriptAtLeaf,
    preparation: Preparation,
    summary: str,
    data: StoreSummaryData,
    *,
    time_ms: int,
    new_uuid: NewUuid,
) -> CompactionEntry:
    """The compaction of ``transcript`` with this summary.

    The usage that replies reported says nothing any more of the context that is left: it is estimated whole.

    Raises:
        ValueError: a newer version wrote the file.
    """
    fields: dict[str, JsonValue] = {
        "summary": summary,
        "firstKeptEntryId": preparation.first_kept_id,
        "tokensBefore": preparation.tokens_before,
        "details": preparation.files.details(),
    }
    entry, text = entry_behind(transcript, "compaction", fields, time_ms=time_ms, new_uuid=new_uuid)
    context = context_messages(path_with(transcript.tree.path, entry))
    return CompactionEntry(entry, text, context, messages_tokens(MessageValues(context), data))


def lost_calls(tree: TranscriptTree, context: Context) -> frozenset[str]:
    """The identifiers that results in ``context`` answer without a call before them in it."""
    return _lost(tree.by_id[message.entry_id] for message in context.messages)


def keeps_pairs(before: TranscriptAtLeaf, after: CompactionEntry) -> bool:
    """Whether no result has lost its call. One that had none before may stay as it was."""
    new = _lost(after.context.entries)
    return not new or new <= _lost(context_messages(before.tree.path).entries)


def _lost(entries: Iterable[TreeEntry]) -> frozenset[str]:
    called: set[str] = set()
    lost: set[str] = set()
    for entry in entries:
        called |= called_ids(entry)
        answered = answered_id(entry)
        if answered is not None and answered not in called:
            lost.add(answered)
    return frozenset(lost)
