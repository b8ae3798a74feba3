"""UTF-16 lengths and cuts against Python's own UTF-16 codec."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from agentbrief.text import utf16

TEXTS = st.text(alphabet=st.sampled_from("a\u00e9\u4e2d\ud7ff\U0001f600\U0010ffff\n"), max_size=40)


def units(text: str) -> bytes:
    return text.encode("utf-16-le")


@given(TEXTS)
def test_length_is_that_of_the_codec(text: str) -> None:
    assert utf16.length(text) == len(units(text)) // 2


@given(TEXTS, st.integers(-2, 90))
def test_a_head_is_the_longest_start_that_splits_nothing(text: str, count: int) -> None:
    kept = utf16.head(text, count)
    assert text.startswith(kept)
    assert utf16.length(kept) <= max(count, 0)
    following = text[len(kept) : len(kept) + 1]
    assert not following or utf16.length(kept + following) > count


@given(TEXTS, st.integers(-2, 90))
def test_a_tail_begins_at_the_start_of_a_character(text: str, count: int) -> None:
    kept = utf16.tail(text, count)
    assert text.endswith(kept)
    wanted = min(max(count, 0), utf16.length(text))
    assert utf16.length(kept) in (wanted, wanted + 1)
    assert utf16.length(kept) == wanted or kept[0] > "\uffff"


def test_a_cut_inside_a_character_falls_before_it() -> None:
    assert utf16.head("ab\U0001f600", 3) == "ab"
    assert utf16.offset("\U0001f600b", 1) == 0


def test_white_space_is_that_of_javascript() -> None:
    assert utf16.trim("\ufeff\u3000 x \n") == "x"
    assert utf16.trim("\x85x\x1c") == "\x85x\x1c"
    assert utf16.WHITE_SPACE_RUN.sub("-", "a \u00a0\tb") == "a-b"
