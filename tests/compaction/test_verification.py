"""What would be written is looked at first: each kind of damage is seen, and then nothing is planned."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from agentbrief.changes.steps import ReplaceFile
from agentbrief.compaction.claw.claw_file import ClawFile, claw_file
from agentbrief.compaction.claw.grammar import PREAMBLE
from agentbrief.compaction.claw.job import FileJob
from agentbrief.compaction.claw.port_file import PortFile, port_file
from agentbrief.compaction.plan import CompactionPlan, NotPlanned, Written
from tests.compaction.conversations import conversation, json_file, jsonl_file
from tests.compaction.conversations import port_file as port_bytes
from tests.compaction.store import SMALL, extractive_plan, job_of

CALL = '{"role":"assistant","blocks":[{"type":"tool_use","id":"c","name":"ls","input":""}]}'
ANSWER = '{"type":"tool_result","tool_use_id":"c","tool_name":"ls","output":"","is_error":false}'
RESULT = f'{{"role":"tool","blocks":[{ANSWER}]}}'


def planned_bytes(data: bytes, path: str) -> tuple[FileJob, bytes]:
    job = job_of(data, path, None, SMALL, 7)
    plan = extractive_plan(job)
    assert isinstance(plan, CompactionPlan)
    (step,) = plan.steps
    assert isinstance(step, ReplaceFile)
    return job, step.data


def last_line_changed(new: bytes) -> bytes:
    head, _, last = new.rstrip(b"\n").rpartition(b"\n")
    return head + b"\n" + last.replace(b'"role"', b'"role" ') + b"\n"


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "does-not-parse": lambda new: new[: len(new) // 2],
    "no-summary": lambda new: new.replace(PREAMBLE[:20].encode(), b"Some other session h"),
    "kept-differs": last_line_changed,
    "no-record": lambda new: new.replace(b'"count":1,', b'"count":2,'),
    "head-differs": lambda new: new.replace(b'"session_id":"s"', b'"session_id":"t"'),
}


@pytest.mark.parametrize("fault", DAMAGE)
def test_damage_to_a_session_in_jsonl_is_seen(fault: str) -> None:
    chance = random.Random(3)
    data = jsonl_file(chance, conversation(chance, 20), odd=False)
    job, new = planned_bytes(data, "/w/s.jsonl")
    cut = job.cuts()[0]
    assert job.file.faults(cut.removed.start, cut.kept, new) == ()
    assert job.file.faults(cut.removed.start, cut.kept, DAMAGE[fault](new)) == (fault,)


def test_a_kept_line_that_is_gone_or_there_twice_is_seen() -> None:
    chance = random.Random(3)
    data = jsonl_file(chance, conversation(chance, 20), odd=False)
    job, new = planned_bytes(data, "/w/s.jsonl")
    cut = job.cuts()[0]
    lines = new.split(b"\n")
    for other in (lines[:-2] + lines[-1:], lines[:-1] + lines[-2:]):
        assert "kept-differs" in job.file.faults(cut.removed.start, cut.kept, b"\n".join(other))


def test_damage_to_a_session_in_json_form_is_seen() -> None:
    chance = random.Random(3)
    job, new = planned_bytes(json_file(chance, conversation(chance, 20)), "/w/s.json")
    cut = job.cuts()[0]
    assert job.file.faults(cut.removed.start, cut.kept, new) == ()
    assert job.file.faults(0, cut.kept, new.replace(b'"zzz":{"k"', b'"zzz":{"x"')) == ("head-differs",)
    other = new[: new.rindex(b'"role":"')] + new[new.rindex(b'"role":"') :].replace(
        b'"role":"', b'"n":1,"role":"'
    )
    assert job.file.faults(0, cut.kept, other) == ("kept-differs",)


def test_damage_to_a_session_of_the_workspace_is_seen() -> None:
    chance = random.Random(4)
    data = port_bytes(chance, conversation(chance, 20))
    file = port_file(data, "/w/port.json", None)
    assert isinstance(file, PortFile)
    job, new = planned_bytes(data, "/w/port.json")
    kept = job.cuts()[0].kept
    assert file.faults(0, kept, new) == ()
    assert file.faults(0, kept, new[:-3]) == ("does-not-parse",)
    assert file.faults(0, kept, new.replace(b'"output_tokens": 2', b'"output_tokens": 3')) == (
        "head-differs",
    )
    assert file.faults(0, kept, new.replace(PREAMBLE[:20].encode(), b"Some other session h")) == (
        "no-summary",
    )
    assert "kept-differs" in file.faults(0, range(kept.start + 1, kept.stop), new)


def test_a_pair_that_would_be_split_is_seen() -> None:
    lines = [f'{{"type":"message","message":{value}}}' for value in (CALL, RESULT, CALL)]
    data = "\n".join((*lines, "")).encode()
    file = claw_file(data, "/w/s.jsonl", None)
    assert isinstance(file, ClawFile)
    assert "pair-split" in file.faults(0, range(1, 3), data)
    values = f"[{CALL},{RESULT}]"
    stored = f'{{"session_id":"port","messages":{values},"input_tokens":0,"output_tokens":0}}'.encode()
    port = port_file(stored, "/w/port.json", None)
    assert isinstance(port, PortFile) and "pair-split" in port.faults(0, range(1, 2), stored)


def test_nothing_is_planned_that_would_damage_the_session() -> None:
    chance = random.Random(3)
    file = claw_file(jsonl_file(chance, conversation(chance, 20), odd=False), "/w/s.jsonl", None)
    assert isinstance(file, ClawFile)

    class Careless:
        """A file that loses its last line when it is written."""

        def __getattr__(self, name: str) -> Any:
            return getattr(file, name)

        def rewritten(self, *given: Any) -> bytes:
            assert isinstance(file, ClawFile)
            return file.rewritten(*given)[:-10]

    careless: Any = Careless()
    job = FileJob(careless, SMALL, 7)
    plan = job.plan(job.cuts()[0], Written("words", "editor"))
    assert isinstance(plan, NotPlanned) and plan.trouble == "would-damage"
    assert isinstance(replace(job, file=file).plan(job.cuts()[0], Written("words", "editor")), CompactionPlan)
