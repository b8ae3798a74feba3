"""Which sessions are due, by whose numbers, and that lists and checks tell it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from agentbrief.tasks.compaction.apply import apply_compaction
from agentbrief.tasks.compaction.asked import CompactionAsked
from agentbrief.tasks.compaction.due import budget_findings, due_of
from agentbrief.tasks.sessions.check import checked, findings_of_list
from agentbrief.tasks.sessions.list import sessions_of
from tests.tasks.compactions import OWN, Sessions, caller, long_data, tree_data

USED = [("user", "word"), ("assistant", "word")] * 3


def reported(tokens: int) -> bytes:
    lines = tree_data(USED).split(b"\n")
    last = json.loads(lines[-2])
    last["message"]["usage"] = {
        "input": tokens,
        "output": 0,
        "cacheRead": 0,
        "cacheWrite": 0,
        "totalTokens": tokens,
    }
    last["message"]["stopReason"] = "stop"
    return b"\n".join((*lines[:-2], json.dumps(last).encode(), b""))


@pytest.mark.parametrize("kind", OWN)
def test_a_session_that_is_counted(kind: str, tmp_path: Path) -> None:
    sessions = Sessions(tmp_path.resolve(), kind, long_data(kind, 12, 1000))
    found = due_of(sessions.setup, sessions.file)
    assert found is not None
    assert (found.is_due, found.measure, found.messages, found.preserve) == (True, "messages", 12, 4)
    assert found.tokens_after is not None and found.tokens_after < found.tokens
    planned = sessions.plan(CompactionAsked())
    assert planned.plan is not None
    assert found.tokens_after == planned.plan.tokens_after
    apply_compaction(sessions.setup.fs, planned, caller())
    again = due_of(sessions.setup, sessions.file)
    assert again is not None
    assert (again.is_due, again.messages) == (False, 4)


@pytest.mark.parametrize(("kind", "window"), [("openclaw", None), ("pi", 200_000), ("pi", None)])
@pytest.mark.parametrize("tokens", [180_000, 180_001, 183_616, 183_617])
def test_a_session_whose_window_fills(kind: str, window: int | None, tokens: int, tmp_path: Path) -> None:
    more: dict[str, Any] = {} if window is None else {"contextWindow": window}
    sessions = Sessions(tmp_path.resolve(), kind, reported(tokens), **more)
    found = due_of(sessions.setup, sessions.file)
    if kind == "pi" and window is None:
        assert found is None
        return
    assert found is not None
    limit = 180_000 if kind == "openclaw" else 183_616
    assert (found.limit_tokens, found.tokens, found.is_due) == (limit, tokens, tokens > limit)


def test_the_store_tells_the_window_and_pi_may_be_told_not_to(tmp_path: Path) -> None:
    sessions = Sessions(tmp_path.resolve(), "openclaw", reported(90_000))
    text = sessions.store.read_text().replace('"updatedAt": 5', '"contextTokens": 100000, "updatedAt": 5')
    sessions.store.write_text(text)
    found = due_of(sessions.setup, sessions.file)
    assert found is not None
    assert (found.limit_tokens, found.is_due) == (80_000, True)
    agent = sessions.path.parent.parent / "agent"
    agent.mkdir()
    (agent / "settings.json").write_text('{"compaction": {"enabled": false}}')
    found = due_of(sessions.setup, sessions.file)
    assert found is not None
    assert not found.is_due


@pytest.mark.parametrize("kind", ["claw-jsonl", "port", "openclaw"])
def test_lists_and_checks_tell_it(kind: str, tmp_path: Path) -> None:
    data = reported(190_000) if kind == "openclaw" else long_data(kind, 12, 1000)
    sessions = Sessions(tmp_path.resolve(), kind, data)
    (finding,) = budget_findings(sessions.setup, (sessions.file,))
    assert (finding.code, finding.path) == ("session-over-budget", str(sessions.path))
    assert finding in checked(sessions.setup, sessions.file).findings
    off = sessions.setup.settings.replaced("diagnostics.level", {"session-over-budget": "off"})
    assert budget_findings(replace(sessions.setup, settings=off), (sessions.file,)) == ()
    if kind == "openclaw":
        return
    listed = sessions_of(sessions.setup, str(sessions.workspace))
    paths = frozenset(item.path for item in listed.items)
    assert str(sessions.path) in paths
    assert finding in findings_of_list(sessions.setup, listed, paths)[str(sessions.path)]
    assert findings_of_list(sessions.setup, listed, frozenset()).get(str(sessions.path), ()) == ()


def test_a_file_that_cannot_be_read_has_no_finding(tmp_path: Path) -> None:
    for kind in ("claw-jsonl", "openclaw", "port"):
        (tmp_path / kind).mkdir()
        sessions = Sessions((tmp_path / kind).resolve(), kind, b"{")
        assert due_of(sessions.setup, sessions.file) is None
        assert budget_findings(sessions.setup, (sessions.file,)) == ()
