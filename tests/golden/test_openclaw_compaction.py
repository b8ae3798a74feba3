"""The recorded compactions of pi: estimates, the threshold, the cut, the preparation, the texts, branches."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest

from agentbrief.changes.steps import AppendRecord
from agentbrief.compaction.layers import Clock, run
from agentbrief.compaction.pi.branch_summary import left_branch
from agentbrief.compaction.pi.briefed import Briefed, Briefing
from agentbrief.compaction.pi.conversation import conversation_text
from agentbrief.compaction.pi.due import is_due
from agentbrief.compaction.pi.estimate import context_estimate, message_tokens
from agentbrief.compaction.pi.file_lists import FileOperations
from agentbrief.compaction.pi.job import PiJob, pi_job
from agentbrief.compaction.pi.pi_plan import PiPlan
from agentbrief.compaction.pi.pi_source import PiSettings, PiSource
from agentbrief.compaction.pi.preparation import Preparation, prepare
from agentbrief.compaction.pi.summary_calls import SummaryCall
from agentbrief.compaction.providers.provider import CancelToken, Deadline
from agentbrief.compaction.steering import RunningCompaction
from agentbrief.sessions.model import Message, SessionRef
from agentbrief.sessions.pi.context import ContextMessage
from agentbrief.sessions.pi.read import read_transcript
from agentbrief.sessions.pi.tree import PiTranscript
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


def roles(messages: Sequence[ContextMessage]) -> list[str]:
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


class Model:
    """Answers with the recorded replies, or fails with the recorded error."""

    id = "model"

    def __init__(self, replies: list[str], error: str | None) -> None:
        self._replies = replies
        self._error = error
        self.calls = 0

    def summarize(
        self,
        messages: Sequence[Message],
        previous_summary: str | None,
        instructions: Sequence[str],
        deadline: Deadline,
        cancel: CancelToken,
    ) -> str:
        if self._error is not None:
            raise RuntimeError(self._error)
        self.calls += 1
        number = self.calls - 1
        return self._replies[number] if number < len(self._replies) else f"LLM-{self.calls}"


def job_of(case: Case) -> PiJob:
    data = case.input["jsonl"].encode("utf-8")
    keep = case.input.get("settings", {}).get("keepRecentTokens", DATA.compaction.keep_recent_tokens)
    transcript = read_transcript(data)
    assert isinstance(transcript, PiTranscript)
    settings = PiSettings(keep, DATA.compaction.reserve_tokens, "pi", SUMMARY)
    ref = SessionRef("/srv/s.jsonl", "pi", transcript.session_id, True)
    found = pi_job(
        PiSource(ref, data, None, transcript),
        settings,
        now_ms=case.now,
        new_uuid=lambda: "0f0f0f0f-1111-4222-8333-555555555555",
    )
    assert isinstance(found, PiJob)
    return found


def called(call: SummaryCall | None, messages: Sequence[ContextMessage]) -> list[dict[str, Any]]:
    if call is None:
        return []
    return [
        {
            "maxTokens": call.max_tokens,
            "template": call.template,
            "conversation": conversation_text([message.value for message in messages], SUMMARY),
            "previousSummary": call.previous_summary,
            "additionalFocus": call.focus[0] if call.focus else None,
        }
    ]


@pytest.mark.parametrize("case", cases("compaction", {"compact"}), ids=str)
def test_the_text_of_a_summary_and_how_it_is_asked_for(case: Case) -> None:
    if case.wanted.get("preparation", case.wanted) is None:
        assert prepared(case) is None
        return
    job = job_of(case)
    assert isinstance(job.prepared, tuple)
    preparation = job.prepared[0]
    told = ("preparation", "keptEntryIds")
    assert_matches(shown(preparation), {key: case.wanted[key] for key in told if key in case.wanted})
    model = Model(case.input.get("llmReplies", []), case.input.get("llmError"))
    provider = Briefed(model, job, Briefing())
    focus = case.input.get("customInstructions")
    calls = provider.calls(
        job.removed(job.cuts()[0]), job.previous_summary, (focus,) if focus is not None else ()
    )
    parts = (preparation.history, preparation.turn_prefix)
    found = [each for call, messages in zip(calls, parts, strict=True) for each in called(call, messages)]
    assert_matches(found, case.wanted["llmCalls"])
    running: dict[str, RunningCompaction] = {}
    outcome = run("s", running, "asked", job, (provider,), Clock(lambda: 0, 1000))
    if "compactError" in case.wanted:
        assert outcome.plan is None
        assert [warning.code for warning in outcome.warnings] == ["provider-failed"]
        return
    plan = outcome.plan
    assert isinstance(plan, PiPlan)
    assert model.calls == len(case.wanted["llmCalls"])
    (step,) = plan.steps
    assert isinstance(step, AppendRecord)
    assert_matches(json.loads(step.record), {"type": "compaction", **case.wanted["result"]})
    assert plan.first_kept_id == case.wanted["result"]["firstKeptEntryId"]
    assert plan.summary == case.wanted["result"]["summary"]
