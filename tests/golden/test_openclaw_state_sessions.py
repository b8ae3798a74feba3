"""The recorded operations on transcripts: line repair, the guard of appends, opening for a run."""

from __future__ import annotations

import uuid

import pytest

from agentbrief.resume.write_guard import OpenCalls, open_calls
from agentbrief.sessions.jsonl.records import read_records
from agentbrief.sessions.jsonl.repair import plan_repair, repair_paths, repair_record
from agentbrief.sessions.pi.append import append_message, header_text
from agentbrief.sessions.pi.context import RawMessage
from agentbrief.sessions.pi.read import read_transcript
from agentbrief.sessions.pi.tree import PiTranscript, is_header
from tests.golden.openclaw_cases import Case, assert_lines_match, assert_matches, cases, file_text

FOLDER = "/srv/store"


def new_uuid() -> str:
    return str(uuid.uuid4())


def text_in(case: Case) -> str | None:
    content = case.input["files"].get("s.jsonl")
    return None if content is None else file_text(content)


def assert_file_matches(found: bytes, wanted: str, before: str) -> None:
    if wanted == "<unchanged>":
        assert found.decode("utf-8") == before
    else:
        assert_lines_match(found, wanted, before)


@pytest.mark.parametrize("case", cases("state", {"repair_lines"}), ids=str)
def test_lines_that_do_not_parse_are_dropped(case: Case) -> None:
    before = text_in(case)
    data = before.encode("utf-8") if before is not None else None
    plan = plan_repair(data, read_records(data), is_header=is_header) if data is not None else None
    paths = repair_paths(f"{FOLDER}/s.jsonl", 4321, case.now)
    known = {"dir": FOLDER}
    assert_matches(repair_record(plan, paths.backup), case.wanted["result"], known)
    assert set(repair_record(plan, paths.backup)) == set(case.wanted["result"])
    after = case.wanted.get("filesAfter", {"s.jsonl": before})
    if plan is not None and data is not None:
        assert_file_matches(plan.content, after["s.jsonl"], before or "")
        if not plan.repaired:
            assert plan.content == data
        again = plan_repair(plan.content, read_records(plan.content), is_header=is_header)
        assert again.content == plan.content
        assert not again.repaired
    if "bad" in case.wanted:
        assert plan is not None
        assert [[change.line, change.code] for change in plan.changes] == case.wanted["bad"]


@pytest.mark.parametrize("case", cases("state", {"prepare"}), ids=str)
def test_a_run_appends_at_once_and_never_rewrites(case: Case) -> None:
    request = case.input["request"]
    before = text_in(case)
    data = (
        before.encode("utf-8")
        if before is not None
        else header_text(request["sessionId"], request.get("cwd"), case.now)
    )
    transcript = read_transcript(data)
    assert isinstance(transcript, PiTranscript)
    for message in request.get("append", ()):
        found = append_message(transcript, message, time_ms=case.now, new_uuid=new_uuid)
        transcript, data = found.transcript, data + found.text
    assert transcript.session_id == case.wanted["result"]["id"]
    assert_file_matches(data, case.wanted["filesAfter"]["s.jsonl"], before or "")


@pytest.mark.parametrize("case", cases("state", {"write_guard"}), ids=str)
def test_waiting_calls_are_closed_before_another_message(case: Case) -> None:
    request = case.input["request"]
    options = request.get("options", {})
    guard = OpenCalls((), options.get("allowSyntheticToolResults", True))
    stored: list[RawMessage] = []
    for message in request["messages"]:
        written, guard = guard.appended(message, case.now)
        stored += written
    if guard.synthetic_results:
        assert open_calls(stored, True).calls == guard.calls
    if request.get("flushAtEnd") or options.get("flushAtEnd"):
        written, guard = guard.closed(case.now)
        stored += written
    result = {"pending": [call.id for call in guard.calls], "messages": stored}
    assert_matches(result, case.wanted["result"])
