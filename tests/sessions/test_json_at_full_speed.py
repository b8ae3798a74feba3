"""Whether what is read at full speed is what is read carefully, with orjson and without."""

from __future__ import annotations

import pytest

from agentbrief.jsonio import loads, loads_inexact

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
