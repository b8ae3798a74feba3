"""The text of a session store after some of its entries changed, and the bytes of an entry."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentbrief.jsonio import JsonValue
from agentbrief.sessions.store.text import REMOVED, Removed, edited, entry_bytes, members, pretty_bytes

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**25), 10**25) | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)
OBJECTS = st.dictionaries(st.text(max_size=6), VALUES, max_size=6)
STYLES = st.sampled_from([(2, None), (None, None), (None, (",", ":")), (4, None), ("\t", None)])


def written(value: Any, style: tuple[Any, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, indent=style[0], separators=style[1])


@given(OBJECTS, STYLES)
def test_members_are_those_of_the_object(value: dict[str, Any], style: tuple[Any, Any]) -> None:
    text = written(value, style)
    found = members(text)
    assert [member.key for member in found] == list(value)
    assert [json.loads(text[member.value_start : member.end]) for member in found] == list(value.values())


@given(OBJECTS, OBJECTS, st.data(), STYLES)
def test_what_does_not_change_keeps_its_text(
    value: dict[str, Any], new: dict[str, Any], data: st.DataObject, style: tuple[Any, Any]
) -> None:
    text = written(value, style)
    gone = data.draw(st.sets(st.sampled_from(list(value) or ["none"])))
    changes: dict[str, JsonValue | Removed] = {**new, **dict.fromkeys(gone, REMOVED)}
    after = edited(text, changes)
    wanted = {key: new.get(key, kept) for key, kept in value.items() if key not in gone}
    wanted |= {key: added for key, added in new.items() if key not in gone}
    assert json.loads(after) == wanted
    assert list(json.loads(after)) == list(wanted)
    for member in members(text):
        if member.key not in changes:
            assert text[member.start : member.end] in after


def test_entries_that_a_json_library_would_change_stay_as_they_are() -> None:
    text = '{\n  "a": {"n": 1.0, "big": 12345678901234567890123, "e": 1e3, "u": "\\u00e9"},\n  "b": 1\n}\n'
    assert edited(text, {"b": REMOVED}) == text.replace(',\n  "b": 1', "")
    assert edited(text, {"c": {"x": 1}}) == text.replace('"b": 1', '"b": 1,\n  "c": {\n    "x": 1\n  }')


def test_of_duplicate_entries_the_last_is_the_one_that_changes() -> None:
    assert edited('{"a":1,"b":2,"a":3}', {"a": 4}) == '{"b":2,"a":4}'
    assert edited('{"a":1,"b":2,"a":3}', {"a": REMOVED}) == '{"b":2}'
    assert edited('{"a":1}', {"a": REMOVED}) == "{}"
    assert edited("{}", {"a": "\ud800"}) == '{\n  "a": "\\ud800"\n}'


@pytest.mark.parametrize("text", ["", "[]", "1", '{"a":1', '{"a":1,}x'])
def test_text_that_is_no_object_has_no_members(text: str) -> None:
    if text.endswith("x"):
        assert [member.key for member in members(text)] == ["a"]
        return
    with pytest.raises(ValueError, match="no JSON object"):
        members(text)


@given(st.dictionaries(st.text(st.characters(codec="utf-8"), min_size=1, max_size=5), VALUES, max_size=5))
def test_the_bytes_of_a_store_are_those_it_is_written_with(value: dict[str, Any]) -> None:
    whole = len(json.dumps(value, ensure_ascii=False, indent=2).encode("utf-8", "surrogatepass"))
    assert pretty_bytes(value) == whole
    assert whole == 2 + sum(entry_bytes(key, entry) for key, entry in value.items())


FLOATS = st.recursive(
    VALUES | st.floats(allow_nan=False, allow_infinity=False) | st.just([]) | st.just({}),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=5,
)


@given(st.text(max_size=6), FLOATS)
def test_the_bytes_of_an_entry_are_those_of_its_indented_form(key: str, value: Any) -> None:
    whole = json.dumps({key: value}, ensure_ascii=False, indent=2)
    assert entry_bytes(key, value) == len(whole.encode("utf-8")) - len("{\n}\n") + len(",\n")
    assert entry_bytes(key, {"half": "\ud83d"}) == len(json.dumps({key: {"half": "\ud83d"}}, indent=2)) - len(
        "{\n}\n"
    ) + len(",\n")
