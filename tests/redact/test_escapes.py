"""S13 of reliability.md 13, terminals: nothing is left that a terminal would act on."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentbrief.redact import clean, visible_controls
from tests.data_folders import CORPORA, records

ACTS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


@pytest.mark.parametrize("case", records(CORPORA / "terminal-escapes.jsonl"), ids=lambda case: case["id"])
def test_cleaned(case: dict[str, Any]) -> None:
    assert clean(case["text"]) == case["clean"]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("a\r\nb\r\rc\n", "a\nb\n\nc\n"),
        # The content of a string ends on its own line, at the first BEL or ST, and within 4,096 characters.
        ("\x1b]0;a\rb\x07c", "0;a\nbc"),
        ("\x1b]0;a\r\nb\x07c", "0;a\nbc"),
        ("\x1bPa\x9cb\x07c", "bc"),
        ("\x1b]" + "x" * 4096 + "\x07y", "y"),
        ("\x1b]" + "x" * 4097 + "\x07y", "x" * 4097 + "y"),
        ("\x1b]a\x1b]b\n\x07", "ab\n"),
        ("\x1b]a\x1b[31mb\x1b\\c", "c"),
        ("\x1bXsos\x1b\\z\x98s\x9cz\x9ep\x9cz\x90d\x07z", "zzzz"),
        # Control sequences: parameters, intermediates, a final byte; else the introducer alone.
        ("\x1b[<=>?0;1:2 !\"#$%&'()*+,-./@z", "z"),
        ("\x1b[31\nm", "31\nm"),
        ("\x9b31", "31"),
        ("\x1b[中", "中"),
        # Any other sequence.
        ("\x1b7a\x1b8b\x1bcz", "abz"),
        ("\x1b%Ga\x1b F\x1b(", "a("),
        ("\x1b中", "中"),
        ("\x1b\x1b[1mx", "x"),
        ("\x1b\x00[31m", "[31m"),
        ("\x00\x9b31mred", "red"),
        ("\x07\x9d0;t\x07x", "x"),
        ("\t\n stays", "\t\n stays"),
        ("a\u200eb\u2028c\u00a0d", "a\u200eb\u2028c\u00a0d"),
        ("\u202a\u202b\u2068", "⟦U+202A⟧⟦U+202B⟧⟦U+2068⟧"),
    ],
)
def test_order_and_ends(text: str, wanted: str) -> None:
    assert clean(text) == wanted


def test_direction_controls_alone() -> None:
    assert visible_controls("a\u202eb\x1b[0m") == "a⟦U+202E⟧b\x1b[0m"


ALPHABET = st.sampled_from([*"\x1b\x9b\x9d\x90\x07\x9c\\[]P_^X;0m(\r\n\t a中\x00\x7f\x85\u202e\u2069"])


@given(st.text(ALPHABET, max_size=60))
@settings(max_examples=500)
def test_nothing_acts_and_nothing_is_left_for_a_second_pass(text: str) -> None:
    cleaned = clean(text)
    assert ACTS.search(cleaned) is None
    assert clean(cleaned) == cleaned
    assert cleaned.count("中") <= text.count("中")


@given(
    st.text(
        st.characters(
            blacklist_categories=["Cc", "Cs"],
            blacklist_characters="\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069",
        )
    )
)
@settings(max_examples=100)
def test_text_without_controls_is_given_back_as_it_is(text: str) -> None:
    assert clean(text) is text
