"""The three JSON grammars: RFC 8259, claw-code's own, and what is read here."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentbrief.sessions.claw.json import parse, parse_exact
from agentbrief.sessions.claw.text import compact_text, json_text
from tests.sessions.claw.reference_reader import ReferenceReader
from tests.sessions.claw.strategies import JSON_VALUES, TEXTS

DEEP = 1024

# text, whether claw-code takes it, whether we do, our issues
TEXTS_AND_VERDICTS = [
    ("[1,2]", True, True, set()),
    (" \n\t\r[] ", True, True, set()),
    ("[1,]", True, True, {"not-strict-json"}),
    ('{"a":1,}', True, True, {"not-strict-json"}),
    ("[,]", False, False, set()),
    ("[1,,2]", False, False, set()),
    ("{,}", False, False, set()),
    ('{"a" 1}', False, False, set()),
    ("{'a':1}", False, False, set()),
    ('"a\nb\x00"', True, True, {"not-strict-json"}),
    ('"\\x"', False, False, set()),
    ('"\\u12G4"', False, False, set()),
    ('"\\u00"', False, False, set()),
    ("007", True, True, {"not-strict-json"}),
    ("-0", True, True, set()),
    ("-", False, False, set()),
    ("+1", False, False, set()),
    ("1.0", False, True, {"not-readable-by-claw-code"}),
    ("1e3", False, True, {"not-readable-by-claw-code"}),
    ("[1.5,]", False, False, set()),
    ("1.", False, False, set()),
    (".5", False, False, set()),
    ("9223372036854775807", True, True, set()),
    ("-9223372036854775808", True, True, set()),
    ("9223372036854775808", False, True, {"not-readable-by-claw-code"}),
    ("-9223372036854775809", False, True, {"not-readable-by-claw-code"}),
    ("0009223372036854775807", True, True, {"not-strict-json"}),
    ("1e400", False, True, {"not-readable-by-claw-code"}),
    ("9" * 5000, False, True, {"not-readable-by-claw-code"}),
    ("NaN", False, False, set()),
    ("[-Infinity]", False, False, set()),
    ('"NaN 1.5 1e400 99999999999999999999"', True, True, set()),
    ('"\\ud83d\\ude00"', False, True, {"surrogate-escapes", "not-readable-by-claw-code"}),
    ('"\\ud83d"', False, True, {"surrogate-escapes", "not-readable-by-claw-code"}),
    (
        '["\\ud83d\\ude00",]',
        False,
        True,
        {"surrogate-escapes", "not-readable-by-claw-code", "not-strict-json"},
    ),
    ('["\\ud83d",]', False, False, set()),
    ('"\\\\ud83d"', True, True, set()),
    ('"\\\\\\ud83d\\ude00"', False, True, {"surrogate-escapes", "not-readable-by-claw-code"}),
    ("\ufeff[]", False, True, {"byte-order-mark", "not-readable-by-claw-code"}),
    ("\ufeff\ufeff[]", False, False, set()),
    ("\u00a0[]", False, False, set()),
    ("[] []", False, False, set()),
    ("", False, False, set()),
    ("nul", False, False, set()),
    ("[truex]", False, False, set()),
    ("\uff11", False, False, set()),
    ("[" * DEEP + "]" * DEEP, True, True, set()),
    ("[" * (DEEP + 1) + "]" * (DEEP + 1), False, False, set()),
    ("[" * DEEP + "1,]" + "]" * (DEEP - 1), True, True, {"not-strict-json"}),
    ("[" * 200_000, False, False, set()),
]


@pytest.mark.parametrize(
    ("text", "exact", "ours", "issues"), TEXTS_AND_VERDICTS, ids=range(len(TEXTS_AND_VERDICTS))
)
def test_which_text_is_read_by_whom(text: str, exact: bool, ours: bool, issues: set[str]) -> None:
    if exact:
        parse_exact(text)
    else:
        with pytest.raises(ValueError):  # noqa: PT011
            parse_exact(text)
    if ours:
        assert parse(text).issues == issues
    else:
        with pytest.raises(ValueError):  # noqa: PT011
            parse(text)


SOUP = st.lists(
    st.sampled_from(
        [
            *(
                '{"a":',
                "{",
                "}",
                "[",
                "]",
                "[]",
                "{}",
                ",",
                ",",
                ":",
                '"',
                '"b"',
                '"b":',
                " ",
                "\n",
                "\x01",
                "\x0b",
                "\u00a0",
            ),
            *(
                "0",
                "00",
                "-",
                "7",
                "-0",
                "1.5",
                ".",
                "e",
                "E5",
                "9" * 18,
                "9223372036854775807",
                "9223372036854775808",
            ),
            *(
                "true",
                "null",
                "nul",
                "NaN",
                "-Infinity",
                "\\",
                '\\"',
                "\\n",
                "\\x",
                "\\\n",
                "\\u0041",
                "\\u00",
                "\\uD83D",
            ),
            *("\\ude00", "\\ud83d\\ude00", "u", "\ufeff", "\uff11"),
        ]
    ),
    max_size=9,
).map("".join)
WRAPS = st.sampled_from(["%s", "[%s]", "[1,%s,]", '{"k":%s}', '{"k":%s,}', '"%s"', '["%s"]'])


def outcome(read: Callable[[], object]) -> tuple[str, object]:
    try:
        return "value", read()
    except ValueError:
        return "refused", None


def strictly(text: str) -> object:
    if "NaN" in text or "Infinity" in text:
        raise ValueError("not for certain")
    return json.loads(text)


@settings(max_examples=1500)
@given(SOUP, WRAPS)
def test_both_readers_agree_with_a_plain_one(soup: str, wrap: str) -> None:
    text = wrap % soup
    assert outcome(lambda: parse_exact(text)) == outcome(ReferenceReader(text, pairs=False).read)
    if "NaN" in text or "Infinity" in text:
        return
    ours = outcome(lambda: parse(text).value)
    inner = text.removeprefix("\ufeff")
    wanted = outcome(lambda: strictly(inner))
    if wanted[0] == "refused":
        wanted = outcome(ReferenceReader(inner, pairs=True).read)
        assert ours[0] == "refused" or "not-strict-json" in parse(text).issues
    assert ours == wanted
    if ours[0] == "value":
        readable = "not-readable-by-claw-code" not in parse(text).issues
        assert readable == (outcome(ReferenceReader(text, pairs=False).read)[0] == "value")


@pytest.mark.parametrize("spelled", ["1e400", "1.50", "-0.0", "1E5", "9" * 5000, "0.1e-7", "5e-324"])
def test_a_number_is_written_with_the_digits_it_was_read_with(spelled: str) -> None:
    text = f'{{"a":[{spelled}],"b":0.5}}'
    assert json_text(parse(text).value) == text


@settings(max_examples=200)
@given(JSON_VALUES)
def test_what_is_written_is_read_back(value: object) -> None:
    written = json_text(value)  # type: ignore[arg-type]
    assert parse(written).value == value
    assert json.loads(written) == value
    assert json_text(parse(written).value) == written


@settings(max_examples=100)
@given(st.dictionaries(TEXTS, st.integers(-(2**63), 2**63 - 1) | TEXTS))
def test_claw_code_reads_what_is_written(value: dict[str, object]) -> None:
    assert parse_exact(json_text(value)) == value  # type: ignore[arg-type]


def test_every_control_character_is_escaped_and_nothing_else() -> None:
    text = "".join(map(chr, range(0x250))) + "\u2028\u202e\U0001f680"
    written = json_text(text)
    assert json.loads(written) == text
    raw = {char for char in text if char in written[1:-1]}
    assert {ord(char) for char in text} - {ord(char) for char in raw} == {*range(0x20), *range(0x7F, 0xA0)}
    assert "\\u001f" in written
    assert "\\u009f" in written
    assert "\\b" in written


def test_keys_are_sorted_by_code_point_or_kept_in_order() -> None:
    value = {"\uffff": 1, "\U00010000": 2, "b": {"z": 1, "a": 2}, "B": 3}
    assert json_text(value) == '{"B":3,"b":{"a":2,"z":1},"\uffff":1,"\U00010000":2}'  # type: ignore[arg-type]
    assert compact_text(value) == '{"\uffff":1,"\U00010000":2,"b":{"z":1,"a":2},"B":3}'  # type: ignore[arg-type]


def test_half_a_pair_survives_as_its_escape() -> None:
    assert json_text(parse('"\\ud83d"').value) == '"\\ud83d"'


@pytest.mark.parametrize(
    "text",
    [
        '"' + '\\"' * 400_000,
        '"' * 400_001,
        "\\" * 800_001 + "ud8",
        "[" + "1," * 400_000,
        '{"a":' * 400_000,
        "9" * 800_000,
    ],
    ids=["escaped-quotes", "quotes", "backslashes", "commas", "objects", "digits"],
)
def test_the_time_grows_with_the_length_alone(text: str) -> None:
    """No clock is read: a quadratic pattern runs into the timeout of the suite."""
    for reader in (parse, parse_exact):
        with contextlib.suppress(ValueError):
            reader(text)


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_what_is_no_number_is_not_written(number: float) -> None:
    with pytest.raises(ValueError, match="number"):
        json_text([number])
