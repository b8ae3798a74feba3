"""Which entry does a compaction append, and what does the model see behind it?

One entry whose parent is the leaf; nothing is removed (openclaw.md 8.6). That nothing is lost but what the
summary stands for is checked on the tree as it will be.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from agentbrief.compaction.pi.cut_point import answered_id, called_ids
from agentbrief.compaction.pi.estimate import messages_tokens
from agentbrief.compaction.pi.preparation import Preparation
from agentbrief.jsonio import JsonValue
from agentbrief.profiles.openclaw_data import StoreSummaryData
from agentbrief.sessions.pi.append import Appended, NewUuid, append_entry
from agentbrief.sessions.pi.context import Context, context_of
from agentbrief.sessions.pi.tree import PiTranscript
from agentbrief.sessions.tree import TranscriptTree


@dataclass(frozen=True, slots=True)
class CompactionEntry:
    """The entry to append, the context it makes, and about how many tokens that has."""

    appended: Appended
    context: Context
    tokens_after: int


def compaction_entry(
    transcript: PiTranscript,
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
        ValueError: a newer version wrote the file, or an entry of a file of version 1 is no leaf.
    """
    fields: dict[str, JsonValue] = {
        "summary": summary,
        "firstKeptEntryId": preparation.first_kept_id,
        "tokensBefore": preparation.tokens_before,
        "details": preparation.files.details(),
    }
    appended = append_entry(transcript, "compaction", fields, time_ms=time_ms, new_uuid=new_uuid)
    tree = appended.transcript.tree
    context = context_of(tree, tree.leaf_id)
    tokens = messages_tokens((message.value for message in context.messages), data)
    return CompactionEntry(appended, context, tokens)


def lost_calls(tree: TranscriptTree, context: Context) -> frozenset[str]:
    """The identifiers that results in ``context`` answer without a call before them in it."""
    called: set[str] = set()
    lost: set[str] = set()
    for entry_id in _entry_ids(context):
        entry = tree.by_id[entry_id]
        called |= called_ids(entry)
        answered = answered_id(entry)
        if answered is not None and answered not in called:
            lost.add(answered)
    return frozenset(lost)


def keeps_pairs(before: PiTranscript, after: CompactionEntry) -> bool:
    """Whether no result has lost its call. One that had none before may stay as it was."""
    old = context_of(before.tree, before.tree.leaf_id)
    new = lost_calls(after.appended.transcript.tree, after.context)
    return new <= lost_calls(before.tree, old)


def _entry_ids(context: Context) -> Iterable[str]:
    return (message.entry_id for message in context.messages)
