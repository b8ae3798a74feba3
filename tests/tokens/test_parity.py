"""An agent's own formula, to the token."""

from __future__ import annotations

import pytest

from agentbrief.tokens import FORMULAS, Estimate, parity

CASES = [
    ("", 1, 0, 0),
    ("abc", 1, 1, 1),
    ("abcd", 2, 1, 1),
    ("abcde", 2, 2, 2),
    ("中文", 2, 1, 1),
    ("中文中文x", 4, 2, 2),
    ("🚀🚀🚀", 4, 1, 2),
    ("\ud83cab", 2, 1, 1),
    ("ééé", 2, 1, 1),
]


@pytest.mark.parametrize(("text", "utf8", "characters", "utf16"), CASES)
def test_formulas(text: str, utf8: int, characters: int, utf16: int) -> None:
    assert FORMULAS["utf8-bytes-4-plus-1"](text) == utf8
    assert FORMULAS["characters-4"](text) == characters
    assert FORMULAS["utf16-units-4"](text) == utf16
    assert parity(text, "utf8-bytes-4-plus-1", "claw") == Estimate("parity", "claw", utf8)


def test_an_unknown_formula() -> None:
    with pytest.raises(ValueError, match="words"):
        parity("a", "words", "claw")
