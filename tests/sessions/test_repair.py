"""A repaired copy: nothing whole is lost, nothing whole changes, and a second repair changes nothing."""

from __future__ import annotations

import json

import pytest

from agentbrief.sessions.jsonl.lines import BadLine, without_parent
from agentbrief.sessions.jsonl.records import read_records
from agentbrief.sessions.jsonl.repair import RepairPlan, plan_repair, repair_paths, with_header
from agentbrief.sessions.pi.fork import lost_header
from agentbrief.sessions.pi.read import read_transcript
from agentbrief.sessions.pi.tree import NoTranscript, PiTranscript, is_header
from tests.sessions.damaged_files import Damaged, damaged_files

HEADER = b'{"type":"session","version":3,"id":"s1","timestamp":"2026-03-05T10:00:00.000Z"}\n'


def ids(data: bytes) -> list[object]:
    return [record.value.get("id") for record in read_records(data).records]


def repaired(data: bytes) -> RepairPlan:
    return plan_repair(data, read_records(data), with_recovered=True, without_half_pairs=True)


@pytest.mark.parametrize("case", damaged_files(), ids=str)
def test_a_repaired_copy_holds_all_whole_records(case: Damaged) -> None:
    plan = repaired(case.data)
    file = read_records(plan.content)
    assert not file.bad
    assert file.torn_tail is None
    offered = set(case.expected["ids"]) | set(case.expected["recovered_ids"])
    assert set(ids(plan.content)) == offered
    assert [record.value.get("id") for record in without_parent(file.records)] == case.expected[
        "orphans_after_repair"
    ]
    bad_lines = [fault["line"] for fault in case.expected["bad"]]
    torn = [0] if case.expected["torn_tail"] else []
    assert plan.dropped_lines == len(bad_lines) + len(torn)
    assert [change.line for change in plan.changes][: len(bad_lines)] == bad_lines
    again = repaired(plan.content)
    assert again.content == plan.content
    assert not again.changes


@pytest.mark.parametrize("case", damaged_files(), ids=str)
def test_whole_lines_keep_their_bytes(case: Damaged) -> None:
    file = read_records(case.data)
    dropped = {line.line for line in file.lines if isinstance(line, BadLine)}
    content = plan_repair(case.data, file).content
    if not dropped:
        assert content == case.data
        return
    kept = [raw for number, raw in enumerate(case.data.split(b"\n"), 1) if number not in dropped]
    assert content.rstrip(b"\n") == b"\n".join(kept).rstrip(b"\n")
    assert content == b"" or content.endswith(b"\n")


def test_a_list_of_bad_lines_says_where_they_were() -> None:
    data = HEADER + b'{oops\n{"type":"x","id":"a"}\n\xff\n'
    plan = plan_repair(data, read_records(data), is_header=is_header)
    assert [json.loads(line) for line in plan.bad_lines.split(b"\n")[:-1]] == [
        {"line": 2, "offset": len(HEADER), "text": "{oops"},
        {"line": 4, "offset": len(data) - 2, "text": "\ufffd"},
    ]
    assert plan.content == HEADER + b'{"type":"x","id":"a"}\n'


def test_blank_lines_and_line_ends_stay() -> None:
    data = HEADER.replace(b"\n", b"\r\n") + b'\r\n  \nbroken\r\n{"type":"x","id":"a"}'
    plan = plan_repair(data, read_records(data), is_header=is_header)
    assert plan.content == data.replace(b"broken\r\n", b"") + b"\n"


def test_a_record_that_stands_in_the_file_is_not_put_in_again() -> None:
    record = b'{"type":"message","id":"m2","parentId":null}'
    data = HEADER + record[:20] + record + b"\n" + record + b"\n"
    assert repaired(data).content == HEADER + record + b"\n"


def test_half_a_pair_becomes_a_replacement_character() -> None:
    data = HEADER + b'{"type":"x","id":"a","t":"\\\\ud83c \\ud83c\\udf89 \\udf89\\ud83c!"}\n'
    plan = repaired(data)
    assert plan.content == HEADER + b'{"type":"x","id":"a","t":"\\\\ud83c \\ud83c\\udf89 \\ufffd\\ufffd!"}\n'
    assert plan.dropped_lines == 0
    assert [change.code for change in plan.changes] == ["lone-surrogate"]


def test_a_long_line_is_no_damage() -> None:
    data = HEADER + b'{"type":"x","id":"a","t":"' + b"x" * 300 + b'"}\n'
    file = read_records(data, max_bytes=200)
    assert len(file.long) == 1
    assert plan_repair(data, file).content == data


def test_names_of_what_a_repair_writes() -> None:
    paths = repair_paths("/w/8d1e.jsonl", 12, 1772712000000)
    assert (paths.copy, paths.bad_lines, paths.backup) == (
        "/w/8d1e.repaired.jsonl",
        "/w/8d1e.bad.jsonl",
        "/w/8d1e.jsonl.bak-12-1772712000000",
    )


@pytest.mark.parametrize(
    ("name", "session_id"),
    [
        ("abc.jsonl", "abc"),
        ("abc-topic-5.jsonl", "abc"),
        ("my_own_id.jsonl", "my_own_id"),
        ("2026-03-05T12-00-00-000Z_0e0e0e0e-1111.jsonl", "0e0e0e0e-1111"),
    ],
)
def test_a_copy_with_a_header_opens(name: str, session_id: str) -> None:
    data = (
        b'{"type":"message","id":"a","parentId":null,"timestamp":"2026-03-05T10:00:01.000Z","message":{}}\n'
    )
    assert isinstance(read_transcript(data), NoTranscript)
    copy = with_header(data, lost_header(name, read_records(data).records))
    transcript = read_transcript(copy)
    assert isinstance(transcript, PiTranscript)
    assert transcript.session_id == session_id
    assert transcript.header["timestamp"] == "2026-03-05T10:00:01.000Z"
    assert copy.endswith(data)
