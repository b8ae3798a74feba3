"""Compaction of the Claw family, as recorded from claw-code and as profile ``claw`` must differ."""

from __future__ import annotations

from typing import Any

import pytest

from agentbrief.changes.steps import ReplaceFile
from agentbrief.compaction.claw.boundary import is_due
from agentbrief.compaction.claw.claw_file import ClawFile, claw_file
from agentbrief.compaction.claw.continuation import continuation_text, summary_in
from agentbrief.compaction.claw.engine import (
    CompactionConfig,
    compact,
    extractive_summary,
    format_compact_summary,
)
from agentbrief.compaction.claw.job import FileJob
from agentbrief.compaction.plan import CompactionPlan, NotPlanned, Written
from agentbrief.compaction.providers.extractive import EXTRACTIVE
from agentbrief.sessions.claw.messages import message_of
from agentbrief.sessions.claw.tokens import message_tokens
from agentbrief.sessions.model import Message, Text
from agentbrief.sessions.shapes import shape_of
from tests.golden.claw_cases import Case, cases


def config(case: Case, given: dict[str, Any]) -> CompactionConfig:
    return CompactionConfig(
        given["preserve_recent_messages"],
        given["max_estimated_tokens"],
        profile=case.profile,  # type: ignore[arg-type]
    )


def result(messages: tuple[Message, ...], settings: CompactionConfig) -> tuple[dict[str, Any], Any]:
    """The values that a case lists, and the messages after the round."""
    done = compact(messages, settings)
    changed = done.reason == "due"
    shapes = [shape_of(message) for message in done.messages]
    prefix = int(bool(done.messages) and summary_in(done.messages[0], settings.profile) is not None)
    first = done.messages[0].blocks[0] if done.messages and done.messages[0].blocks else None
    return {
        "message_tokens": [message_tokens(message) for message in messages],
        "estimated_tokens": done.tokens_before,
        "should_compact": done.reason != "not-due",
        "summary": done.summary,
        "formatted_summary": format_compact_summary(done.summary, settings.profile),
        "removed_message_count": len(done.removed),
        "compacted_messages": {"first_text": first.text, "kept": len(done.messages) - 1}
        if changed and isinstance(first, Text)
        else "<unchanged>",
        "compacted_estimated_tokens": done.tokens_after,
        "should_compact_again": is_due(
            shapes, prefix, settings.preserve_recent_messages, settings.max_estimated_tokens
        ),
        "compaction": {"count": 1, "removed_message_count": len(done.removed)} if changed else None,
    }, done.messages


@pytest.mark.parametrize("case", cases("compaction", "compact"), ids=str)
def test_compact(case: Case) -> None:
    rounds = case.wanted if isinstance(case.wanted, list) else [case.wanted]
    settings = config(case, case.input["config"])
    added = [[], *case.input.get("rounds_append", [])]
    messages = tuple(message_of(value) for value in case.input["messages"])
    for wanted, appended in zip(rounds, added, strict=True):
        messages = (*messages, *(message_of(value) for value in appended))
        got, messages = result(messages, settings)
        for key, value in wanted["ok"].items():
            assert got[key] == value, key


@pytest.mark.parametrize("case", cases("format_summary"), ids=str)
def test_format_summary(case: Case) -> None:
    assert format_compact_summary(case.input["summary"], case.profile) == case.wanted["ok"]  # type: ignore[arg-type]


@pytest.mark.parametrize("case", cases("continuation"), ids=str)
def test_continuation(case: Case) -> None:
    given = case.input
    text = continuation_text(
        given["summary"],
        suppress=given["suppress"],
        preserved=given["preserved"],
        profile=case.profile,  # type: ignore[arg-type]
    )
    assert text == case.wanted["ok"]


@pytest.mark.parametrize("case", cases("compact_file"), ids=str)
@pytest.mark.parametrize("is_quick", [True, False], ids=["quick", "strict"])
def test_compact_file(case: Case, is_quick: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both ways to read a file give the same bytes."""
    if not is_quick:
        monkeypatch.setattr("agentbrief.compaction.claw.claw_file.quick_lines", lambda data: None)
    settings = config(case, case.input["config"])
    data = case.input["text"].encode("utf-8")
    file = claw_file(data, f"/w/{case.input['file']}", None)
    if "error" in case.wanted:
        assert isinstance(file, NotPlanned)
        return
    assert isinstance(file, ClawFile)
    job = FileJob(file, settings, case.input["now_ms"])
    cut = job.cuts()[0]
    written = None
    if cut.changes:
        summary = extractive_summary(job.removed(cut), job.previous_summary, settings.profile)
        written = Written(summary, EXTRACTIVE)
    plan = job.plan(cut, written)
    assert isinstance(plan, CompactionPlan)
    for step in plan.steps:
        assert isinstance(step, ReplaceFile)
        data = step.data
    assert data.decode("utf-8") == case.wanted["ok"]
