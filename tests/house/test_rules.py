"""A rule is one file.

Its docstring is its page; it has a fixture that finds and one that stays quiet; the pages are current.
"""

from __future__ import annotations

import subprocess
import sys

import pytest

from agentbrief.rules.registry import Rule, rules
from tests.house.sources import ROOT

HEADINGS = (
    "## What it does",
    "## Why it matters",
    "## Example",
    "## Better",
    "## Which agents",
    "## Source",
)
# A folding disk cannot be made here out of files: tests/rules/test_name_case.py stands in for a fixture.
WITHOUT_FIXTURE = {"name-case"}


@pytest.mark.parametrize("rule", rules(), ids=lambda rule: rule.code)
def test_a_docstring_is_a_page(rule: Rule) -> None:
    assert [line for line in rule.page.split("\n") if line.startswith("## ")] == list(HEADINGS)
    assert rule.summary.endswith(".")
    assert "no-" not in rule.code[:3]


@pytest.mark.parametrize(
    "rule", [each for each in rules() if each.group == "instructions"], ids=lambda rule: rule.code
)
def test_a_rule_has_fixtures(rule: Rule) -> None:
    if rule.code in WITHOUT_FIXTURE:
        return
    text = (ROOT / "tests" / "rules" / rule.group / f"{rule.code}.md").read_text(encoding="utf-8")
    cases = text.split("\n## ")[1:]
    finds = [
        case for case in cases if f"^ {rule.code}" in case or f"({rule.code}" in case or "omitted (" in case
    ]
    assert finds
    assert len(cases) >= 2


def test_the_generated_pages_are_current() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "docs" / "generate.py"), "--check"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
