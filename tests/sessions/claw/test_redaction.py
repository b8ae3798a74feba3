"""Masking in the lines of a session file: once is enough, and quotes do not hide a secret."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentbrief.sessions.claw.redaction import (
    CUT_MARK,
    MARK,
    MARKERS,
    kept_by_claw_code,
    losses,
    redacted,
    redacted_by_claw_code,
)

PIECES = st.sampled_from(
    [*MARKERS, MARK, '"', "'", '\\"', "\\'", "\\", "\n", " ", ",", "]", "}", "abc", "sk-", "=", "\u2028"]
)
TEXTS = st.lists(PIECES, max_size=12).map("".join)


@settings(max_examples=500)
@given(TEXTS)
def test_writing_twice_changes_nothing(text: str) -> None:
    once = redacted(text)
    assert redacted(once.text) == redacted(once.text)
    assert redacted(once.text).text == once.text
    assert redacted(once.text).secrets == 0


@settings(max_examples=300)
@given(TEXTS)
def test_the_count_is_the_number_of_new_marks(text: str) -> None:
    found = redacted(text)
    assert (found.secrets == 0) == (found.text == text)
    assert found.quoted <= found.secrets


@pytest.mark.parametrize("marker", MARKERS)
@pytest.mark.parametrize("quote", ["", '"', "'", '\\"', "\\'"])
def test_the_secret_goes_and_its_marker_and_quotes_stay(marker: str, quote: str) -> None:
    text = f"before {marker}{quote}s3cret-value{quote} after"
    assert redacted(text).text == f"before {marker}{quote}{MARK}{quote} after"


def test_an_open_quote_ends_with_its_line() -> None:
    assert redacted('XAI_API_KEY="a b\nc').text == f'XAI_API_KEY="{MARK}\nc'
    assert redacted("XAI_API_KEY='a b").text == f"XAI_API_KEY='{MARK}"


@pytest.mark.parametrize("text", ["XAI_API_KEY=", 'XAI_API_KEY=""', "XAI_API_KEY= x", "XAI_API_KEY=, x"])
def test_where_nothing_stands_nothing_is_written(text: str) -> None:
    assert redacted(text).text == text
    assert redacted_by_claw_code(text) != text


def test_claw_code_lets_a_quoted_secret_through_and_its_mark_grows() -> None:
    text = 'OPENAI_API_KEY="zz"'
    once = redacted_by_claw_code(text)
    assert "zz" in once
    twice = redacted_by_claw_code("sk-ant-x]")
    assert redacted_by_claw_code(twice) == twice + "]"


def test_losses_name_what_claw_code_does() -> None:
    assert losses("x" * 50, 50) == ()
    cut, leak = losses('sk-ant-"abc" ' + "x" * 60, 50)
    assert (cut.kind, leak.kind, leak.amount) == ("claw-code-will-cut", "claw-code-will-leak", 1)
    kept = kept_by_claw_code('sk-ant-"abc" ' + "x" * 60, 50)
    assert len(kept) == 50
    assert kept.endswith(CUT_MARK)
