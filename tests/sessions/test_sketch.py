"""Lines are found by the bytes in them, whatever stands around them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentbrief.sessions.sketch import NEAR_BYTES, START_BYTES, Lines

TYPED = b'{"message":{"role":"user","content":"fix it"}}'


@pytest.mark.parametrize(
    ("line", "is_found"),
    [
        (TYPED, True),
        (b'{"message":{"role":"assistant","content":"ask the \\"user\\" or \'user\'","by":"user"}}', False),
        (b'{"message":{"role":"users","content":"user"}}', False),
        (b'{"message":{"role": "user","content":"written with blanks"}}', True),
        (b'{"id":"' + b"x" * NEAR_BYTES + b'","message":{"role":"user"}}', True),
        (b'{"id":"' + b"x" * NEAR_BYTES + b'","message":{"role":"tool"}}', False),
        (b'{"id":"' + b"x" * START_BYTES + b'","message":{"role":"user"}}', False),
        (b"{}", False),
        (b"", False),
    ],
    ids=range(9),
)
def test_a_line_is_found_by_the_text_of_a_key(line: bytes, is_found: bool) -> None:
    other = b'{"message":{"role":"toolResult","content":"user"}}'
    for data, wanted in (
        (line, [line]),
        (b"\n".join([other, line, TYPED]), [line, TYPED]),
        (line + b"\n", [line]),
    ):
        assert list(Lines(data).whose(b"role", b"user")) == [
            each for each in wanted if is_found or each != line
        ]


@given(st.lists(st.binary(max_size=30).map(lambda text: text.replace(b"\n", b" ")), max_size=8), st.data())
def test_a_part_of_the_bytes_is_read_as_a_copy_of_it_would_be(
    lines: list[bytes], data: st.DataObject
) -> None:
    marked = [b'{"type":"name",' + line + b"\n" for line in lines]
    first = data.draw(st.integers(0, len(marked)))
    last = data.draw(st.integers(first, len(marked)))
    whole, part = b"".join(marked), b"".join(marked[first:last])
    start = sum(map(len, marked[:first]))
    found, copied = Lines(whole, start, start + len(part)), Lines(part)
    word = b"name"
    assert list(found.beginning_with(word)) == list(copied.beginning_with(word))
    assert list(found.short_ones_with(word)) == list(copied.short_ones_with(word))
    assert list(found.whose(b"type", word)) == list(copied.whose(b"type", word))
    assert found.of_type(word) == copied.of_type(word)
    assert found.values() == copied.values()
    assert [line[one:two] for line, one, two in found.backwards()] == [
        line[one:two] for line, one, two in copied.backwards()
    ]
    assert found.last(word, lambda line: True, bytes) == copied.last(word, lambda line: True, bytes)
    assert found.writes_type_first == copied.writes_type_first
