"""Whether what is read at full speed is what is read carefully, with orjson and without."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from agentbrief.jsonio import FAST, dumps_pretty, loads, loads_inexact, strict
from agentbrief.sessions.jsonl.half_pairs import has_half_pair

REFUSED = {
    "utf-16": '{"a":1}'.encode("utf-16-le"),
    "byte-order mark": b'\xef\xbb\xbf{"a":1}',
    "half a pair as bytes": b'{"a":"\xed\xa0\xbd"}',
    "not utf-8": b'{"a":"\xff"}',
    "not a number": b'{"a":NaN}',
    "two": b'{"a":1}{"a":2}',
    "control character": b'{"a":"\x01"}',
    "vertical tab": b'{"a":1}\v',
    "nothing": b"",
}


@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.parametrize("as_view", [True, False])
def test_what_is_refused_at_full_speed(name: str, as_view: bool) -> None:
    data = REFUSED[name]
    with pytest.raises(ValueError):  # noqa: PT011
        loads_inexact(memoryview(data) if as_view else data)


@pytest.mark.parametrize(
    "data",
    [b'{"a":1}\r', b' {"a":"\xe6\xbc\xa2\xf0\x9f\x9a\x80"} ', b'{"a":"\\u2028","a":[1.5,null]}', b"17"],
)
def test_what_is_read_at_full_speed(data: bytes) -> None:
    assert loads_inexact(memoryview(data)) == loads_inexact(data) == loads(data)


PIECES = [
    b'{"a":', b"[", b"]", b"}", b",", b'"', b"\\", b"\\ud83d", b"\\ude00", b"\\u00e9", b"\xc3\xa9", b"\xff",
    b"0", b"-", b"1.5", b"e9", b"18446744073709551616", b"9" * 400, b"NaN", b"null", b"\x01", b"\r", b" ",
]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=8).map(b"".join))
@example(b'{"a":18446744073709551616}')
@example(b'{"a":"\\ud83d"}')
@example(b'{"a":"\\ud83d\\ude00"}')
@example(b"[" * 600 + b"]" * 600)
def test_what_is_read_strictly_is_what_is_read_with_care(data: bytes) -> None:
    try:
        value = strict(data)
    except ValueError:
        return
    assert FAST
    assert (value, repr(value)) == (loads(data), repr(loads(data)))
    assert not has_half_pair(data)


@pytest.mark.parametrize("before", [0, 1, 2, 65_530, 65_536, 200_000, 200_001, 200_002])
def test_a_long_integer_is_exact_wherever_it_stands(before: int) -> None:
    number = 18446744073709551617
    value = {"a": "x" * before, "b": [1760000000000] * 50, "c": number}
    assert loads(dumps_pretty(value)) == value
    if FAST:
        assert strict(dumps_pretty(value).encode()) == value
