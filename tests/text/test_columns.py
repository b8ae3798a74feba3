"""A line that is too wide ends with a whole word, or at least a whole character, and an ellipsis."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentbrief.text.columns import characters, columns, shortened

E_ACUTE = "e\u0301"
FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
THUMB = "\U0001f44d\U0001f3fd"
HEART = "\u2764\ufe0f"
GERMANY, FRANCE = "\U0001f1e9\U0001f1ea", "\U0001f1eb\U0001f1f7"
ENGLAND = "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"
KA_VIRAMA_SSA = "\u0915\u094d\u0937"
HANGUL = "\u1112\u1161\u11ab"

WIDTHS = {
    "": 0,
    "abc": 3,
    "登录": 4,
    "ｱｲ": 2,
    "Ａ": 2,
    E_ACUTE: 1,
    FAMILY: 2,
    THUMB: 2,
    HEART: 2,
    GERMANY + FRANCE: 4,
    ENGLAND: 2,
    KA_VIRAMA_SSA: 1,
    HANGUL: 2,
    "a\u200bb": 2,
}

CASES: list[tuple[str, int, str]] = [
    ("short", 40, "short"),
    ("exactly ten", 11, "exactly ten"),
    ("0: the cache module keeps what was read", 25, "0: the cache module…"),
    ("the cache, module", 11, "the cache…"),
    ("the cache - module", 14, "the cache…"),
    ("nowhere-to-break-this-one-word", 10, "nowhere-t…"),
    ("a nowheretobreakthisoneword", 12, "a nowhereto…"),
    ("登录页重定向之后丢失会话", 12, "登录页重定…"),
    ("登录页重定向之后丢失会话", 11, "登录页重定…"),
    ("修复 login 重定向之后丢失会话", 14, "修复 login 重…"),
    ("修复 the authentication of users", 14, "修复 the…"),
    (f"caf{E_ACUTE}caf{E_ACUTE}caf{E_ACUTE}", 8, f"caf{E_ACUTE}caf…"),
    (f"{FAMILY}{FAMILY}{FAMILY}", 5, f"{FAMILY}{FAMILY}…"),
    (f"{GERMANY}{FRANCE}{GERMANY}", 4, f"{GERMANY}…"),
    (f"{THUMB}{ENGLAND}{HEART}", 5, f"{THUMB}{ENGLAND}…"),
    (f"{KA_VIRAMA_SSA}{KA_VIRAMA_SSA}", 1, "…"),
    ("   ", 2, "…"),
]


@pytest.mark.parametrize("text", WIDTHS)
def test_how_wide_a_text_is(text: str) -> None:
    assert columns(text) == WIDTHS[text]


@pytest.mark.parametrize(("text", "most", "expected"), CASES)
def test_what_is_left_of_a_line(text: str, most: int, expected: str) -> None:
    assert shortened(text, most) == expected


ALPHABET = st.sampled_from(
    [
        "a",
        " ",
        "-",
        "登",
        "，",
        "\u0301",
        "\u200d",
        "\ufe0f",
        "👍",
        "\U0001f3fd",
        "\U0001f1e9",
        "\u1161",
        "\u094d",
        "क",
    ]
)


@given(st.text(ALPHABET, max_size=60), st.integers(1, 50))
def test_it_fits_and_is_the_beginning_of_the_text(text: str, most: int) -> None:
    short = shortened(text, most)
    assert columns(short) <= most
    if columns(text) <= most:
        assert short == text
    else:
        assert short.endswith("…")
        kept = list(characters(short.removesuffix("…")))
        assert list(characters(text))[: len(kept)] == kept


@given(st.text(ALPHABET, max_size=60))
def test_nothing_is_lost_between_characters(text: str) -> None:
    assert "".join(characters(text)) == text
