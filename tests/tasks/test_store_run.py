"""What the next run of a session would send: every part with its size and the place it comes from."""

from __future__ import annotations

import json
import os
from datetime import UTC
from pathlib import Path
from typing import Any

import pytest

from agentbrief.disk.files import DiskFiles
from agentbrief.disk.seam import FS
from agentbrief.messages import LOCALES
from agentbrief.report.run_facts import RunFacts
from agentbrief.report.store_run_page import MOST_MESSAGES, run_page, run_record
from agentbrief.tasks.sessions.setup import SessionsSetup
from agentbrief.tasks.settings import Settings
from agentbrief.tasks.store.plan import plan_of
from agentbrief.tasks.store.run import run_facts
from tests.maintenance.folders import DAY, HOUR, NOW
from tests.maintenance.real_folders import DRY_RUN, look_of, write

KEY = "agent:main:telegram:direct:7"
LONG = "# Rules\n\n" + "".join(f"- rule {number}: be short\n" for number in range(40))


@pytest.fixture
def state(tmp_path: Path) -> Path:
    return Path(os.path.realpath(tmp_path)) / "state"


def message(at: int, parent: str | None, role: str, content: Any, **more: Any) -> dict[str, Any]:
    return {
        "type": "message",
        "id": f"e{at}",
        "parentId": parent,
        "timestamp": "2026-01-01T00:00:01Z",
        "message": {"role": role, "content": content, "timestamp": at, **more},
    }


def text(words: str) -> list[dict[str, Any]]:
    return [{"type": "text", "text": words}]


def chain(*parts: tuple[str, Any, dict[str, Any]]) -> bytes:
    """A transcript whose entries follow each other."""
    lines: list[dict[str, Any]] = [
        {"type": "session", "version": 3, "id": "s1", "timestamp": "2026-01-01T00:00:00Z", "cwd": "/w"}
    ]
    for at, (role, content, more) in enumerate(parts):
        lines.append(message(at, f"e{at - 1}" if at else None, role, content, **more))
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


MODEL = {"provider": "anthropic", "model": "claude-x", "api": "anthropic-messages"}
CALL = {"type": "toolCall", "id": "call_1", "name": "read", "arguments": {"path": "a.txt"}}
TALK = chain(
    ("user", text("hello"), {}),
    ("user", text("are you there?"), {}),
    ("assistant", [*text("I read it"), CALL], MODEL),
    ("user", text("and now?"), {}),
    ("assistant", text("done"), MODEL),
)


def run_of(
    state: Path,
    transcript: bytes = TALK,
    config: dict[str, Any] | None = None,
    entry: dict[str, Any] | None = None,
    key: str = KEY,
    age: int = HOUR,
    given: Any = (),
) -> RunFacts | None:
    folder = state / "agents" / "main" / "sessions"
    write(folder / "s1.jsonl", transcript, age)
    store = {key: {"sessionId": "s1", "updatedAt": NOW - age, **(entry or {})}}
    write(folder / "sessions.json", json.dumps(store).encode(), age)
    write(state / "openclaw.json", json.dumps(config or {}).encode(), age)
    setup = SessionsSetup(FS(), (), Settings(), str(state.parent), NOW)
    found = plan_of(look_of(folder), setup.settings, DRY_RUN, NOW)
    [only] = found.look.folder.store.entries
    return run_facts(setup, DiskFiles(FS(), lambda: NOW * 1_000_000), found, only, UTC, given)


def known(found: RunFacts | None) -> RunFacts:
    assert found is not None
    return found


def test_the_history_as_the_provider_gets_it(state: Path) -> None:
    facts = known(run_of(state))
    roles = [(each.role, each.line) for each in facts.messages]
    assert roles == [("user", 3), ("assistant", 4), ("toolResult", None), ("user", 5), ("assistant", 6)]
    assert facts.messages[0].text == "hello\nare you there?"
    assert facts.messages[1].text == 'I read it\n[read] {"path":"a.txt"}'
    assert "missing tool result" in facts.messages[2].text
    assert "merged-users" in facts.messages[0].steps
    assert [(each.line, each.step) for each in facts.left_out] == [(2, "merged-users")]
    assert [step.step for step in facts.steps] == ["call-ids", "pairing", "merged-users"]
    assert facts.context_count == 5
    assert all(each.tokens > 0 for each in facts.messages)
    assert facts.history_tokens == sum(each.tokens for each in facts.messages)


def test_the_last_turns_that_the_settings_leave(state: Path) -> None:
    config = {"channels": {"telegram": {"dmHistoryLimit": 1}}}
    facts = known(run_of(state, config=config))
    assert facts.limit == 1
    assert [each.text for each in facts.messages] == ["and now?", "done"]
    assert {each.step for each in facts.left_out} == {"merged-users", "limit"}
    assert "last 1 user turns" in run_page(facts, "en")


def test_a_summary_stands_first(state: Path) -> None:
    compaction = {
        "type": "compaction",
        "id": "c1",
        "parentId": "e4",
        "timestamp": "2026-01-01T00:00:02Z",
        "summary": "We talked.",
        "firstKeptEntryId": "e3",
        "tokensBefore": 100,
    }
    facts = known(run_of(state, TALK + json.dumps(compaction).encode() + b"\n"))
    assert facts.summary_line == 7
    first = facts.messages[0]
    assert (first.role, first.line) == ("user", 7)
    assert "<summary>\nWe talked.\n</summary>" in first.text
    assert [each.text for each in facts.messages[1:]] == ["and now?", "done"]
    assert "line 7" in run_page(facts, "en")


def test_the_bootstrap_files_of_the_agent_s_workspace(state: Path) -> None:
    workspace = state / "workspace"
    write(workspace / "AGENTS.md", LONG.encode())
    write(workspace / "SOUL.md", b"Be kind.\n")
    config = {"agents": {"defaults": {"bootstrapMaxChars": 500}}, "meta": {"lastTouchedVersion": "2026.3.2"}}
    facts = known(run_of(state, config=config))
    assert (facts.workspace, facts.max_file_chars) == (str(workspace), 500)
    by_name = {file.name: file for file in facts.files}
    assert (by_name["AGENTS.md"].result, by_name["SOUL.md"].result) == ("cut", "sent")
    assert by_name["TOOLS.md"].result == "missing"
    first, last = by_name["AGENTS.md"].lost_lines or (0, 0)
    lines = LONG.split("\n")
    assert lines[first - 2] in by_name["AGENTS.md"].text
    assert lines[last] in by_name["AGENTS.md"].text
    assert lines[first] not in by_name["AGENTS.md"].text
    assert facts.file_chars == sum(file.chars for file in facts.files)
    page = run_page(facts, "en")
    assert f"lines {first}–{last}" in page
    assert "Be kind." in page


def test_a_sub_agent_gets_fewer_files(state: Path) -> None:
    whole = known(run_of(state))
    small = known(run_of(state, key="agent:main:subagent:x"))
    cron = known(run_of(state, key="agent:main:cron:daily"))
    assert [file.name for file in small.files] == [file.name for file in cron.files]
    assert [file.name for file in whole.files][: len(small.files)] == [file.name for file in small.files]
    assert len(small.files) == 5 < len(whole.files)


def test_skills_and_tools_that_are_known(state: Path) -> None:
    entry = {"skillsSnapshot": {"prompt": "<skills>draw</skills>", "skills": []}}
    facts = known(run_of(state, entry=entry, given=(("tools", "read(path)"),)))
    assert [(each.kind, each.text) for each in facts.given] == [
        ("skills", "<skills>draw</skills>"),
        ("tools", "read(path)"),
    ]
    assert facts.known_tokens == facts.history_tokens + sum(f.tokens for f in facts.files) + 6 + 3
    assert "<skills>draw</skills>" in run_page(facts, "en")


def test_what_openclaw_noted_stands_beside(state: Path) -> None:
    report = {
        "generatedAt": NOW,
        "systemPrompt": {"chars": 30_001, "projectContextChars": 777, "nonProjectContextChars": 29_224},
        "skills": {"promptChars": 11},
        "tools": {"listChars": 5, "schemaChars": 6},
        "injectedWorkspaceFiles": [
            {"name": "AGENTS.md", "rawChars": 800, "injectedChars": 776, "truncated": True, "missing": False},
            7,
        ],
    }
    facts = known(run_of(state, entry={"systemPromptReport": report}))
    assert facts.reported is not None
    assert [file.chars for file in facts.reported.files] == [776]
    assert (facts.reported.tools_chars, facts.reported.other_chars) == (11, 29_224)
    page = run_page(facts, "en")
    assert "776" in page
    assert "29,224" in page


def test_a_session_that_would_start_anew(state: Path) -> None:
    facts = known(run_of(state, age=3 * DAY))
    assert facts.starts_anew
    assert "starts a new session" in run_page(facts, "en")
    assert not known(run_of(state, age=HOUR)).starts_anew


def test_a_transcript_that_cannot_be_read(state: Path) -> None:
    assert run_of(state, b"no transcript\n") is None
    assert run_of(state, entry={"sessionFile": "/elsewhere/x.jsonl", "sessionId": "other"}) is None


@pytest.mark.parametrize("locale", LOCALES)
def test_the_page_in_each_language(state: Path, locale: str) -> None:
    private = "sk-ant-api03-" + "A1b2" * 24
    parts: list[tuple[str, Any, dict[str, Any]]] = []
    for number in range(300):
        parts.append(("user", text(f"question {number} {private if number % 7 == 0 else ''}"), {}))
        parts.append(("assistant", text("x" * 3000), MODEL))
    facts = known(run_of(state, chain(*parts)))
    page = run_page(facts, locale)
    assert private not in page
    assert page.count("question ") <= MOST_MESSAGES
    assert len(page) < MOST_MESSAGES * 3000
    assert f"{len(facts.messages) - MOST_MESSAGES}" in page
    record = run_record(facts)
    assert len(record["messages"]) == len(facts.messages)  # type: ignore[arg-type]
    assert "question" not in json.dumps(record)
