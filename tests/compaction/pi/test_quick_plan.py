"""Whether a plan is the same however its transcript was read, and how much of it has to be looked at."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentbrief.compaction.pi.due import compaction_due
from agentbrief.compaction.pi.extractive import extractive_text
from agentbrief.compaction.pi.job import PiJob, pi_job
from agentbrief.compaction.pi.pi_source import Layout, PiSettings, PiSource
from agentbrief.compaction.plan import CompactionPlan, NotPlanned, Written
from agentbrief.jsonio import dumps
from agentbrief.sessions.model import SessionRef
from agentbrief.sessions.pi.leaf_path import LatePath, TranscriptAtLeaf
from agentbrief.sessions.pi.quick import quick_transcript
from agentbrief.sessions.pi.read import read_transcript
from agentbrief.sessions.pi.tree import NoTranscript
from tests.compaction.pi.random_sessions import EXAMPLES, KEEP_TOKENS, TRANSCRIPTS
from tests.golden.openclaw_cases import NOW, openclaw_data
from tests.sessions.pi.damaged import ALL_HARMS, Harm, harmed
from tests.sessions.pi.transcripts import HEADER, entry

SUMMARY = openclaw_data().summary
UUID = "0f0f0f0f-1111-4222-8333-555555555555"
LAYOUTS = st.sampled_from(["pi", "openclaw"])
WINDOWS = st.sampled_from([None, 1, 150, 400, 100_000])


def job_of(
    data: bytes,
    transcript: TranscriptAtLeaf,
    keep: int = 50,
    layout: Layout = "pi",
    window: int | None = None,
    *,
    until_fits: bool = False,
    only_if_due: bool = False,
) -> PiJob | NotPlanned:
    return pi_job(
        PiSource(SessionRef("/w/s.jsonl", layout, transcript.session_id, True), data, None, transcript),
        PiSettings(keep, 100, layout, SUMMARY, window, recent_turns=3, rules="## Red Lines\nnever push"),
        now_ms=NOW,
        new_uuid=lambda: UUID,
        until_fits=until_fits,
        only_if_due=only_if_due,
    )


def plans(job: PiJob) -> list[CompactionPlan | NotPlanned]:
    found: list[CompactionPlan | NotPlanned] = []
    for cut in job.cuts():
        if cut.changes:
            removed = job.preparation_of(len(cut.removed)).removed
            text = extractive_text([message.value for message in removed], job.previous_summary)
            found.append(job.plan(cut, Written(text, "extractive")))
        else:
            found.append(job.plan(cut, None))
    return found


@settings(max_examples=EXAMPLES * 2)
@given(TRANSCRIPTS, ALL_HARMS, KEEP_TOKENS, LAYOUTS, WINDOWS, st.booleans(), st.booleans())
def test_a_plan_is_the_same_however_its_transcript_was_read(
    data: bytes,
    harms: list[Harm],
    keep: int,
    layout: Layout,
    window: int | None,
    until_fits: bool,
    only_if_due: bool,
) -> None:
    data = harmed(data, harms)
    quick, slow = quick_transcript(data), read_transcript(data)
    if quick is None:
        return
    assert not isinstance(slow, NoTranscript)
    jobs = [
        job_of(data, each, keep, layout, window, until_fits=until_fits, only_if_due=only_if_due)
        for each in (quick, slow)
    ]
    # repr, because a number that is none is not even itself
    if isinstance(jobs[0], NotPlanned) or isinstance(jobs[1], NotPlanned):
        assert jobs[0] == jobs[1]
        return
    assert jobs[0].cuts() == jobs[1].cuts()
    assert repr(plans(jobs[0])) == repr(plans(jobs[1]))
    due = [compaction_due(each.tree, window or 0, 100, SUMMARY) for each in (quick, slow)]
    assert due[0] == due[1]


def long_session(turns: int, *compactions: int, usage: int = 500) -> bytes:
    """A session of so many turns of four entries, with a compaction behind some of them."""
    entries: list[dict[str, Any]] = []

    def add(**message: object) -> None:
        number = len(entries)
        entries.append(entry(f"{number:08x}", f"{number - 1:08x}" if number else None, message=message))

    for turn in range(turns):
        add(role="user", content="do it")
        add(role="assistant", content=[{"type": "toolCall", "id": f"c{turn}", "name": "t", "arguments": {}}])
        add(role="toolResult", toolCallId=f"c{turn}", content=[{"type": "text", "text": "x" * 400}])
        add(role="assistant", content="done", usage={"totalTokens": usage}, stopReason="stop")
        if turn in compactions:
            number = len(entries)
            fields = {"summary": "old", "firstKeptEntryId": f"{number - 1:08x}", "tokensBefore": 1}
            entries.append(entry(f"{number:08x}", f"{number - 1:08x}", "compaction", **fields))
    records: list[dict[str, Any]] = [HEADER, *entries]
    return b"".join(dumps(each) + b"\n" for each in records)


@pytest.mark.parametrize("compactions", [(), (10, 450)])
@pytest.mark.parametrize("layout", ["pi", "openclaw"])
@pytest.mark.parametrize("only_if_due", [True, False])
def test_the_numbers_need_no_more_than_the_end_of_the_path(
    compactions: tuple[int, ...], layout: Layout, only_if_due: bool
) -> None:
    data = long_session(500, *compactions)
    found = quick_transcript(data)
    assert found is not None
    job = job_of(data, found, 1000, layout, 200, only_if_due=only_if_due)
    assert isinstance(job, PiJob)
    (cut,) = job.cuts()
    messages = 1 + 4 * 49 if compactions else 4 * 500
    assert cut.changes
    assert len(cut.removed) + len(cut.kept) == messages
    assert 30 < len(cut.kept) < 50
    path = found.tree.path
    assert isinstance(path, LatePath)
    assert path.decoded < len(cut.kept) + 10


def test_what_is_not_due_counts_the_context_and_not_what_was_compacted_before() -> None:
    data = long_session(50, 44)
    found = quick_transcript(data)
    assert found is not None
    job = job_of(data, found, 1000, "pi", 10_000, only_if_due=True)
    assert isinstance(job, PiJob)
    (cut,) = job.cuts()
    assert (cut.reason, len(cut.removed), len(cut.kept)) == ("not-due", 0, 4 * 5 + 1)
    assert cut.tokens_before == cut.tokens_kept == 5 * (2 + 1 + 100 + 1) + 1
    assert found.tree.path.decoded < 30
