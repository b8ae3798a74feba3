"""The recorded summaries of a provider, in the layout of OpenClaw."""

from __future__ import annotations

import json
import uuid
from collections.abc import Sequence
from typing import Any

import pytest

from agentbrief.changes.steps import AppendRecord
from agentbrief.compaction.claw.engine import CompactionConfig
from agentbrief.compaction.layers import Clock, run
from agentbrief.compaction.openclaw.settings import choices
from agentbrief.compaction.pi.briefed import Briefed, Briefing
from agentbrief.compaction.pi.file_lists import FileOperations
from agentbrief.compaction.pi.job import PiJob
from agentbrief.compaction.pi.offered_cuts import with_real_messages
from agentbrief.compaction.pi.pi_plan import PiPlan
from agentbrief.compaction.pi.pi_source import PiSettings, PiSource
from agentbrief.compaction.pi.preparation import Preparation
from agentbrief.compaction.pi.workspace_rules import workspace_rules
from agentbrief.compaction.plan import PlanWarning
from agentbrief.compaction.providers.extractive import Extractive
from agentbrief.compaction.providers.provider import Cancelled, CancelToken, Deadline
from agentbrief.compaction.providers.registry import providers_of
from agentbrief.profiles.openclaw_data import for_version
from agentbrief.sessions.model import Message, SessionRef
from agentbrief.sessions.pi.append import header_text
from agentbrief.sessions.pi.context import ContextMessage
from agentbrief.sessions.pi.read import read_transcript
from agentbrief.sessions.pi.tree import PiTranscript
from agentbrief.sessions.tree import TranscriptTree
from tests.golden.openclaw_cases import Case, assert_matches, cases, openclaw_data

DATA = openclaw_data()


def new_uuid() -> str:
    return str(uuid.uuid4())


class Recorded:
    """The provider of a case: it answers, fails or is called off."""

    id = "recorded"

    def __init__(self, kind: str, reply: str) -> None:
        self._kind = kind
        self._reply = "" if kind == "empty" else reply
        self.calls: list[dict[str, Any]] = []

    def summarize(
        self,
        messages: Sequence[Message],
        previous_summary: str | None,
        instructions: Sequence[str],
        deadline: Deadline,
        cancel: CancelToken,
    ) -> str:
        self.calls.append(
            {
                "messages": len(messages),
                "previousSummary": previous_summary,
                "hasInstructions": bool(instructions),
            }
        )
        if self._kind == "throws":
            raise RuntimeError("no answer")
        if self._kind == "abort":
            cancel.cancel()
            raise Cancelled
        return self._reply


def preparation_of(prep: dict[str, Any], tree: TranscriptTree) -> Preparation:
    files = FileOperations(*(tuple(sorted(prep["fileOps"][name])) for name in ("read", "written", "edited")))
    history, prefix = (
        tuple(ContextMessage(f"{name}{number}", message) for number, message in enumerate(prep[name]))
        for name in ("messagesToSummarize", "turnPrefixMessages")
    )
    return Preparation(
        prep["firstKeptEntryId"],
        history,
        prefix,
        tree.entries,
        prep["tokensBefore"],
        prep["previousSummary"],
        files,
    )


@pytest.mark.parametrize("case", cases("state", {"provider_compaction"}), ids=str)
def test_a_summary_of_a_provider_in_the_layout_of_openclaw(case: Case) -> None:
    request = case.input["request"]
    prep = request["prep"]
    entry = {
        "type": "message",
        "id": prep["firstKeptEntryId"],
        "parentId": None,
        "timestamp": "2026-03-05T10:00:00.000Z",
        "message": {"role": "user", "content": "kept"},
    }
    data = header_text("s", "/srv/demo", case.now) + json.dumps(entry).encode("utf-8") + b"\n"
    transcript = read_transcript(data)
    assert isinstance(transcript, PiTranscript)
    rules = workspace_rules(case.input["files"].get("AGENTS.md"), for_version(DATA.reinjection, "2026.4.15"))
    choice = choices({}, DATA.compaction)
    settings = PiSettings(
        prep["settings"]["keepRecentTokens"],
        prep["settings"]["reserveTokens"],
        "openclaw",
        DATA.summary,
        recent_turns=choice.recent_turns_preserve,
        rules=rules.text,
        reinjected=rules.names,
    )
    source = PiSource(SessionRef("/srv/s.jsonl", "openclaw", "s", True), data, None, transcript)
    prepared = with_real_messages((preparation_of(prep, transcript.tree),), "openclaw")
    job = PiJob(source, settings, prepared, case.now, new_uuid)
    provider = Recorded(request["provider"], request.get("reply", "PROVIDER SUMMARY"))
    known = {} if request["provider"] == "none" else {provider.id: provider}
    extractive = Extractive(CompactionConfig(0, 0))
    listed = [
        each if isinstance(each, PlanWarning) else Briefed(each, job, Briefing())
        for each in providers_of([provider.id], {**known, extractive.id: extractive})
    ]
    outcome = run("s", {}, "asked", job, listed, Clock(lambda: 0, 1000))
    wanted = case.wanted["result"]
    if "compaction" not in wanted:
        assert outcome.plan is None
        if wanted.get("cancel"):
            assert outcome.trouble is not None
            assert outcome.trouble.detail == "nothing-real"
        else:
            assert outcome.ended == "cancelled"
    else:
        plan = outcome.plan
        assert isinstance(plan, PiPlan)
        (step,) = plan.steps
        assert isinstance(step, AppendRecord)
        record = json.loads(step.record)
        summary = wanted["compaction"].pop("summary")
        assert_matches(record, wanted["compaction"])
        if isinstance(summary, dict):
            assert summary["body"] == "<extractive>"
            assert record["summary"].endswith(summary["suffix"])
            assert record["summary"].startswith("Summary:\nConversation summary:\n")
        else:
            assert record["summary"] == summary
        assert plan.provider == wanted.get("provider", provider.id)
        assert [warning.code for warning in plan.warnings if warning.subject] == wanted.get("warnings", [])
    assert_matches(provider.calls, case.wanted.get("calls", provider.calls))
