"""What holds for each compaction of each transcript, whatever stands in it."""

from __future__ import annotations

import uuid
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from agentbrief.changes.steps import AppendRecord
from agentbrief.compaction.pi.branch_summary import left_branch
from agentbrief.compaction.pi.compaction_entry import lost_calls
from agentbrief.compaction.pi.estimate import messages_tokens
from agentbrief.compaction.pi.extractive import extractive_text
from agentbrief.compaction.pi.job import PiJob, pi_job
from agentbrief.compaction.pi.pi_plan import PiPlan
from agentbrief.compaction.pi.pi_source import Layout, PiSettings, PiSource
from agentbrief.compaction.pi.replacement import replacement
from agentbrief.compaction.plan import Written
from agentbrief.disk.values import Stamp
from agentbrief.sessions.model import SessionRef
from agentbrief.sessions.pi.context import context_of, message_of
from agentbrief.sessions.pi.read import read_transcript
from agentbrief.sessions.pi.tree import PiTranscript
from agentbrief.text import utf16
from tests.compaction.pi.random_sessions import EXAMPLES, KEEP_TOKENS, TRANSCRIPTS
from tests.golden.openclaw_cases import NOW, openclaw_data

DATA = openclaw_data()
SUMMARY = DATA.summary
LAYOUTS = st.sampled_from(["pi", "openclaw"])


def read(data: bytes) -> PiTranscript:
    found = read_transcript(data)
    assert isinstance(found, PiTranscript)
    return found


def job_of(
    data: bytes,
    keep_tokens: int,
    layout: Layout,
    *,
    path: str = "/w/s.jsonl",
    stamp: Stamp | None = None,
    **more: Any,
) -> PiJob:
    transcript = read(data)
    job = pi_job(
        PiSource(SessionRef(path, layout, transcript.session_id, True), data, stamp, transcript),
        PiSettings(keep_tokens, 100, layout, SUMMARY, recent_turns=3, rules="## Red Lines\nnever push"),
        **{"now_ms": NOW, "new_uuid": lambda: str(uuid.uuid4()), **more},
    )
    assert isinstance(job, PiJob)
    return job


def planned(job: PiJob, number: int = 0) -> PiPlan | None:
    cut = job.cuts()[number]
    if not cut.changes:
        return None
    removed = job.preparation_of(len(cut.removed)).removed
    text = extractive_text([message.value for message in removed], job.previous_summary)
    plan = job.plan(cut, Written(text, "extractive"))
    assert isinstance(plan, PiPlan)
    return plan


def appended(data: bytes, plan: PiPlan) -> bytes:
    (step,) = plan.steps
    assert isinstance(step, AppendRecord)
    return data + (b"" if data.endswith(b"\n") else b"\n") + step.record + b"\n"


@settings(max_examples=EXAMPLES)
@given(TRANSCRIPTS, KEEP_TOKENS, LAYOUTS)
def test_the_tree_gives_the_summary_and_the_kept_messages(data: bytes, keep: int, layout: Layout) -> None:
    before = read(data)
    job = job_of(data, keep, layout)
    plan = planned(job)
    if plan is None:
        return
    after = read(appended(data, plan))
    kept = [
        (entry.id, message)
        for entry in job.preparation_of(len(plan.removed)).kept
        if (message := message_of(entry)) is not None
    ]
    context = context_of(after.tree, after.tree.leaf_id)
    found = [(message.entry_id, message.value) for message in context.messages]
    assert found[0][1]["role"] == "compactionSummary"
    assert found[0][1]["summary"] == plan.summary
    assert found[1:] == kept
    assert len(plan.kept) == len(kept)
    old = context_of(before.tree, before.tree.leaf_id)
    shown = [(message.entry_id, message.value) for message in old.messages]
    assert shown[len(shown) - len(kept) :] == kept
    assert plan.tokens_after == messages_tokens([message for _, message in found], SUMMARY)


@settings(max_examples=EXAMPLES)
@given(TRANSCRIPTS, KEEP_TOKENS, LAYOUTS)
def test_no_line_changes_and_one_is_added(data: bytes, keep: int, layout: Layout) -> None:
    plan = planned(job_of(data, keep, layout))
    if plan is None:
        return
    new = appended(data, plan)
    assert new.startswith(data)
    before, after = read(data), read(new)
    assert after.tree.entries[:-1] == before.tree.entries
    assert after.tree.entries[-1].id == plan.entry_id
    assert after.tree.entries[-1].parent_id == plan.leaf_before == before.tree.leaf_id
    assert len(new) == plan.bytes_after
    # a torn tail is a bad line like any other once a record stands behind it
    assert [fault.line for fault in after.damage] == [fault.line for fault in before.damage]


@settings(max_examples=EXAMPLES)
@given(TRANSCRIPTS, KEEP_TOKENS, LAYOUTS)
def test_no_result_loses_its_call(data: bytes, keep: int, layout: Layout) -> None:
    before = read(data)
    old = lost_calls(before.tree, context_of(before.tree, before.tree.leaf_id))
    job = job_of(data, keep, layout, until_fits=True)
    for number in range(len(job.cuts())):
        plan = planned(job, number)
        if plan is not None:
            after = read(appended(data, plan))
            assert lost_calls(after.tree, context_of(after.tree, after.tree.leaf_id)) <= old


@settings(max_examples=EXAMPLES)
@given(TRANSCRIPTS, KEEP_TOKENS)
def test_each_retry_keeps_less(data: bytes, keep: int) -> None:
    cuts = [cut for cut in job_of(data, keep, "pi", until_fits=True).cuts() if cut.changes]
    assert [len(cut.removed) for cut in cuts] == sorted({len(cut.removed) for cut in cuts})
    for cut in cuts:
        assert cut.removed.start == 0
        assert cut.removed.stop == cut.kept.start


@settings(max_examples=EXAMPLES)
@given(TRANSCRIPTS, KEEP_TOKENS)
def test_a_second_compaction_tells_what_the_first_told(data: bytes, keep: int) -> None:
    first = planned(job_of(data, keep, "pi"))
    if first is None:
        return
    more = (
        b'{"type":"message","id":"zz000001","parentId":"%s","timestamp":"2026-03-06T10:00:00.000Z",'
        % (first.entry_id or "").encode()
    )
    more += b'"message":{"role":"user","content":"one more thing"}}\n'
    job = job_of(appended(data, first) + more, 0, "pi")
    second = planned(job)
    if second is None:
        return
    scope = first.summary.split("\n")[2]
    assert scope.startswith("- Scope: ")
    assert utf16.length(second.summary) <= SUMMARY.max_chars * 4
    assert second.summary.count("Conversation summary:") <= 1 + second.summary.count("Turn Context")


@settings(max_examples=EXAMPLES)
@given(TRANSCRIPTS, KEEP_TOKENS)
def test_the_summary_of_openclaw_is_never_too_long(data: bytes, keep: int) -> None:
    plan = planned(job_of(data, keep, "openclaw"))
    if plan is not None:
        assert utf16.length(plan.summary) <= SUMMARY.max_chars
        assert plan.summary.endswith("never push\n</workspace-critical-rules>")


@settings(max_examples=EXAMPLES)
@given(TRANSCRIPTS)
def test_a_replaced_transcript_shows_the_same_and_keeps_its_lines(data: bytes) -> None:
    before = read(data)
    found = replacement(data)
    if found.content is None:
        assert found.removed == ()
        return
    after = read(found.content)
    gone = {entry.id for entry in found.removed}
    assert [entry.id for entry in after.tree.entries] == [
        entry.id for entry in before.tree.entries if entry.id not in gone
    ]
    old, new = (context_of(each.tree, each.tree.leaf_id).messages for each in (before, after))
    assert old == new
    old_lines, new_lines = data.split(b"\n"), found.content.split(b"\n")
    changed = [line for line in new_lines if line not in set(old_lines)]
    parents = {entry.id: entry.parent_id for entry in before.tree.entries}
    assert len(changed) == sum(entry.parent_id != parents[entry.id] for entry in after.tree.entries)
    assert after.tree.orphans() == before.tree.orphans()
    assert replacement(found.content).content is None


@settings(max_examples=EXAMPLES)
@given(TRANSCRIPTS)
def test_a_replaced_transcript_keeps_the_other_branches(data: bytes) -> None:
    before = read(data)
    found = replacement(data)
    if found.content is None:
        return
    after = read(found.content)
    on_path = {entry.id for entry in before.tree.path}
    for entry in before.tree.entries:
        if entry.id not in on_path and entry.type != "label":
            old, new = (context_of(each.tree, entry.id).messages for each in (before, after))
            assert old == new


@settings(max_examples=EXAMPLES)
@given(TRANSCRIPTS, st.integers(0, 40), st.integers(0, 40), st.integers(0, 300))
def test_a_branch_that_is_left_is_told_newest_first(data: bytes, old: int, new: int, budget: int) -> None:
    tree = read(data).tree
    if not tree.entries:
        return
    leaf, target = (tree.entries[number % len(tree.entries)].id for number in (old, new))
    found = left_branch(tree, leaf, target, budget, SUMMARY)
    path = [entry.id for entry in tree.path_to(leaf)]
    assert [entry.id for entry in found.entries] == path[len(path) - len(found.entries) :]
    others = {entry.id for entry in tree.path_to(target)}
    assert not others & {entry.id for entry in found.entries}
    assert found.total_tokens == messages_tokens([each.value for each in found.messages], SUMMARY)
    told = [message.entry_id for message in found.messages]
    assert told == [identifier for identifier in path if identifier in set(told)]
