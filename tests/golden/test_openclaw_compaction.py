"""The recorded compactions of pi: estimates, the threshold, the cut, the preparation, the texts, branches."""

from __future__ import annotations

from typing import Any

import pytest

from agentbrief.compaction.pi.branch_summary import left_branch
from agentbrief.compaction.pi.conversation import conversation_text
from agentbrief.compaction.pi.due import is_due
from agentbrief.compaction.pi.estimate import context_estimate, message_tokens
from agentbrief.compaction.pi.file_lists import FileOperations
from agentbrief.compaction.pi.preparation import Preparation, prepare
from agentbrief.sessions.pi_context import ContextMessage
from agentbrief.sessions.pi_read import read_transcript
from agentbrief.sessions.pi_tree import PiTranscript
from agentbrief.sessions.tree import TranscriptTree
from tests.golden.openclaw_cases import Case, assert_matches, cases, openclaw_data

DATA = openclaw_data()
SUMMARY = DATA.summary


def tree_of(jsonl: str) -> TranscriptTree:
    found = read_transcript(jsonl.encode("utf-8"))
    assert isinstance(found, PiTranscript)
    return found.tree


def prepared(case: Case) -> Preparation | None:
    keep = case.input.get("settings", {}).get("keepRecentTokens", DATA.compaction.keep_recent_tokens)
    found = prepare(tree_of(case.input["jsonl"]), keep, SUMMARY)
    return found if isinstance(found, Preparation) else None


def roles(messages: tuple[ContextMessage, ...]) -> list[str]:
    return [message.role for message in messages]


def operations(files: FileOperations) -> dict[str, list[str]]:
    return {"read": list(files.read), "written": list(files.written), "edited": list(files.edited)}


def shown(found: Preparation | None) -> dict[str, Any]:
    if found is None:
        return {"preparation": None}
    return {
        "preparation": {
            "firstKeptEntryId": found.first_kept_id,
            "isSplitTurn": found.is_split_turn,
            "tokensBefore": found.tokens_before,
            "previousSummary": found.previous_summary,
            "messagesToSummarize": roles(found.history),
            "turnPrefixMessages": roles(found.turn_prefix),
            "fileOps": operations(found.files),
        },
        "keptEntryIds": [entry.id for entry in found.kept],
    }


@pytest.mark.parametrize("case", cases("compaction", {"estimate"}), ids=str)
def test_how_many_tokens_a_message_has(case: Case) -> None:
    assert [message_tokens(message, SUMMARY) for message in case.input["messages"]] == case.wanted["tokens"]


@pytest.mark.parametrize("case", cases("compaction", {"should"}), ids=str)
def test_whether_a_context_is_due(case: Case) -> None:
    found = [
        is_due(given["contextTokens"], given["contextWindow"], given["reserveTokens"], given["enabled"])
        for given in case.input["cases"]
    ]
    assert found == case.wanted["results"]


@pytest.mark.parametrize("case", cases("compaction", {"context"}), ids=str)
def test_how_large_a_context_is(case: Case) -> None:
    found = context_estimate(case.input["messages"], SUMMARY)
    assert {
        "tokens": found.tokens,
        "usageTokens": found.usage_tokens,
        "trailingTokens": found.trailing_tokens,
        "lastUsageIndex": found.last_usage_index,
    } == case.wanted["estimate"]


@pytest.mark.parametrize("case", cases("compaction", {"prepare"}), ids=str)
def test_what_is_summarised_and_what_stays(case: Case) -> None:
    assert_matches(shown(prepared(case)), case.wanted)


@pytest.mark.parametrize("case", cases("compaction", {"serialize"}), ids=str)
def test_a_conversation_as_text(case: Case) -> None:
    assert conversation_text(case.input["messages"], SUMMARY) == case.wanted["text"]


@pytest.mark.parametrize("case", cases("compaction", {"branch"}), ids=str)
def test_what_of_a_branch_is_summarised(case: Case) -> None:
    given = case.input
    found = left_branch(tree_of(given["jsonl"]), given["oldLeaf"], given["target"], given["budget"], SUMMARY)
    assert {
        "entries": [entry.id for entry in found.entries],
        "commonAncestorId": found.common_ancestor_id,
        "messages": roles(found.messages),
        "totalTokens": found.total_tokens,
        "fileOps": operations(found.files),
    } == case.wanted
