"""Lines and columns in three encodings, against Python's codecs and the line ends of the specification."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentbrief.text.line_index import Encoding, LineIndex

ENCODINGS: tuple[Encoding, ...] = ("utf-8", "utf-16", "utf-32")

# CJK, emoji of one and of several characters, combining marks, all line ends, and what only str.splitlines()
# takes for one.
CHARACTERS = (
    "a", "é", "ß", "规", "則", "한", "🚀", "👩\u200d🔧", "e\u0301", "\u0300", "\ud7ff", "\uffff",
    "\U0010ffff", "\n", "\r", "\r\n", "\u2028", "\u2029", "\x0b", "\x0c", "\x1c", "\x85", "\ufeff",
    "\x00", " ",
)  # fmt: skip
TEXTS = st.lists(st.sampled_from(CHARACTERS), max_size=40).map("".join)


def lines_of(text: str) -> list[str]:
    """The lines of ``text`` with their ends, by a rule of its own."""
    return re.split(r"(?<=\n)|(?<=\r)(?!\n)", text)


def units(piece: str, encoding: Encoding) -> int:
    codec = {"utf-8": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}[encoding]
    return len(piece.encode(codec)) // {"utf-8": 1, "utf-16": 2, "utf-32": 4}[encoding]


@given(TEXTS)
def test_lines_are_split_at_the_three_line_ends_and_at_no_other(text: str) -> None:
    index, lines = LineIndex(text), lines_of(text)
    assert len(index) == len(lines)
    start = 0
    for number, line in enumerate(lines):
        assert index.line_start(number) == start
        assert index.line_end(number) == start + len(line.rstrip("\r\n"))
        start += len(line)


@given(TEXTS, st.sampled_from(ENCODINGS), st.data())
def test_each_offset_has_one_position_and_comes_back(
    text: str, encoding: Encoding, data: st.DataObject
) -> None:
    index = LineIndex(text)
    offset = data.draw(st.integers(0, len(text)))
    line, column = index.position(offset, encoding)
    start = index.line_start(line)
    shown = min(offset, index.line_end(line))
    assert column == units(text[start:shown], encoding)
    assert index.offset(line, column, encoding) == shown
    inside_a_line_end = text[offset - 1 : offset + 1] == "\r\n"
    assert (shown == offset) != inside_a_line_end


@given(TEXTS, st.sampled_from(ENCODINGS), st.integers(-2, 45), st.integers(-2, 90))
def test_any_position_gives_the_nearest_place_at_or_before_it(
    text: str, encoding: Encoding, line: int, column: int
) -> None:
    index, lines = LineIndex(text), lines_of(text)
    offset = index.offset(line, column, encoding)
    if line < 0:
        assert offset == 0
    elif line >= len(lines):
        assert offset == len(text)
    else:
        start = index.line_start(line)
        assert start <= offset <= index.line_end(line)
        assert units(text[start:offset], encoding) <= max(column, 0)
        following = text[offset : offset + 1]
        if offset < index.line_end(line):
            assert units(text[start:offset] + following, encoding) > column


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_an_empty_text_has_one_place(encoding: Encoding) -> None:
    index = LineIndex("")
    assert len(index) == 1
    assert index.position(0, encoding) == (0, 0)
    assert {index.offset(line, column, encoding) for line in range(3) for column in range(3)} == {0}


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_the_place_behind_a_final_newline_is_the_end_of_the_text(encoding: Encoding) -> None:
    text = "- 规则 🚀\n"
    index = LineIndex(text)
    assert index.position(len(text), encoding) == (1, 0)
    assert index.offset(1, 0, encoding) == index.offset(9, 9, encoding) == len(text)


@pytest.mark.parametrize(
    ("encoding", "column", "offset"),
    [("utf-16", 3, 2), ("utf-16", 4, 3), ("utf-8", 3, 2), ("utf-8", 5, 2), ("utf-8", 6, 3), ("utf-32", 3, 3)],
)
def test_a_column_inside_a_character_is_that_characters_start(
    encoding: Encoding, column: int, offset: int
) -> None:
    assert LineIndex("ab🚀c").offset(0, column, encoding) == offset


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_column_past_the_end_of_a_line_stays_before_the_line_end(encoding: Encoding) -> None:
    index = LineIndex("é🚀\r\nb")
    assert index.offset(0, 99, encoding) == 2
    assert index.position(3, encoding) == index.position(2, encoding)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_lone_surrogates_count_as_one_character_each(encoding: Encoding) -> None:
    text = "é\ud83d\ude00\ud83dx"
    index = LineIndex(text)
    for offset in range(len(text) + 1):
        assert index.offset(*index.position(offset, encoding), encoding) == offset


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_line_of_a_million_characters(encoding: Encoding) -> None:
    text = "规🚀" * 500_000
    index = LineIndex(text)
    for offset in (0, 1, 999_999, 1_000_000):
        assert index.offset(*index.position(offset, encoding), encoding) == offset
