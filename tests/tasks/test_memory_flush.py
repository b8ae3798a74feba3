"""Memory notes saved without a compaction: previewed, written once a cycle, undone, never over anything."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from agentbrief.disk.refusal import Conflict, Refused
from agentbrief.tasks.change_undo import undo_change
from agentbrief.tasks.compaction.asked import CompactionAsked, Means
from agentbrief.tasks.compaction.memory_flush import PlannedFlush, apply_flush, plan_flush
from tests.tasks.compactions import NOW_MS, Says, Sessions, caller, long_data, means


def sessions_in(folder: Path, kind: str = "openclaw") -> Sessions:
    return Sessions(folder.resolve(), kind, long_data(kind))


def notes_of(sessions: Sessions) -> Path:
    return sessions.home / ".openclaw" / "workspace" / "memory" / "2026-11-30.md"


def flush(sessions: Sessions, given: str | None = None, by: Means | None = None, *names: str) -> PlannedFlush:
    asked = CompactionAsked(providers=names) if names else None
    return plan_flush(sessions.setup, sessions.file, by or means(), given, asked)


def test_notes_are_added_and_undone(tmp_path: Path) -> None:
    sessions = sessions_in(tmp_path)
    notes = notes_of(sessions)
    notes.parent.mkdir()
    notes.write_bytes(b"# Mine\n")
    before = sessions.files()
    planned = flush(sessions)
    assert sessions.files() == before
    assert planned.notes is not None
    assert planned.notes.source == "facts"
    receipt = apply_flush(sessions.setup.fs, planned, caller())
    assert notes.read_bytes() == b"# Mine\n\n" + planned.notes.text.encode()
    entry = sessions.entry()
    assert (entry["memoryFlushAt"], entry["memoryFlushCompactionCount"]) == (NOW_MS, 2)
    assert (entry["compactionCount"], entry["inputTokens"]) == (2, 7)
    undo_change(sessions.setup.fs, receipt, planned.where, caller())
    assert sessions.files() == before


def test_once_a_cycle_unless_the_user_has_more(tmp_path: Path) -> None:
    sessions = sessions_in(tmp_path)
    apply_flush(sessions.setup.fs, flush(sessions), caller())
    assert flush(sessions).refused == "done"
    with pytest.raises(ValueError, match="done"):
        apply_flush(sessions.setup.fs, flush(sessions), caller())
    more = flush(sessions, "one thing more")
    apply_flush(sessions.setup.fs, more, caller())
    assert "one thing more" in notes_of(sessions).read_text()


def test_a_provider_writes_them_and_a_silent_one_is_done(tmp_path: Path) -> None:
    sessions = sessions_in(tmp_path)
    told = flush(sessions, None, means(editor=Says("editor", ["- keep this"])), "editor")
    assert told.notes is not None
    assert (told.notes.source, "- keep this" in told.notes.text) == ("provider", True)
    silent = flush(sessions, None, means(editor=Says("editor", ["NO_REPLY"])), "editor")
    apply_flush(sessions.setup.fs, silent, caller())
    assert not notes_of(sessions).exists()
    assert sessions.entry()["memoryFlushCompactionCount"] == 2


def test_a_provider_that_fails_leaves_the_facts(tmp_path: Path) -> None:
    sessions = sessions_in(tmp_path)
    planned = flush(sessions, None, means(editor=Says("editor", [RuntimeError()])), "editor")
    assert planned.notes is not None
    assert planned.notes.source == "facts"
    assert [each.code for each in planned.warnings] == ["provider-failed"]


@pytest.mark.parametrize(
    ("why", "config"),
    [
        ("off", {"compaction": {"memoryFlush": {"enabled": False}}}),
        ("read-only-workspace", {"sandbox": {"mode": "all", "workspaceAccess": "none"}}),
        ("no-workspace", {"workspace": "/nowhere/at/all"}),
    ],
)
def test_when_there_are_none(why: str, config: dict[str, Any], tmp_path: Path) -> None:
    sessions = sessions_in(tmp_path)
    (sessions.home / ".openclaw" / "openclaw.json").write_text(json.dumps({"agents": {"defaults": config}}))
    before = sessions.files(with_own=True)
    assert flush(sessions, "mine").refused == why
    assert sessions.files(with_own=True) == before


@pytest.mark.parametrize("kind", ["claw-jsonl", "port", "pi"])
def test_other_agents_have_none(kind: str, tmp_path: Path) -> None:
    assert flush(sessions_in(tmp_path, kind)).refused == "not-openclaw"


def test_a_session_without_an_entry_gets_its_notes_all_the_same(tmp_path: Path) -> None:
    sessions = sessions_in(tmp_path, "openclaw-bare")
    apply_flush(sessions.setup.fs, flush(sessions, "mine"), caller())
    assert "mine" in notes_of(sessions).read_text()
    assert not sessions.store.exists()


def test_what_changed_meanwhile_is_not_written_over(tmp_path: Path) -> None:
    sessions = sessions_in(tmp_path)
    planned = flush(sessions)
    notes_of(sessions).parent.mkdir()
    notes_of(sessions).write_bytes(b"new\n")
    before = sessions.files()
    with pytest.raises(Refused):
        apply_flush(sessions.setup.fs, planned, caller())
    assert sessions.files() == before
    planned = flush(sessions)
    sessions.store.write_bytes(sessions.store.read_bytes().replace(b'"updatedAt": 5', b'"updatedAt": 6'))
    before = sessions.files()
    with pytest.raises(Conflict):
        apply_flush(sessions.setup.fs, planned, caller())
    assert sessions.files() == before


def test_a_link_out_of_the_workspace_is_not_followed(tmp_path: Path) -> None:
    sessions = sessions_in(tmp_path)
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "2026-11-30.md").write_bytes(b"theirs\n")
    notes_of(sessions).parent.symlink_to(outside)
    planned = flush(sessions, "mine")
    if planned.steps:
        with pytest.raises(Refused):
            apply_flush(sessions.setup.fs, planned, caller())
    assert (outside / "2026-11-30.md").read_bytes() == b"theirs\n"
