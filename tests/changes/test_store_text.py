"""R10 One entry of a store changes; every other byte stays: layout, big numbers, duplicates, escapes."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentbrief.changes.steps import EntryEdit
from agentbrief.changes.store_text import Edited, edited, entries_of, value_of

RAW_VALUES = st.sampled_from(
    [
        b"1e400", b"-0", b"123456789012345678901234567890123456789012", b"1.10", b"null", b"true", b'""',
        b'"\\u2028\\ud800"', b'"a\\"},{[b"', b"[]", b"{}", b'[1, {"x":[{}]} ]', b'{ "k" : "v", "k":2 }',
        b'"\\\\"', '"\u2028\u00e9"'.encode(),
    ]
)  # fmt: skip
BLANKS = st.sampled_from([b"", b" ", b"\n", b"\r\n\t", b"\n  "])
KEYS = st.sampled_from(["a", "b", "c:d", "\u00e9", 'q"uote', "", "\u2028", "back\\slash"])


@st.composite
def stores(draw: Any) -> tuple[bytes, list[tuple[str, bytes]]]:
    entries = draw(st.lists(st.tuples(KEYS, RAW_VALUES), max_size=6))
    data = draw(BLANKS) + b"{" + draw(BLANKS)
    for number, (key, value) in enumerate(entries):
        name = json.dumps(key, ensure_ascii=draw(st.booleans())).encode()
        data += (b"," + draw(BLANKS) if number else b"") + name + draw(BLANKS) + b":" + draw(BLANKS)
        data += value + draw(BLANKS)
    return data + b"}" + draw(BLANKS), entries


def parsed(data: bytes) -> list[tuple[str, bytes]]:
    return [(entry.key, data[entry.value : entry.end]) for entry in entries_of(data)]


@settings(max_examples=300)
@given(stores())
def test_entries_are_found_as_they_stand(store: tuple[bytes, list[tuple[str, bytes]]]) -> None:
    data, entries = store
    assert parsed(data) == entries
    for key, _ in entries:
        assert value_of(data, key) == dict(entries)[key]
    assert value_of(data, "nowhere") is None


@settings(max_examples=500)
@given(stores(), KEYS, st.none() | RAW_VALUES, RAW_VALUES)
def test_an_edit_changes_its_entry_alone(
    store: tuple[bytes, list[tuple[str, bytes]]], key: str, after: bytes | None, other: bytes
) -> None:
    data, entries = store
    before = dict(entries).get(key)
    result = edited(data, (EntryEdit(key, before, after),))
    assert result.left_out == ()
    kept = [(name, value) for name, value in entries if name != key]
    found = parsed(result.data)
    assert [pair for pair in found if pair[0] != key] == kept
    assert dict(found).get(key) == after
    if before is not None and after is not None:
        # The text around the value is the same, byte for byte.
        last = [entry for entry in entries_of(data) if entry.key == key][-1]
        assert result.data == data[: last.value] + after + data[last.end :]
    if other != before:
        wrong = EntryEdit(key, other, after)
        assert edited(data, (wrong,)) == Edited(data, (wrong,))


STORE = b'{\n  "a": {\n    "n": 1\n  },\n  "b": 2,\n  "c": 3\n}\n'


@pytest.mark.parametrize(
    ("edits", "expected"),
    [
        ([("b", b"2", None)], b'{\n  "a": {\n    "n": 1\n  },\n  "c": 3\n}\n'),
        ([("a", b'{\n    "n": 1\n  }', None)], b'{\n  "b": 2,\n  "c": 3\n}\n'),
        ([("c", b"3", None)], b'{\n  "a": {\n    "n": 1\n  },\n  "b": 2\n}\n'),
        ([("b", b"2", None), ("c", b"3", None)], b'{\n  "a": {\n    "n": 1\n  }\n}\n'),
        ([("d", None, b"4")], STORE[:-3] + b',\n  "d": 4\n}\n'),
        (
            [("a", b'{\n    "n": 1\n  }', b"{}"), ("d", None, b"4")],
            b'{\n  "a": {},\n  "b": 2,\n  "c": 3,\n  "d": 4\n}\n',
        ),
        ([("d", b"4", None)], STORE),
        ([], STORE),
    ],
)
def test_the_layout_goes_on(edits: list[tuple[str, bytes | None, bytes | None]], expected: bytes) -> None:
    assert edited(STORE, tuple(EntryEdit(*edit) for edit in edits)).data == expected


@pytest.mark.parametrize(
    ("store", "expected"),
    [
        (b"{}", b'{\n  "a": 1\n}'),
        (b"{ }\n", b'{\n  "a": 1\n}\n'),
        (b"\xef\xbb\xbf{}", b'\xef\xbb\xbf{\n  "a": 1\n}'),
    ],
)
def test_a_first_entry_in_an_empty_store(store: bytes, expected: bytes) -> None:
    assert edited(store, (EntryEdit("a", None, b"1"),)).data == expected


def test_the_last_entry_leaves_an_empty_store() -> None:
    assert edited(b'{\n  "a": 1\n}\n', (EntryEdit("a", b"1", None),)).data == b"{}\n"


@pytest.mark.parametrize("data", [b"", b"[]", b"null", b'{"a":1', b"{'a':1}", b'{"a":1} {"b":2}', b"\xff{}"])
def test_what_is_no_object_is_no_store(data: bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        entries_of(data)
