"""Every reported case is run somewhere, or named here by its area."""

from __future__ import annotations

from collections import Counter

from tests.cases.areas import supported
from tests.cases.build import user_cases

ELSEWHERE = {
    "imports",
    "precedence",
    "rules",
    "discovery",
    "monorepo",
    "symlinks",
    "truncation",
    "worktrees",
    "duplication",
    "subagents",
    "token-counts",
}
"""Areas of which some or all cases concern instruction files; they need the loading rules of their agents."""


def test_each_case_is_run_or_its_area_is_named() -> None:
    left = Counter(case.area for case in user_cases() if not supported(case))
    assert set(left) <= ELSEWHERE, f"not run anywhere: {dict(left)}"


def test_every_case_with_a_transcript_is_run() -> None:
    assert [case.id for case in user_cases() if case.repro.get("transcripts") and not supported(case)] == []
