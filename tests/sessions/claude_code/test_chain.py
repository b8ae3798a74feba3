"""The chain: what leads to the end, for a reader and for the model."""

from __future__ import annotations

import pytest

from agentbrief.sessions.facts import ChainFault, Reach
from agentbrief.sessions.formats import claude_code
from agentbrief.sessions.formats.claude_chain import Chain, chain_faults, chain_of
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

TALK = [
    user("u1", None, "one"),
    assistant("a1", "u1", "ok"),
    user("u2", "a1", "two"),
    assistant("a2", "u2", "ok"),
]


def chain(*lines: Record | str) -> Chain:
    return claude_code.look(file_of(*lines), "/s.jsonl").chain


def ids(entries: object) -> list[str]:
    return [entry.id for entry in entries]  # type: ignore[attr-defined]


def test_a_straight_talk() -> None:
    found = chain(*TALK)
    assert ids(found.path()) == ["u1", "a1", "u2", "a2"]
    assert found.reach() == Reach(4, 4, ())
    assert chain_faults(found, ()) == ()


def test_the_first_of_two_records_with_one_identifier_counts() -> None:
    found = chain(*TALK, user("u2", "u1", "two again"))
    assert ids(found.path()) == ["u1", "a1", "u2", "a2"]
    assert found.reach() == Reach(4, 4, ())


def test_records_of_a_subagent_are_no_part_of_the_main_chain() -> None:
    side = user("s1", None, "look", isSidechain=True)
    found = chain(*TALK, side, assistant("s2", "s1", "looked", isSidechain=True))
    assert found.leaf is not None and found.leaf.id == "a2"
    assert found.reach() == Reach(4, 4, ())


def test_a_file_of_a_subagent_has_a_chain_of_its_own() -> None:
    found = chain(
        user("s1", None, "look", isSidechain=True), assistant("s2", "s1", "looked", isSidechain=True)
    )
    assert ids(found.path()) == ["s1", "s2"]


def test_old_progress_records_are_links_of_the_chain() -> None:
    progress = record("progress", "p1", "a1", data={"type": "hook_progress"})
    assert ids(chain(*TALK[:2], progress, user("u2", "p1", "two")).path()) == ["u1", "a1", "p1", "u2"]


def test_parallel_calls_are_a_branch_and_no_fault() -> None:
    lines = [
        user("u1", None, "go"),
        assistant("a1", "u1", call("t1"), message_id="m"),
        assistant("a2", "a1", call("t2"), message_id="m"),
        result("r1", "a1", "t1"),
        result("r2", "a2", "t2"),
        assistant("a3", "r2", "done"),
    ]
    found = claude_code.facts_of(claude_code.look(file_of(*lines), "/s.jsonl"))
    assert found.unpaired == ()
    assert found.chain_faults == ()
    assert found.two_writers == ()


COMPACTED = [
    *TALK,
    boundary("b", "a2"),
    summary("s", "b"),
    user("u3", "s", "next"),
]


def test_a_reader_passes_a_compaction_and_the_model_does_not() -> None:
    found = chain(*COMPACTED)
    assert ids(found.path()) == ["u1", "a1", "u2", "a2", "b", "s", "u3"]
    assert ids(found.model_path()) == ["b", "s", "u3"]
    assert found.model_reach() == Reach(3, 7, ())


def test_the_model_stops_at_the_boundary_even_where_a_fork_gives_it_a_parent() -> None:
    lines = [*TALK, boundary("b", "a2", parent="a2"), summary("s", "b"), user("u3", "s", "next")]
    assert ids(chain(*lines).model_path()) == ["b", "s", "u3"]


def test_the_message_before_a_boundary_may_be_in_another_file() -> None:
    found = chain(boundary("b", "elsewhere"), summary("s", "b"), user("u3", "s", "next"))
    assert ids(found.path()) == ["b", "s", "u3"]
    assert chain_faults(found, ()) == ()


def test_kept_messages_hang_on_the_summary() -> None:
    segment = {"headUuid": "u2", "anchorUuid": "s", "tailUuid": "a2"}
    lines = [
        *TALK,
        boundary("b", "a2", preservedSegment=segment),
        summary("s", "b"),
        user("u3", "a2", "next"),
    ]
    found = chain(*lines)
    assert ids(found.model_path()) == ["b", "s", "u2", "a2", "u3"]
    assert chain_faults(found, ()) == ()


def test_kept_messages_that_nothing_follows_stand_behind_the_summary() -> None:
    kept = {"uuids": ["u2", "a2"], "allUuids": ["u2", "a2"]}
    lines = [*TALK, boundary("b", "a2", preservedMessages=kept), summary("s", "b"), user("u3", "s", "next")]
    assert ids(chain(*lines).model_path()) == ["b", "s", "u2", "a2", "u3"]


def test_a_missing_parent() -> None:
    found = chain(*TALK[:2], user("u3", "ghost", "three"), assistant("a3", "u3", "ok"))
    assert found.reach() == Reach(2, 4, ("ghost",))
    assert chain_faults(found, ()) == (ChainFault("dangling", 3, "u3", "ghost"),)
    assert chain_faults(found, {"ghost"}) == ()


def test_a_record_that_passes_over_a_compaction() -> None:
    lines = [*TALK, boundary("b", "a2"), summary("s", "b"), user("u3", "a1", "three")]
    assert chain_faults(chain(*lines), ()) == (ChainFault("skips-boundary", 7, "u3", "a1"),)


def test_a_dead_branch_over_a_compaction_harms_nothing() -> None:
    lines = [*TALK, boundary("b", "a2"), summary("s", "b"), user("x", "a1", "lost"), user("u3", "s", "next")]
    assert chain_faults(chain(*lines), ()) == ()


@pytest.mark.parametrize(
    ("lines", "wanted"),
    [
        ([*TALK, user("u3", "u3", "three")], ChainFault("cycle", 5, "u3", "u3")),
        ([user("u1", "a1", "one"), assistant("a1", "u1", "ok")], ChainFault("cycle", 1, "u1", "a1")),
    ],
    ids=["itself", "two"],
)
def test_a_loop_ends_the_walk(lines: list[Record], wanted: ChainFault) -> None:
    found = chain(*lines)
    assert chain_faults(found, ()) == (wanted,)
    assert len(found.path()) <= len(lines)


def test_a_record_on_a_damaged_line_counts_unless_it_is_left_out() -> None:
    good = file_of(TALK[1]).decode().rstrip("\n")
    lines = [TALK[0], '{"type":"pr-link","sessionId":"s","prNu' + good, *TALK[2:]]
    found = claude_code.look(file_of(*lines), "/s.jsonl")
    assert found.chain.reach() == Reach(4, 4, ())
    assert chain_of(found.entries, with_recovered=False).reach() == Reach(2, 3, ("a1",))


def test_thousands_of_turns_are_one_path() -> None:
    lines = [user(f"u{n}", f"u{n - 1}" if n else None, "go") for n in range(5000)]
    assert chain(*lines).reach() == Reach(5000, 5000, ())
