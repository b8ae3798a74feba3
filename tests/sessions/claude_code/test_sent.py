"""What is sent to the service, and what of it is refused; two writers; identifiers used twice."""

from __future__ import annotations

from typing import Any

import pytest

from agentbrief.sessions.facts import RejectedBlock, RepeatedId, TranscriptFacts, TwoWriters, UnpairedTool
from agentbrief.sessions.formats import claude_code
from tests.sessions.claude_code.written import (
    Record,
    assistant,
    boundary,
    call,
    file_of,
    record,
    result,
    summary,
    user,
)


def facts(*lines: Record | str) -> TranscriptFacts:
    return claude_code.facts_of(claude_code.look(file_of(*lines), "/s.jsonl"))


ASKED = [user("u1", None, "one"), assistant("a1", "u1", call("t1"))]


@pytest.mark.parametrize(
    ("lines", "wanted"),
    [
        (ASKED, []),
        ([*ASKED, result("r1", "a1", "t1")], []),
        ([*ASKED, user("u2", "a1", "continue")], [UnpairedTool("use-without-result", "t1", 2)]),
        (
            [*ASKED, assistant("a2", "a1", "hm", message_id="x")],
            [UnpairedTool("use-without-result", "t1", 2)],
        ),
        ([*ASKED, record("system", "s1", "a1", subtype="turn_duration")], []),
        (
            [*ASKED, result("r1", "a1", "t1"), user("u2", "r1", "next"), result("r2", "u2", "t9")],
            [UnpairedTool("result-without-use", "t9", 5)],
        ),
        (
            [
                user("u1", None, "one"),
                assistant("a1", "u1", call("t1"), message_id="m"),
                assistant("a2", "a1", call("t2"), message_id="m"),
                result("r1", "a2", "t1"),
            ],
            [],
        ),
        (
            [*ASKED, boundary("b", "a1"), summary("s", "b"), user("u2", "s", "next")],
            [],
        ),
    ],
    ids=[
        "at the end",
        "paired",
        "a prompt follows",
        "a reply follows",
        "a note follows",
        "without a call",
        "one of two still runs",
        "before a compaction",
    ],
)
def test_pairs(lines: list[Record], wanted: list[UnpairedTool]) -> None:
    assert list(facts(*lines).unpaired) == wanted


def test_a_result_that_hangs_beside_the_path_is_sent() -> None:
    lines = [
        user("u1", None, "go"),
        assistant("a1", "u1", call("t1"), message_id="m"),
        assistant("a2", "a1", call("t2"), message_id="m"),
        result("r1", "a1", "t1", sourceToolAssistantUUID="a1"),
        result("r2", "a2", "t2"),
        user("u2", "r2", "next"),
    ]
    assert facts(*lines).unpaired == ()


def test_only_a_call_of_the_service_makes_a_split_reply_a_fault() -> None:
    def split(block: Any, between: Record) -> list[int]:
        lines = [
            user("u1", None, "one"),
            assistant("a1", "u1", block, message_id="m"),
            between,
            assistant("a2", between["uuid"], "rest", message_id="m"),
        ]
        return [each.line for each in facts(*lines).split]

    search = {"type": "server_tool_use", "id": "srv", "name": "web_search", "input": {}}
    command = record("system", "c1", "a1", subtype="local_command", content="<command-name>/x</command-name>")
    assert split(search, command) == [3]
    assert split(search, user("u2", "a1", "wait")) == [3]
    assert split("words", command) == []
    assert split(search, result("r1", "a1", "t")) == []


@pytest.mark.parametrize(
    ("block", "keys"),
    [
        ({"type": "text", "text": "hi", "flags": None}, ("flags",)),
        ({"type": "text", "text": "hi", "citations": [], "cache_control": {"type": "ephemeral"}}, ()),
        ({"type": "tool_use", "id": "t", "name": "Read", "input": {"flags": 1}, "caller": {}}, ()),
        ({"type": "advisor_tool_result", "tool_use_id": "t", "anything": 1}, ()),
        ({"type": "brand_new", "anything": 1}, ()),
        ({"type": "thinking", "thinking": "x", "signature": "s", "index": 0}, ("index",)),
        ({"type": "redacted_thinking", "data": "x"}, ()),
    ],
)
def test_keys_the_service_does_not_know(block: Record, keys: tuple[str, ...]) -> None:
    found = facts(user("u1", None, "one"), assistant("a1", "u1", block)).rejected
    assert found == ((RejectedBlock("extra-keys", 2, block["type"], keys),) if keys else ())


def test_keys_inside_a_tool_result() -> None:
    inner = [{"type": "text", "text": "x", "extra": 1}, {"type": "tool_reference", "tool_name": "Read"}]
    found = facts(*ASKED, result("r1", "a1", "t1", inner)).rejected
    assert found == (RejectedBlock("extra-keys", 3, "text", ("extra",)),)


def test_blocks_before_a_compaction_are_not_sent() -> None:
    bad = assistant("a1", "u1", {"type": "text", "text": "hi", "flags": None})
    lines = [user("u1", None, "one"), bad, boundary("b", "a1"), summary("s", "b")]
    assert facts(*lines).rejected == ()


def test_empty_thinking_once_the_service_has_complained() -> None:
    thought = assistant("a1", "u1", {"type": "thinking", "thinking": "", "signature": "s"}, "hi")
    words = "API Error: 400 messages.1.content.0: thinking blocks cannot be modified"
    complaint = assistant("e1", "a1", words, model="<synthetic>", isApiErrorMessage=True)
    assert facts(user("u1", None, "one"), thought).rejected == ()
    found = facts(user("u1", None, "one"), thought, complaint).rejected
    assert found == (RejectedBlock("empty-thinking", 2, "thinking"),)
    retried = record("system", "e1", "a1", subtype="api_error", error={"message": "thinking is not valid"})
    assert [each.kind for each in facts(user("u1", None, "one"), thought, retried).rejected] == [
        "empty-thinking"
    ]


BEGUN = [user("u1", None, "one", 1), assistant("a1", "u1", "ok", second=2)]


def test_two_writers() -> None:
    lines = [
        *BEGUN,
        user("u2", "a1", "here", 3),
        user("u3", "a1", "there", 4),
        assistant("a2", "u2", "to here", second=5),
        assistant("a3", "u3", "to there", second=6),
    ]
    assert facts(*lines).two_writers == (TwoWriters("a1", 3, 4),)


def test_going_back_is_no_second_writer() -> None:
    lines = [
        *BEGUN,
        user("u2", "a1", "first try", 3),
        assistant("a2", "u2", "done", second=5),
        user("u3", "a1", "second try", 8),
        assistant("a3", "u3", "done", second=9),
    ]
    assert facts(*lines).two_writers == ()


def test_late_notes_of_the_first_branch_are_no_second_writer() -> None:
    lines = [
        *BEGUN,
        user("u2", "a1", "first try", 3),
        assistant("a2", "u2", "done", second=5),
        user("u3", "a1", "second try", 8),
        record("system", "n1", "a2", 9, subtype="turn_duration"),
    ]
    assert facts(*lines).two_writers == ()


def test_two_writers_behind_notes_of_their_own() -> None:
    lines = [
        *BEGUN,
        record("attachment", "n1", "a1", 3, attachment={"type": "file"}),
        record("attachment", "n2", "a1", 3, attachment={"type": "file"}),
        user("u2", "n1", "here", 4),
        user("u3", "n2", "there", 5),
        assistant("a2", "u2", "to here", second=6),
    ]
    assert facts(*lines).two_writers == (TwoWriters("a1", 5, 6),)


def test_identifiers_used_twice() -> None:
    lines = [*BEGUN, user("u2", "a1", "two", 3), user("u2", "u1", "two", 9), user("u2", "a1", "two", 10)]
    assert facts(*lines).repeated == (RepeatedId("record", "u2", 3, 4),)
    twice = [
        user("u1", None, "one"),
        assistant("a1", "u1", call("t1")),
        result("r1", "a1", "t1"),
        assistant("a2", "r1", call("t1")),
        result("r2", "a2", "t1"),
    ]
    assert facts(*twice).repeated == (RepeatedId("tool-use", "t1", 2, 4),)


def test_a_whole_copy_of_a_record_is_no_fault() -> None:
    assert facts(*BEGUN, *BEGUN, user("u2", "a1", "two", 3)).repeated == ()


def test_one_reply_on_several_lines_may_repeat_its_call() -> None:
    lines = [
        user("u1", None, "one"),
        assistant("a1", "u1", call("t1"), message_id="m"),
        assistant("a2", "a1", call("t1"), message_id="m"),
        result("r1", "a2", "t1"),
    ]
    assert facts(*lines).repeated == ()
