"""A configuration in JSON5: its values and where its keys stand."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentbrief.sessions.config_text import read_config


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("{}", {}),
        ("\ufeff { // nothing\n }", {}),
        ("{a: 1, 'b': '2', \"c\": [1, 2,], }", {"a": 1, "b": "2", "c": [1, 2]}),
        ("/* x */ {a: /* y */ {b: true,}, // z\n c: null}", {"a": {"b": True}, "c": None}),
        ("{a: 0x1F, b: .5, c: 5., d: +1, e: -2e3}", {"a": 31, "b": 0.5, "c": 5.0, "d": 1, "e": -2000.0}),
        (
            r"{a: 'it\'s', b: 'x\ty', c: 'é\x41', d: 'a\
b'}",
            {"a": "it's", "b": "x\ty", "c": "éA", "d": "ab"},
        ),
        ('{"a": "//no comment", "b": "/* none */"}', {"a": "//no comment", "b": "/* none */"}),
        ("{a: 1, a: 2}", {"a": 2}),
        ("{a: Infinity, b: -Infinity}", {"a": math.inf, "b": -math.inf}),
    ],
)
def test_what_json5_allows_is_read(text: str, wanted: dict[str, Any]) -> None:
    assert read_config(text).value == wanted


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "1",
        "{",
        "{a}",
        "{a:}",
        "{a: 1 b: 2}",
        "{a: 1} x",
        "{a: 'x}",
        "{,}",
        "[1",
        "{a: /* x }",
        "{a: b}",
        "{a:" * 300 + "1" + "}" * 300,
    ],
)
def test_what_is_no_object_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"[a-z]"):
        read_config(text)


def test_keys_have_their_places() -> None:
    text = "{ // top\n  session: { 'maintenance': { mode: 'x' } }, list: [{ a: 1 }] }"
    found = read_config(text)
    shown = {path: text[span.start : span.end] for path, span in found.keys.items()}
    assert shown == {
        ("session",): "session",
        ("session", "maintenance"): "'maintenance'",
        ("session", "maintenance", "mode"): "mode",
        ("list",): "list",
    }
    assert found.place(("session", "maintenance", "gone", "further")) == found.keys["session", "maintenance"]
    assert found.place(("gone",)) is None


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=10,
)


@given(value=st.dictionaries(st.text(), JSON, max_size=5), indent=st.sampled_from([None, 2]))
def test_json_is_json5(value: dict[str, Any], indent: int | None) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=False)
    assert read_config(text).value == json.loads(text)
    assert read_config(json.dumps(value)).value == value


@pytest.mark.parametrize("piece", ["/*", "//", " ", "'", "{a:", "[", "\\", "a"])
def test_a_long_text_takes_linear_time(piece: str) -> None:
    with pytest.raises(ValueError, match=r"[a-z]"):
        read_config(piece * 100_000)
