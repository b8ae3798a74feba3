"""Whether a session is due, what a plan says where there is nothing to do, what an overflow would meet."""

from __future__ import annotations

import json
from typing import Any

import pytest

from agentbrief.compaction.layers import Clock, run
from agentbrief.compaction.pi.due import compaction_due
from agentbrief.compaction.pi.estimate import message_tokens
from agentbrief.compaction.pi.job import PiJob, pi_job
from agentbrief.compaction.pi.overflow_facts import overflow_facts
from agentbrief.compaction.pi.pi_source import PiSettings, PiSource
from agentbrief.compaction.pi.rewrites import plan_replacement
from agentbrief.compaction.plan import NotPlanned, Written
from agentbrief.disk.values import Stamp
from agentbrief.sessions.model import SessionRef
from agentbrief.sessions.pi.read import read_transcript
from agentbrief.sessions.pi.tree import PiTranscript
from tests.golden.openclaw_cases import NOW, openclaw_data

DATA = openclaw_data()
SUMMARY = DATA.summary
STAMP = Stamp(1, 2, 3, 4)


def session(*entries: dict[str, Any], version: int = 3, **header: Any) -> bytes:
    first = {
        "type": "session",
        "version": version,
        "id": "s",
        "timestamp": "2026-03-05T09:00:00.000Z",
        **header,
    }
    lines = [first]
    parent = None
    for number, entry in enumerate(entries):
        entry = {"id": f"e{number}", "parentId": parent, "timestamp": "2026-03-05T10:00:00.000Z", **entry}
        lines.append({"type": "message", **entry})
        parent = entry.get("id")
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


def user(text: str) -> dict[str, Any]:
    return {"message": {"role": "user", "content": text}}


def reply(tokens: int, stop: str = "stop") -> dict[str, Any]:
    usage = {"totalTokens": tokens}
    return {"message": {"role": "assistant", "content": [], "usage": usage, "stopReason": stop}}


def compaction(first_kept: str) -> dict[str, Any]:
    return {"type": "compaction", "summary": "old", "firstKeptEntryId": first_kept, "tokensBefore": 1}


def read(data: bytes) -> PiTranscript:
    found = read_transcript(data)
    assert isinstance(found, PiTranscript)
    return found


@pytest.mark.parametrize(
    ("entries", "due", "unchecked", "tokens"),
    [
        ((user("x"), reply(901)), True, None, 901),
        ((user("x"), reply(900)), False, None, 900),
        ((user("x"), reply(900), user("abcd")), True, None, 901),
        ((user("x"), reply(950, "aborted")), False, "aborted", 1),
        ((user("x"), reply(950), user("y"), reply(0, "error")), True, None, 951),
        ((user("x"), reply(950), compaction("e0")), False, "before-compaction", 950),
        ((user("x"), reply(950), compaction("e0"), user("y"), reply(10)), False, None, 10),
        ((user("x" * 9999),), False, "no-usage", 2500),
        ((), False, "no-usage", 0),
    ],
)
def test_the_numbers_of_the_agents_own_check(
    entries: tuple[dict[str, Any], ...], due: bool, unchecked: str | None, tokens: int
) -> None:
    found = compaction_due(read(session(*entries)).tree, 1000, 100, SUMMARY)
    assert (found.due, found.unchecked, found.context.tokens) == (due, unchecked, tokens)
    assert found.threshold_tokens == 900
    assert found.distance_tokens == 900 - tokens


def test_before_a_prompt_an_aborted_reply_counts_too() -> None:
    tree = read(session(user("x"), reply(950), user("y" * 40), reply(7, "aborted"))).tree
    assert compaction_due(tree, 1000, 100, SUMMARY).unchecked == "aborted"
    assert compaction_due(tree, 1000, 100, SUMMARY, before_prompt=True).due
    assert compaction_due(tree, 1000, 100, SUMMARY, enabled=False).unchecked == "off"


@pytest.mark.parametrize(
    ("message", "tokens"),
    [
        ({"role": ["odd"], "content": "x"}, 0),
        ({"role": "user", "content": [7, {"type": "text"}, {"type": "text", "text": "abcde"}]}, 2),
        ({"role": "assistant", "content": "words"}, 2),
        ({"role": "assistant", "content": [{"type": "toolUse", "name": "ab", "input": {"k": "ü"}}]}, 3),
        ({"role": "assistant", "content": [{"type": "toolCall", "name": "abcd"}]}, 1),
        ({"role": "bashExecution"}, 0),
        ({"role": "compactionSummary", "summary": None}, 0),
    ],
)
def test_odd_messages_are_counted_too(message: dict[str, Any], tokens: int) -> None:
    assert message_tokens(message, SUMMARY) == tokens


def job(data: bytes, keep: int = 1, layout: Any = "pi", **more: Any) -> PiJob | NotPlanned:
    ref = SessionRef("/w/s.jsonl", layout, "s", True)
    settings = PiSettings(keep, 100, layout, SUMMARY, window_tokens=1000)
    source = PiSource(ref, data, STAMP, read(data))
    return pi_job(source, settings, now_ms=NOW, new_uuid=lambda: "0" * 36, **more)


@pytest.mark.parametrize(
    ("data", "layout", "detail"),
    [
        (session(user("x"), compaction("e0")), "pi", "already-compacted"),
        (session(user("x")), "pi", "too-small"),
        (session(), "pi", "too-small"),
        (session(user("NO_REPLY"), user("x")), "openclaw", "nothing-real"),
    ],
)
def test_why_there_is_nothing_to_compact(data: bytes, layout: str, detail: str) -> None:
    found = job(data, layout=layout)
    assert isinstance(found, PiJob)
    outcome = run("s", {}, "asked", found, (), Clock(lambda: 0, 1))
    assert outcome.ended == "failed"
    assert outcome.trouble == NotPlanned("no-messages", "/w/s.jsonl", detail)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (
            session(user("a"), user("b"), version=4),
            NotPlanned("in-place-refused", "/w/s.jsonl", "newer-version"),
        ),
        (
            session(user("a"), user("b"), version=1),
            NotPlanned("in-place-refused", "/w/s.jsonl", "old-version"),
        ),
        (
            session(user("a"), {**user("b"), "id": None}),
            NotPlanned("would-damage", "/w/s.jsonl", "no-id"),
        ),
    ],
)
def test_which_files_are_not_compacted(data: bytes, expected: NotPlanned) -> None:
    assert job(data) == expected


def test_the_agents_check_is_asked_for_where_nobody_asked_for_a_compaction() -> None:
    quiet = job(session(user("a"), reply(10), user("b")), only_if_due=True)
    assert isinstance(quiet, PiJob)
    outcome = run("s", {}, "near-window", quiet, (), Clock(lambda: 0, 1))
    assert outcome.ended == "not-due"
    full = job(session(user("a"), reply(950), user("b")), only_if_due=True)
    assert isinstance(full, PiJob)
    assert full.cuts()[0].changes


def test_what_an_overflow_would_meet() -> None:
    long = {"message": {"role": "toolResult", "toolCallId": "c", "content": "x" * 3000}}
    tree = read(session(user("a" * 1000), long)).tree
    found = overflow_facts(tree, 2000, {}, DATA)
    assert (found.attempts, found.result_chars, found.request_chars) == (3, 2400, 6000)
    assert [(each.entry_id, each.chars) for each in found.long_results] == [("e1", 3000)]
    assert found.results_share == 0.75
    assert found.pruning is None
    config: dict[str, Any] = {"agents": {"defaults": {"contextPruning": {"mode": "cache-ttl"}}}}
    assert overflow_facts(tree, 2000, config, DATA).pruning is not None


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "missing session header"),
        (session(), "empty session"),
        (session(compaction("e0")), "compaction already at root"),
        (session(user("a"), {"type": "custom"}, compaction("e0")), "no entries to remove"),
        (session(user("a"), user("b"), compaction("e1"), version=1), "old version"),
        (
            session(user("a"), {**user("b"), "id": 7}, {**compaction("e0"), "parentId": "e0"}),
            "entries without identifiers",
        ),
    ],
)
def test_which_transcripts_are_not_replaced(data: bytes, reason: str) -> None:
    found = plan_replacement("/w/s.jsonl", data, STAMP)
    assert found.steps == ()
    assert found.replacement.record() == {"truncated": False, "entriesRemoved": 0, "reason": reason}


def test_an_earlier_line_of_a_repeated_identifier_does_not_come_back() -> None:
    twice = session(user("a"), user("b"), user("kept"), compaction("e2"))
    lines = twice.split(b"\n")
    lines.insert(1, lines[1].replace(b'"a"', b'"earlier"'))
    found = plan_replacement("/w/s.jsonl", b"\n".join(lines), STAMP)
    assert found.replacement.content is not None
    assert b"earlier" not in found.replacement.content
    assert len(found.replacement.removed) == 2


def test_a_label_that_ends_the_file_stays_where_another_branch_would_take_its_place() -> None:
    data = session(user("a"), user("b"), user("kept"), compaction("e2"))
    branch = {"type": "message", "id": "x", "parentId": "e2", "timestamp": None, **user("other")}
    label = {"type": "label", "id": "y", "parentId": "e3", "timestamp": None, "targetId": "e0", "label": "L"}
    data += b"".join(json.dumps(line).encode() + b"\n" for line in (branch, label))
    assert plan_replacement("/w/s.jsonl", data, STAMP).replacement.reason == "no entries to remove"
    branch["parentId"] = None
    data = session(user("a"), user("b"), user("kept"), compaction("e2"))
    data += b"".join(json.dumps(line).encode() + b"\n" for line in (branch, label))
    found = plan_replacement("/w/s.jsonl", data, STAMP).replacement
    assert [entry.id for entry in found.removed] == ["e0", "e1"]


def test_a_file_of_a_store_that_is_only_read_gets_no_plan() -> None:
    data = session(user("a"), user("b"))
    source = PiSource(SessionRef("/w/s.jsonl", "pi", "s", False), data, STAMP, read(data))
    found = pi_job(source, PiSettings(1, 100, "pi", SUMMARY), now_ms=NOW, new_uuid=lambda: "0" * 36)
    assert isinstance(found, PiJob)
    cut = found.cuts()[0]
    assert found.plan(cut, Written("told", "x")) == NotPlanned("in-place-refused", "/w/s.jsonl")
    with pytest.raises(ValueError, match="no cut"):
        found.preparation_of(99)
