"""Whether the quick way to read a transcript at its leaf gives what the careful one gives."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings

from agentbrief.jsonio import dumps
from agentbrief.sessions.pi.context import context_at, context_of, facts_of, model_at
from agentbrief.sessions.pi.leaf_path import LatePath
from agentbrief.sessions.pi.quick import quick_transcript, transcript_at_leaf
from agentbrief.sessions.pi.read import read_transcript
from agentbrief.sessions.pi.tree import NoTranscript, PiTranscript
from tests.compaction.pi.random_sessions import EXAMPLES, TRANSCRIPTS
from tests.sessions.pi.damaged import ALL_HARMS, HARMS, Harm, harmed
from tests.sessions.pi.transcripts import HEADER, entry, file, opened

PLAIN = file(
    *(dumps(entry(f"{number:08x}", f"{number - 1:08x}" if number else None)) for number in range(12)),
    header=None,
)
PLAIN = dumps(HEADER | {"id": "s-1"}) + b"\n" + PLAIN


def is_same(data: bytes) -> bool:
    """Whether the quick way reads ``data`` itself. What it says then is compared."""
    quick = quick_transcript(data)
    if quick is None:
        return False
    slow = read_transcript(data)
    assert isinstance(slow, PiTranscript)
    for name in ("header", "version", "session_id", "cwd", "writable", "torn_tail", "ends_with_newline"):
        assert getattr(quick, name) == getattr(slow, name), name
    assert quick.tree.leaf_id == slow.tree.leaf_id
    assert list(quick.tree.by_id) == [each.id for each in slow.tree.entries]
    for kind in {each.type for each in slow.tree.entries}:
        assert quick.tree.count_of(kind) == slow.tree.count_of(kind)
    quick_facts, facts = facts_of(quick.tree.path), facts_of(slow.tree.path)
    assert [list(each) for each in (quick_facts.ids, quick_facts.types, quick_facts.roles)] == [
        list(each) for each in (facts.ids, facts.types, facts.roles)
    ]
    assert model_at(quick.tree.path) == model_at(slow.tree.path)
    assert repr(context_at(quick.tree.path)) == repr(context_of(slow.tree, slow.tree.leaf_id))
    # not by value: a number that is none is not even itself
    assert repr(tuple(quick.tree.path)) == repr(slow.tree.path)
    return True


@settings(max_examples=EXAMPLES * 3)
@given(TRANSCRIPTS, ALL_HARMS)
def test_both_ways_to_read_give_the_same(data: bytes, harms: list[Harm]) -> None:
    is_same(harmed(data, harms))


@settings(max_examples=EXAMPLES)
@given(TRANSCRIPTS)
def test_whatever_its_lines_hold_a_whole_tree_is_read_quickly(data: bytes) -> None:
    assert is_same(data) or b"\n" not in data


@pytest.mark.parametrize("name", HARMS)
@pytest.mark.parametrize("at", [0, 1, 6, 12])
def test_each_harm_gives_the_same(name: str, at: int) -> None:
    for to in range(6):
        is_same(harmed(PLAIN, [(name, at, to)]))


@pytest.mark.parametrize(
    "name",
    [
        "two on a line", "nul run", "cut off", "spliced", "carriage return", "blanks", "vertical tab",
        "separator", "blank line", "not utf-8", "half a pair", "half a pair as bytes", "byte-order mark",
        "not a number", "control character", "deep", "empty parent", "orphan", "bad time", "message gone",
        "content null", "long integer", "id twice", "id of the header", "header as parent",
    ],
)  # fmt: skip
def test_a_bad_line_is_no_reason_to_read_the_others_slowly(name: str) -> None:
    data = harmed(PLAIN, [(name, 6, 1)])
    assert data != PLAIN
    assert is_same(data)


@pytest.mark.parametrize("name", ["line twice", "no id", "second header", "later parent", "number as parent"])
def test_an_odd_tree_is_left_to_the_careful_reader(name: str) -> None:
    data = harmed(PLAIN, [(name, 3, 8)])
    assert quick_transcript(data) is None
    assert transcript_at_leaf(data) == read_transcript(data)


@pytest.mark.parametrize("line_end", [b"", b"\n"])
@pytest.mark.parametrize(
    "tail",
    [b'{"type":"mess', b'{"type":"custom","id":"z","parentId":null}', b"\0\0\0", b"  ", b"17", b'{"a":1}{'],
)
def test_the_last_line(tail: bytes, line_end: bytes) -> None:
    is_same(PLAIN + tail + line_end)


def test_a_torn_tail_is_said() -> None:
    found = quick_transcript(PLAIN + b'{"type":"mess')
    assert found is not None
    assert (found.torn_tail, found.ends_with_newline) == (True, False)


@pytest.mark.parametrize("data", [b"", b"\n", b"{}\n", b"null\n", b"{broken", file(header=None)])
def test_what_is_no_transcript(data: bytes) -> None:
    assert quick_transcript(data) is None
    assert isinstance(transcript_at_leaf(data), NoTranscript)


def test_only_a_header() -> None:
    data = file()
    assert is_same(data)
    assert quick_transcript(data.rstrip(b"\n")) is None
    found = transcript_at_leaf(data)
    assert not isinstance(found, NoTranscript)
    assert (found.tree.leaf_id, len(found.tree.path)) == (None, 0)


@pytest.mark.parametrize("depth", [900, 1020, 1021, 1022, 1023, 1024, 1025, 1100, 3000, 100_000])
def test_depth(depth: int) -> None:
    line = (
        b'{"type":"custom","id":"deep","parentId":"0000000b","data":' + b"[" * depth + b"]" * depth + b"}\n"
    )
    assert is_same_shape(PLAIN + line)


def is_same_shape(data: bytes) -> bool:
    """As :func:`is_same` for values too deep to be written down."""
    quick = quick_transcript(data)
    slow = read_transcript(data)
    assert quick is not None
    assert isinstance(slow, PiTranscript)
    return list(quick.tree.by_id) == [each.id for each in slow.tree.entries]


def test_a_line_that_is_too_long_is_no_record() -> None:
    data = file(entry("a", None), entry("b", "a", note="x" * 17_000_000), entry("c", "b"))
    assert is_same(data)
    assert list(opened(data).tree.by_id) == ["a", "c"]


def test_an_entry_is_decoded_when_it_is_looked_at() -> None:
    found = transcript_at_leaf(PLAIN)
    assert not isinstance(found, NoTranscript)
    path = found.tree.path
    assert isinstance(path, LatePath)
    assert (len(path), path.decoded) == (12, 0)
    assert path[-1].id == path[11].id == found.tree.leaf_id
    assert path.decoded == 1
    assert [each.id for each in path[2:4]] == ["00000002", "00000003"]
    assert path.decoded == 3
    with pytest.raises(IndexError):
        path[12]


def test_a_path_that_goes_on() -> None:
    slow = opened(PLAIN)
    found = transcript_at_leaf(PLAIN)
    assert not isinstance(found, NoTranscript)
    path = found.tree.path
    assert isinstance(path, LatePath)
    last = slow.tree.path[-1]
    longer = path.with_entry(last, "user")
    assert tuple(longer) == (*slow.tree.path, last)
    assert facts_of(longer) == facts_of((*slow.tree.path, last))
    assert len(path) == 12


def test_the_header_keeps_long_integers() -> None:
    header = HEADER | {"n": 12345678901234567890123}
    data = file(entry("a", None), header=header)
    found = quick_transcript(data)
    assert found is not None
    assert dumps(dict(found.header)) == json.dumps(header, separators=(",", ":")).encode()
