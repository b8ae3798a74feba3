"""R10 and the promises on files: nothing but what is compacted changes, and all of it can be taken back."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentbrief.changes.apply import undo
from agentbrief.changes.steps import AppendRecord, CopyVerified, ReplaceFile
from agentbrief.checkpoints.listing import checkpoints_in
from agentbrief.checkpoints.restore import RestorePlan
from agentbrief.compaction.claw import claw_file as claw_file_module
from agentbrief.compaction.claw.claw_file import ClawFile, claw_file
from agentbrief.compaction.claw.engine import CompactionConfig, compact
from agentbrief.compaction.claw.port_file import port_file
from agentbrief.compaction.plan import CompactionPlan, NotPlanned, plan_record
from agentbrief.disk.seam import FS
from agentbrief.sessions.formats.claw_quick import quick_lines
from agentbrief.sessions.formats.claw_reading import load
from agentbrief.sessions.formats.claw_session import Loaded
from agentbrief.sessions.shapes import shape_of
from tests.compaction.conversations import SEEDS, conversation, json_file, jsonl_file
from tests.compaction.conversations import port_file as port_bytes
from tests.compaction.store import (
    SMALL,
    compacted,
    extractive_plan,
    job_of,
    planned,
    restored,
    roots_of,
    site,
)
from tests.disk.faults import caller, scratch

NOW_MS = 1_796_000_000_000
PRESERVE = st.integers(0, 5)


def raw_lines(data: bytes) -> tuple[list[bytes], list[bytes]]:
    """The lines with messages and those with prompts, without their LF and in every other byte."""
    lines = data.split(b"\n")
    return [line for line in lines if b'"message":' in line], [line for line in lines if b"prompt_h" in line]


@settings(max_examples=500)
@given(SEEDS, PRESERVE)
def test_lines_that_stay_keep_every_byte(seed: int, preserve: int) -> None:
    """R10 on JSONL: unknown keys, duplicate keys, big numbers, CRLF, blanks, a byte-order mark, U+2028."""
    chance = random.Random(seed)
    data = jsonl_file(chance, conversation(chance, chance.randrange(12)))
    file = claw_file(data, "/w/s.jsonl", None)
    assert isinstance(file, ClawFile), file
    job = job_of(data, "/w/s.jsonl", None, CompactionConfig(preserve, 0), NOW_MS)
    plan = extractive_plan(job)
    assert isinstance(plan, CompactionPlan), plan
    if not plan.steps:
        assert (plan.tokens_after, plan.bytes_after) == (plan.tokens_before, len(data))
        return
    (step,) = plan.steps
    assert isinstance(step, ReplaceFile) and len(step.data) == plan.bytes_after
    messages, prompts = raw_lines(data)
    new_messages, new_prompts = raw_lines(step.data)
    assert new_messages[1:] == messages[plan.kept.start :]
    assert new_prompts == prompts
    assert step.data.count(b"\n") == 2 + len(prompts) + len(new_messages) and step.data.endswith(b"\n")


@settings(max_examples=300)
@given(SEEDS, PRESERVE, st.booleans())
def test_reading_quickly_is_reading_strictly(seed: int, preserve: int, odd: bool) -> None:
    chance = random.Random(seed)
    data = jsonl_file(chance, conversation(chance, chance.randrange(1, 12)), odd=odd)
    found = load(data, "s.jsonl", 0)
    assert isinstance(found, Loaded)
    lines = quick_lines(data)
    assert odd or lines is not None
    if lines is None:
        return
    assert lines.shapes == tuple(map(shape_of, found.session.messages))
    quick = extractive_plan(job_of(data, "/w/s.jsonl", None, CompactionConfig(preserve, 0), NOW_MS))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(claw_file_module, "quick_lines", lambda data: None)
        strict = extractive_plan(job_of(data, "/w/s.jsonl", None, CompactionConfig(preserve, 0), NOW_MS))
    assert quick == strict


BAD_LINES = (
    '{"type":"message","message":{"role":"bot","blocks":[]}}',
    '{"type":"message","message":{"role":"user","blocks":{}}}',
    '{"type":"message","message":{"role":"user","blocks":[{"type":"text"}]}}',
    '{"type":"message","message":{"role":"user","blocks":[{"type":"text","text":1}]}}',
    '{"type":"message","message":{"role":"user","blocks":[{"type":"image","data":""}]}}',
    '{"type":"message","message":{"role":"tool","blocks":[{"type":"tool_result","tool_use_id":"a","tool_name":"n","output":"o","is_error":1}]}}',
    '{"type":"message","message":{"role":"tool","blocks":[{"type":"tool_result","tool_use_id":1,"tool_name":"n","output":"o","is_error":true}]}}',
    '{"type":"message","message":{"role":"assistant","blocks":[{"type":"tool_use","id":null,"name":"n","input":"i"}]}}',
    '{"type":"message","message":{"role":"assistant","blocks":[{"type":"tool_use","id":"a","name":7,"input":"i"}]}}',
    '{"type":"message","message":{"role":"assistant","blocks":[{"type":"thinking","thinking":null}]}}',
    '{"type":"message","message":{"role":"user","blocks":["text"]}}',
    '{"type":"message","message":{"role":"user","blocks":[],"usage":null}}',
    '{"type":"message","message":{"role":"user","blocks":[],"usage":{"input_tokens":1.0,"output_tokens":2,"cache_creation_input_tokens":3,"cache_read_input_tokens":4}}}',
    '{"type":"message","message":{"role":"user","blocks":[],"usage":{"input_tokens":4294967296,"output_tokens":2,"cache_creation_input_tokens":3,"cache_read_input_tokens":4}}}',
    '{"type":"message","message":{"role":"user","blocks":[],"usage":{"input_tokens":true,"output_tokens":2,"cache_creation_input_tokens":3,"cache_read_input_tokens":4}}}',
    '{"type":"message"}',
    '{"type":"unknown"}',
    '["type"]',
    '{"type":"message","message":{"role":["user"],"blocks":[]}}',
    '{"type":"message","message":{"role":"user","blocks":[],"x":NaN}}',
)  # fmt: skip
GOOD = '{"type":"message","message":{"role":"user","blocks":[{"type":"text","text":"hi"}]}}'


@pytest.mark.parametrize("line", BAD_LINES)
def test_a_file_that_the_strict_reader_refuses_is_not_compacted(line: str) -> None:
    data = "\n".join((GOOD, line, GOOD, "")).encode()
    assert quick_lines(data) is None
    file = claw_file(data, "/w/s.jsonl", None)
    assert isinstance(file, NotPlanned) and file.trouble == "unreadable"


BAD_HEADS = (
    ('{"type":"session_meta","version":2,"session_id":"s","updated_at_ms":6}', "unsupported-version"),
    ('{"type":"session_meta","session_id":"s","updated_at_ms":6}', "bad-version"),
    ('{"type":"session_meta","version":1,"session_id":7,"updated_at_ms":6}', "bad-meta"),
    ('{"type":"session_meta","version":1,"session_id":"s","updated_at_ms":6,"fork":null}', "bad-fork"),
    ('{"type":"compaction","count":1.0,"removed_message_count":2,"summary":"s"}', "bad-compaction"),
)


@pytest.mark.parametrize(("line", "code"), BAD_HEADS)
def test_a_file_with_a_head_that_the_strict_reader_refuses_is_not_compacted(line: str, code: str) -> None:
    data = "\n".join((line, GOOD, GOOD, "")).encode()
    assert quick_lines(data) is not None
    file = claw_file(data, "/w/s.jsonl", None)
    assert isinstance(file, NotPlanned) and (file.trouble, file.detail) == ("unreadable", code)


def test_a_torn_tail_is_repaired_before_anything_else() -> None:
    file = claw_file(f'{GOOD}\n{GOOD}\n{{"type":"mess'.encode(), "/w/s.jsonl", None)
    assert isinstance(file, NotPlanned) and file.trouble == "torn-tail"


@settings(max_examples=150)
@given(SEEDS, PRESERVE)
def test_a_file_in_json_form_keeps_its_form_and_its_fields(seed: int, preserve: int) -> None:
    chance = random.Random(seed)
    data = json_file(chance, conversation(chance, chance.randrange(12)))
    plan = extractive_plan(job_of(data, "/w/s.json", None, CompactionConfig(preserve, 0), NOW_MS))
    assert isinstance(plan, CompactionPlan), plan
    if plan.steps and isinstance(step := plan.steps[0], ReplaceFile):
        before, after = json.loads(data), json.loads(step.data)
        assert after["messages"][1:] == before["messages"][plan.kept.start :]
        assert after.keys() - before.keys() == {"compaction"} and after["zzz"] == before["zzz"]


@settings(max_examples=200)
@given(SEEDS, PRESERVE)
def test_a_session_of_the_workspace_keeps_every_other_byte(seed: int, preserve: int) -> None:
    chance = random.Random(seed)
    data = port_bytes(chance, conversation(chance, chance.randrange(12)))
    job = job_of(data, "/w/port.json", None, CompactionConfig(preserve, 0), NOW_MS)
    plan = extractive_plan(job)
    assert isinstance(plan, CompactionPlan), plan
    if not plan.steps or not isinstance(step := plan.steps[0], ReplaceFile):
        return
    start, end = data.index(b"["), data.rindex(b"]", 0, data.rindex(b'"input_tokens"'))
    assert step.data.startswith(data[: start + 1]) and step.data.endswith(data[end:])
    assert json.loads(step.data)["messages"][1:] == json.loads(data)["messages"][plan.kept.start :]
    again = port_file(step.data, "/w/port.json", None)
    assert not isinstance(again, NotPlanned)


def test_compacting_a_file_is_compacting_its_messages() -> None:
    chance = random.Random(5)
    values = conversation(chance, 30)
    data = jsonl_file(chance, values, odd=False)
    found = load(data, "s.jsonl", 0)
    assert isinstance(found, Loaded)
    done = compact(found.session.messages, SMALL)
    plan = extractive_plan(job_of(data, "/w/s.jsonl", None, SMALL, NOW_MS))
    assert isinstance(plan, CompactionPlan)
    assert (plan.summary, plan.removed, plan.tokens_before, plan.tokens_after) == (
        done.summary,
        done.removed,
        done.tokens_before,
        done.tokens_after,
    )


def test_a_second_compaction_raises_the_count_and_sums_up() -> None:
    chance = random.Random(7)
    data = jsonl_file(chance, conversation(chance, 20), odd=False)
    scopes = []
    for number in range(3):
        plan = extractive_plan(job_of(data, "/w/s.jsonl", None, SMALL, NOW_MS))
        assert isinstance(plan, CompactionPlan)
        (step,) = plan.steps
        assert isinstance(step, ReplaceFile)
        found = load(step.data, "s.jsonl", 0)
        assert isinstance(found, Loaded) and found.session.compaction is not None
        assert found.session.compaction.count == number + 1
        assert found.session.compaction.removed_message_count == len(plan.removed)
        assert found.session.updated_at_ms == NOW_MS
        scopes.append(plan.summary.split("\n")[2])
        more = jsonl_file(chance, conversation(chance, 6), odd=False).split(b"\n", 1)[1]
        data = step.data + more
    assert len(set(scopes)) == 3


def test_keeping_less_until_it_fits() -> None:
    text = "x" * 40_000
    values = [{"role": "user", "blocks": [{"type": "text", "text": text}]} for _ in range(6)]
    data = jsonl_file(random.Random(1), values, odd=False)
    config = CompactionConfig(4, 10_000)
    job = job_of(data, "/w/s.jsonl", None, config, NOW_MS, until_fits=True)
    plans = [extractive_plan(job, number) for number in range(len(job.cuts()))]
    assert [len(plan.kept) for plan in plans if isinstance(plan, CompactionPlan)] == [4, 2, 1, 0]
    assert [job.fits(plan) for plan in plans if isinstance(plan, CompactionPlan)] == [False] * 3 + [True]
    assert len(job_of(data, "/w/s.jsonl", None, config, NOW_MS).cuts()) == 1
    # four messages that are never due by themselves are due when fewer are kept
    few = job_of(jsonl_file(random.Random(1), values[:4], odd=False), "/w/s.jsonl", None, config, NOW_MS)
    assert not few.cuts()[0].changes


def test_a_summary_that_is_no_smaller_and_masked_secrets_are_told() -> None:
    values = [{"role": "user", "blocks": [{"type": "text", "text": "sk-ant-abc"}]} for _ in range(4)]
    plan = extractive_plan(
        job_of(jsonl_file(random.Random(1), values, odd=False), "/w/s.jsonl", None, SMALL, NOW_MS)
    )
    assert isinstance(plan, CompactionPlan) and not plan.is_smaller
    assert [warning.code for warning in plan.warnings] == ["not-smaller", "secrets-masked"]
    (step,) = plan.steps
    assert isinstance(step, ReplaceFile) and b"sk-ant-[redacted]" in step.data


def test_a_copy_of_a_session_of_our_own_leaves_it_alone() -> None:
    data = jsonl_file(random.Random(1), conversation(random.Random(1), 9), odd=False)
    job = job_of(data, "/w/s.jsonl", None, SMALL, NOW_MS, output="/out/s.compacted.jsonl")
    plan = extractive_plan(job)
    assert isinstance(plan, CompactionPlan) and plan.target == "/out/s.compacted.jsonl"
    (step,) = plan.steps
    assert isinstance(step, ReplaceFile) and (step.path, step.stamp) == (plan.target, None)


FILES = (("s.jsonl", jsonl_file), ("s.json", json_file), ("port.json", port_bytes))


def test_500_sessions_compacted_and_undone_or_restored_are_what_they_were() -> None:
    fs = FS()
    changed = 0
    for seed in range(500):
        chance = random.Random(seed)
        name, make = FILES[seed % 3]
        data = make(chance, conversation(chance, chance.randrange(3, 14)))
        with scratch() as folder:
            path = folder / name
            path.write_bytes(data)
            config = CompactionConfig(chance.randrange(4), 0)
            plan, receipt = compacted(fs, str(path), caller(), f"k{seed}", config)
            if receipt is None:
                assert path.read_bytes() == data and not plan.cut.changes
                continue
            changed += 1
            after = path.read_bytes()
            assert after != data and [done.step for done in receipt.done] == in_order(plan)
            items = checkpoints_in(fs, str(folder), roots_of(fs, str(folder))).items
            assert [item.checkpoint.id for item in items] == [f"k{seed}"]
            assert Path(items[0].path).read_bytes() == data
            if seed % 2:
                undo(site(fs, str(path), caller()), receipt)
            else:
                found, _ = restored(fs, str(path), caller(), f"r{seed}", items[0])
                assert isinstance(found, RestorePlan) and found.kept is not None
                assert Path(found.kept.path).read_bytes() == after
            assert path.read_bytes() == data
    assert changed > 400


def in_order(plan: CompactionPlan) -> list[object]:
    """The steps of a plan in the order they are carried out: copies first."""
    return sorted(plan.steps, key=lambda step: not isinstance(step, CopyVerified))


@settings(max_examples=40)
@given(SEEDS, PRESERVE)
def test_dry_run_and_apply_agree_item_for_item(seed: int, preserve: int) -> None:
    chance = random.Random(seed)
    data = jsonl_file(chance, conversation(chance, 12))
    fs, config = FS(), CompactionConfig(preserve, 0)
    with scratch() as folder:
        path = folder / "s.jsonl"
        path.write_bytes(data)
        dry = planned(fs, str(path), caller().now_ns() // 1_000_000, "k1", config)
        assert path.read_bytes() == data and list(folder.iterdir()) == [path]
        done, receipt = compacted(fs, str(path), caller(), "k1", config)
        assert dry == done and plan_record(dry) == plan_record(done)
        if receipt is None:
            assert dry.steps == ()
            return
        assert [each.step for each in receipt.done] == in_order(dry) and receipt.left_out == ()
        written = {step.path: step.data for step in dry.steps if isinstance(step, ReplaceFile)}
        assert {str(path): path.read_bytes()} == written
        assert dry.checkpoint is not None and Path(dry.checkpoint).read_bytes() == data
        assert path.stat().st_size == dry.bytes_after
        assert {type(step) for step in dry.steps} == {CopyVerified, AppendRecord, ReplaceFile}


def test_the_record_of_a_plan_has_the_keys_of_the_command_line() -> None:
    data = jsonl_file(random.Random(1), conversation(random.Random(1), 9), odd=False)
    plan = extractive_plan(job_of(data, "/w/s.jsonl", None, SMALL, NOW_MS))
    assert isinstance(plan, CompactionPlan)
    record = plan_record(plan)
    assert {
        "due", "reason", "config", "estimated_tokens", "removed_message_count", "kept", "summary",
        "formatted_summary", "compacted_estimated_tokens", "provider", "reinjected", "checkpoint",
    } <= record.keys()  # fmt: skip
    assert record["config"] == {"preserve_recent_messages": 2, "max_estimated_tokens": 0}
    assert (record["due"], record["reason"], record["provider"]) == (True, "due", "extractive")
