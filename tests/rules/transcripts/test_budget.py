"""A session that is due for compaction is told by the rule of its agent; one within its bounds is not."""

from __future__ import annotations

from typing import Any

import pytest

from agentbrief.messages import LOCALES, say
from agentbrief.profiles.load import profile
from agentbrief.rules.registry import rule
from agentbrief.rules.transcript_scene import SessionBudget
from tests.rules.transcripts.scenes import found, scene

CODE = "session-over-budget"


def budget(**more: Any) -> SessionBudget:
    values: dict[str, Any] = {
        "path": "/s.jsonl", "measure": "messages", "is_due": True, "tokens": 82_000, "limit_tokens": 9_999,
        "messages": 212, "preserve": 4, **more,
    }  # fmt: skip
    return SessionBudget(**values)


@pytest.mark.parametrize("agent", ["claw", "claw-code", "openclaw", "pi"])
@pytest.mark.parametrize("measure", ["messages", "window"])
@pytest.mark.parametrize("after", [None, 7_300])
def test_a_session_that_is_due_is_told_with_its_numbers(agent: str, measure: str, after: int | None) -> None:
    given = scene(agent, budgets=(budget(measure=measure, tokens_after=after),))
    (finding,) = found(given, CODE)
    assert (finding.path, finding.line, finding.severity) == ("/s.jsonl", 0, "warning")
    for locale in LOCALES:
        text = say(locale, finding.message, **dict(finding.arguments))
        assert profile(agent).title in text
        assert "82,000" in text
        assert "9,999" in text
        assert ("7,300" in text) == (after is not None)
        assert ("212" in text) == (measure == "messages")


def test_a_session_within_its_bounds_is_quiet() -> None:
    assert found(scene("claw", budgets=(budget(is_due=False),)), CODE) == []
    assert found(scene("claw"), CODE) == []


@pytest.mark.parametrize("agent", ["claude-code", "codex"])
def test_a_session_that_is_only_read_has_none(agent: str) -> None:
    assert found(scene(agent, budgets=(budget(),)), CODE) == []


def test_the_fix_is_a_look_at_it() -> None:
    (finding,) = found(scene("claw", budgets=(budget(),)), CODE)
    fix = rule(CODE).fix
    assert fix is not None
    (offered,) = fix(finding, "")
    assert (offered.command, offered.edits) == ("agentbrief.compaction.plan", ())
