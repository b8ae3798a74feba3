"""Trees of entries: parents, children, loops, depth, and what a file of odd records still gives."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentbrief.sessions.pi.context import context_of
from agentbrief.sessions.pi.read import read_transcript
from agentbrief.sessions.pi.tree import NoTranscript, PiTranscript, label_text, labels_of
from agentbrief.sessions.tree import looping
from tests.sessions.pi.transcripts import HEADER, entry, file, issues, opened


def path(transcript: PiTranscript) -> list[str]:
    return [item.id for item in transcript.tree.path]


def test_a_chain_of_many_thousand_turns_is_one_path() -> None:
    count = 20_000
    records = [entry(f"m{number}", f"m{number - 1}" if number else None) for number in range(count)]
    transcript = opened(file(*records))
    assert len(transcript.tree.path) == count
    assert len(context_of(transcript.tree, transcript.tree.leaf_id).messages) == count
    assert len(transcript.tree.descendants_of("m0")) == count - 1
    assert transcript.damage == ()


def test_a_loop_of_many_thousand_entries_is_broken() -> None:
    count = 20_000
    records = [entry(f"m{number}", f"m{(number - 1) % count}") for number in range(count)]
    transcript = opened(file(*records))
    assert issues(transcript) == [(2, "cycle")]
    assert len(transcript.tree.path) == count


def test_every_edge_of_a_loop_that_leads_forward_is_broken() -> None:
    transcript = opened(
        file(entry("a", "c"), entry("b", "a"), entry("c", "d"), entry("d", "b"), entry("e", "d"))
    )
    assert issues(transcript) == [(2, "cycle"), (4, "cycle")]
    assert path(transcript) == ["a", "b", "d", "e"]
    assert transcript.tree.children[None] == ("a", "c")


def test_an_edge_forward_outside_a_loop_stays() -> None:
    transcript = opened(file(entry("b", "a"), entry("a", None)))
    assert issues(transcript) == []
    assert transcript.tree.by_id["b"].parent_id == "a"


def test_children_stand_in_order_of_time() -> None:
    late = entry("x", "r", timestamp="2026-03-05T12:00:00+01:00")
    early = entry("y", "r", timestamp="2026-03-05T10:59:59.999Z")
    odd = entry("z", "r", timestamp="yesterday")
    transcript = opened(file(entry("r", None), late, early, odd))
    assert transcript.tree.children["r"] == ("z", "y", "x")
    assert issues(transcript) == [(5, "bad-time")]


def test_roots_stand_as_in_the_file() -> None:
    late = entry("x", None, timestamp="2026-03-05T12:00:00Z")
    early = entry("y", "not-there", timestamp="2026-03-05T10:00:00Z")
    odd = entry("z", None, timestamp="yesterday")
    assert opened(file(late, early, odd)).tree.children[None] == ("x", "y", "z")


def test_the_earlier_of_two_records_is_no_entry() -> None:
    transcript = opened(file(entry("a", None), entry("a", None), entry("b", "a"), entry("a", "b")))
    assert [item.id for item in transcript.tree.entries] == ["b", "a"]
    assert issues(transcript) == [(2, "duplicate-id"), (3, "duplicate-id"), (4, "cycle")]


def test_a_parent_that_is_no_text_makes_a_root() -> None:
    transcript = opened(file(entry("a", None), entry("b", "a") | {"parentId": 5}, entry("c", "nowhere")))
    assert issues(transcript) == [(3, "orphan-parent"), (4, "orphan-parent")]
    assert [item.id for item in transcript.tree.orphans()] == ["c"]
    assert transcript.tree.children[None] == ("a", "b", "c")


def test_identifiers_made_for_a_file_are_the_same_each_time() -> None:
    lost = {"type": "message", "timestamp": HEADER["timestamp"], "message": {"role": "user", "content": "x"}}
    data = file(entry("a", None), lost, b"{broken", lost)
    first, again = opened(data), opened(data.replace(b"{broken\n", b""))
    assert [item.id for item in first.tree.entries] == [item.id for item in again.tree.entries]
    assert path(first) == [item.id for item in first.tree.entries]
    assert issues(first) == [(3, "no-id"), (4, "not-json"), (5, "no-id")]


def test_labels_keep_their_place_until_they_are_cleared() -> None:
    def label(identifier: str, target: str, words: str | None) -> dict[str, Any]:
        return entry(identifier, "a", "label", targetId=target) | (
            {"label": words} if words is not None else {}
        )

    records = [entry("a", None), entry("b", "a")]
    records += [label("l1", "a", "one"), label("l2", "b", "two"), label("l3", "a", "three")]
    found = labels_of(opened(file(*records)).tree)
    assert [(target, label_text(item)) for target, item in found.items()] == [("a", "three"), ("b", "two")]
    records += [label("l4", "a", ""), label("l5", "a", "four"), label("l6", "ghost", "x")]
    found = labels_of(opened(file(*records)).tree)
    assert [(target, label_text(item)) for target, item in found.items()] == [("b", "two"), ("a", "four")]


@pytest.mark.parametrize(
    ("data", "code", "damage"),
    [
        (b"", "empty-file", []),
        (b"\n  \n", "no-header", []),
        (b'\n{"type":"session"}\n', "no-header", []),
        (b'{"type":"session","id":5}\n', "no-header", []),
        (b"{broken\n{}\n[]\n", "no-header", [(1, "not-json")]),
        (b'{"type":"ses', "no-header", [(1, "torn-tail")]),
        (b"\xef\xbb\xbfnull\n", "no-header", [(1, "byte-order-mark"), (1, "not-object")]),
        (b'{"type":"session","id":"a"}{"type":"x","id":"b"}\n', "no-header", [(1, "two-records")]),
    ],
)
def test_what_does_not_open(data: bytes, code: str, damage: list[tuple[int, str]]) -> None:
    found = read_transcript(data)
    assert isinstance(found, NoTranscript)
    assert (found.code, [(fault.line, fault.code) for fault in found.damage]) == (code, damage)


@pytest.mark.parametrize(
    ("version", "code"),
    [
        (None, "old-version"),
        (1, "old-version"),
        (2, "old-version"),
        (3, None),
        (4, "newer-version"),
        ("3", None),
    ],
)
def test_versions(version: object, code: str | None) -> None:
    header = {key: value for key, value in HEADER.items() if key != "version"}
    transcript = opened(file(header=header if version is None else header | {"version": version}))
    assert issues(transcript) == ([(1, code)] if code else [])
    assert transcript.header["version"] == (version if version in (4, "3") else 3)
    assert transcript.writable == (version != 4)


def test_a_first_kept_index_counts_the_records_that_were_read() -> None:
    def line(words: str) -> dict[str, object]:
        return {
            "type": "message",
            "timestamp": HEADER["timestamp"],
            "message": {"role": "user", "content": words},
        }

    header = {key: value for key, value in HEADER.items() if key != "version"}
    for index, kept in (
        (0, []),
        (1, ["one", "two"]),
        (2, ["two"]),
        (3, []),
        (99, []),
        (-1, []),
        ("2", []),
        (None, []),
    ):
        compaction = {
            "type": "compaction",
            "timestamp": HEADER["timestamp"],
            "summary": "S",
            "tokensBefore": 1,
        }
        data = file(
            line("one"), b"broken", line("two"), compaction | {"firstKeptEntryIndex": index}, header=header
        )
        transcript = opened(data)
        messages = context_of(transcript.tree, transcript.tree.leaf_id).messages
        assert [message.value.get("content") for message in messages[1:]] == kept, index


@given(st.dictionaries(st.integers(0, 12), st.one_of(st.none(), st.integers(0, 13)), max_size=13))
def test_loops_are_exactly_the_entries_that_lead_to_themselves(parents: dict[int, int | None]) -> None:
    named = {str(key): None if parent is None else str(parent) for key, parent in parents.items()}

    def leads_back(start: str) -> bool:
        current = named.get(start)
        for _ in named:
            if current == start:
                return True
            current = named.get(current) if current is not None else None
        return current == start

    assert looping(named) == {key for key in named if leads_back(key)}


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
odd_records = st.fixed_dictionaries(
    {},
    optional={
        "type": st.sampled_from(
            ["message", "compaction", "label", "session", "custom_message", "branch_summary"]
        )
        | json_values,
        "id": st.sampled_from(["a", "b", "c"]) | json_values,
        "parentId": st.sampled_from(["a", "b", "c"]) | json_values,
        "timestamp": st.just("2026-03-05T10:00:00Z") | json_values,
        "message": st.fixed_dictionaries({"role": st.sampled_from(["user", "assistant", "toolResult"])})
        | json_values,
        "summary": json_values,
        "firstKeptEntryId": st.sampled_from(["a", "b"]) | json_values,
        "firstKeptEntryIndex": json_values,
        "targetId": json_values,
        "label": json_values,
        "content": json_values,
    },
)


@settings(max_examples=200)
@given(st.lists(odd_records | json_values, max_size=6), st.sampled_from([None, 1, 2, 3]))
def test_no_record_makes_reading_raise(records: list[object], version: int | None) -> None:
    header = {"type": "session", "id": "s"} | ({"version": version} if version is not None else {})
    data = b"".join(json.dumps(record).encode() + b"\n" for record in [header, *records])
    transcript = opened(data)
    assert transcript.parsed == 1 + sum(isinstance(record, dict) for record in records)
    for item in transcript.tree.entries:
        context_of(transcript.tree, item.id)
    assert len(transcript.tree.path) <= len(transcript.tree.entries)
