"""Checkpoints that were made soon after one another can be told apart wherever they are listed."""

from __future__ import annotations

import pytest

from agentbrief.checkpoints.difference import Difference
from agentbrief.messages import LOCALES
from agentbrief.report.checkpoint_page import (
    CheckpointShown,
    RestoreShown,
    checkpoint_lines,
    checkpoints_page,
    restore_page,
)
from agentbrief.report.compaction_words import times_text

MINUTE = 60 * 1000
NOW = 1_772_712_000_000

TIMES: list[tuple[tuple[int, ...], list[str]]] = [
    ((), []),
    ((NOW,), ["2026-03-05 12:00"]),
    ((NOW, NOW + MINUTE), ["2026-03-05 12:00", "2026-03-05 12:01"]),
    ((NOW + 59_999, NOW + MINUTE), ["2026-03-05 12:00", "2026-03-05 12:01"]),
    (
        (NOW, NOW + 31_000, NOW + 2 * MINUTE),
        ["2026-03-05 12:00:00", "2026-03-05 12:00:31", "2026-03-05 12:02:00"],
    ),
    ((NOW + 5, NOW + 7), ["2026-03-05 12:00:00.005", "2026-03-05 12:00:00.007"]),
    ((NOW, NOW), ["2026-03-05 12:00", "2026-03-05 12:00"]),
    ((NOW, NOW, NOW + 1000), ["2026-03-05 12:00:00", "2026-03-05 12:00:00", "2026-03-05 12:00:01"]),
]


def shown(number: int, created_ms: int) -> CheckpointShown:
    return CheckpointShown(f"id-{number}", created_ms, "compaction", 12, 16_000, 65_000, None, "there")


@pytest.mark.parametrize(("times", "words"), TIMES)
def test_as_exact_as_is_needed_and_all_alike(times: tuple[int, ...], words: list[str]) -> None:
    assert times_text(times) == words


@pytest.mark.parametrize("locale", LOCALES)
def test_two_of_one_minute_differ_on_the_page_and_in_a_terminal(locale: str) -> None:
    near = [shown(1, NOW + 40_000), shown(2, NOW)]
    for text in (checkpoints_page("t", near, (1, 1, 1), locale), "\n".join(checkpoint_lines(near, locale))):
        assert "2026-03-05 12:00:40 " in text
        assert "2026-03-05 12:00:00 " in text
    far = [shown(1, NOW + MINUTE), shown(2, NOW)]
    for text in (checkpoints_page("t", far, (1, 1, 1), locale), "\n".join(checkpoint_lines(far, locale))):
        assert "2026-03-05 12:01 " in text
        assert "12:00:00" not in text


@pytest.mark.parametrize("locale", LOCALES)
def test_the_question_says_which_of_them(locale: str) -> None:
    restore = RestoreShown("t", shown(1, NOW + 40_000), Difference(1, 1), "/p", None)
    assert "2026-03-05 12:00:40" in restore_page(restore, locale).split("\n")[0]
