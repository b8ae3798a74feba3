"""Checkpoints as they are listed and brought back: damaged copies, links, branches, what is not there."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from agentbrief.messages import LOCALES
from agentbrief.report.checkpoint_page import not_restored_text
from agentbrief.tasks.compaction.apply import apply_compaction
from agentbrief.tasks.compaction.asked import CompactionAsked
from agentbrief.tasks.compaction.checkpoint_list import CheckpointRow, session_checkpoints
from agentbrief.tasks.compaction.checkpoint_restore import (
    NotRestored,
    PlannedRestore,
    apply_restore,
    plan_checkpoint_restore,
)
from tests.tasks.compactions import FORMATS, KEY, NOW_MS, TREES, Sessions, caller, long_data, means


def compacted(folder: Path, kind: str) -> Sessions:
    sessions = Sessions(folder.resolve(), kind, long_data(kind))
    asked = CompactionAsked(max_tokens=40) if kind in TREES else CompactionAsked(preserve=2, max_tokens=0)
    apply_compaction(sessions.setup.fs, sessions.plan(asked), caller())
    return sessions


def rows(sessions: Sessions) -> tuple[CheckpointRow, ...]:
    return session_checkpoints(sessions.setup, sessions.file).rows


def planned(sessions: Sessions, identifier: str, *, as_branch: bool = False) -> PlannedRestore | NotRestored:
    found = session_checkpoints(sessions.setup, sessions.file)
    new = means().new_uuid
    return plan_checkpoint_restore(sessions.setup.fs, found, identifier, NOW_MS + 1, new, as_branch=as_branch)


@pytest.mark.parametrize("kind", FORMATS)
def test_a_checkpoint_has_its_numbers(kind: str, tmp_path: Path) -> None:
    sessions = compacted(tmp_path, kind)
    (row,) = rows(sessions)
    assert row.path is not None
    data = Path(row.path).read_bytes()
    assert data == long_data(kind)
    assert (row.cause, row.state, row.messages, row.size) == ("compaction", "there", 12, len(data))
    assert row.tokens is not None and row.tokens > 3_000
    assert row.created_ms == NOW_MS


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize("how", ["changed", "shorter", "gone", "link", "second name", "folder"])
def test_a_copy_that_is_not_as_it_was_does_not_come_back(kind: str, how: str, tmp_path: Path) -> None:
    sessions = compacted(tmp_path, kind)
    (row,) = rows(sessions)
    copy = Path(row.path or "")
    data = copy.read_bytes()
    match how:
        case "changed":
            copy.write_bytes(data[:-2] + b"#\n")
        case "shorter":
            copy.write_bytes(data[:-9])
        case "second name":
            os.link(copy, tmp_path / "second")
        case _:
            copy.unlink()
            if how == "link":
                (tmp_path / "elsewhere").write_bytes(data)
                copy.symlink_to(tmp_path / "elsewhere")
            elif how == "folder":
                copy.mkdir()
    before = sessions.files(with_own=True)
    found = planned(sessions, row.id)
    assert isinstance(found, NotRestored), found
    for locale in LOCALES:
        assert not_restored_text(found.why, found.path, locale)
    assert sessions.files(with_own=True) == before


@pytest.mark.parametrize("kind", FORMATS)
def test_what_is_not_there(kind: str, tmp_path: Path) -> None:
    sessions = compacted(tmp_path, kind)
    (row,) = rows(sessions)
    for identifier in ("", "nobody", "../../etc/passwd"):
        found = planned(sessions, identifier)
        assert isinstance(found, NotRestored)
        assert found.why == "checkpoint-not-found"
        assert not_restored_text(found.why, found.path, "en")
    assert isinstance(planned(sessions, row.id[:6]), PlannedRestore)


def test_only_a_store_has_branches(tmp_path: Path) -> None:
    sessions = compacted(tmp_path, "port")
    found = planned(sessions, rows(sessions)[0].id, as_branch=True)
    assert isinstance(found, NotRestored)
    assert found.why == "no-store"
    assert not_restored_text(found.why, found.path, "en")


def test_a_branch_stands_beside_the_session(tmp_path: Path) -> None:
    sessions = compacted(tmp_path, "openclaw")
    entry = sessions.entry()
    found = planned(sessions, rows(sessions)[0].id, as_branch=True)
    assert isinstance(found, PlannedRestore)
    assert found.key is not None and found.key.startswith("agent:main:dashboard:")
    apply_restore(sessions.setup.fs, found, caller())
    store = json.loads(sessions.store.read_bytes())
    assert store[KEY] == entry
    assert store[found.key]["sessionId"] == found.new_session_id


@pytest.mark.parametrize("why", ["running", "locked"])
def test_a_session_in_use_is_not_exchanged(why: str, tmp_path: Path) -> None:
    sessions = compacted(tmp_path, "openclaw")
    if why == "running":
        store = json.loads(sessions.store.read_bytes())
        store[KEY]["status"] = "running"
        sessions.store.write_text(json.dumps(store))
    else:
        sessions.path.with_name(sessions.path.name + ".lock").write_text(json.dumps({"pid": os.getpid()}))
    found = planned(sessions, rows(sessions)[0].id)
    assert isinstance(found, NotRestored)
    assert found.why == "running"
    assert not_restored_text(found.why, found.path, "zh-tw")


@pytest.mark.parametrize("kind", ["claw-jsonl", "claw-json"])
def test_the_effects_are_the_real_difference(kind: str, tmp_path: Path) -> None:
    sessions = compacted(tmp_path, kind)
    found = planned(sessions, rows(sessions)[0].id)
    assert isinstance(found, PlannedRestore)
    assert (found.effect.removed, found.effect.added) == (1, 10)
    apply_restore(sessions.setup.fs, found, caller())
    same = planned(sessions, rows(sessions)[-1].id)
    assert isinstance(same, NotRestored)
    assert same.why == "same"


def test_a_checkpoint_of_openclaw_itself_is_listed_and_comes_back(tmp_path: Path) -> None:
    sessions = Sessions(tmp_path.resolve(), "openclaw", long_data("openclaw"))
    copy = sessions.path.with_name("s-1.checkpoint.0c0c.jsonl")
    copy.write_bytes(long_data("openclaw", 4))
    store = json.loads(sessions.store.read_bytes())
    record = {
        "checkpointId": "c1",
        "sessionId": "s-1",
        "createdAt": 9,
        "preCompaction": {"sessionFile": copy.name},
    }
    store[KEY]["compactionCheckpoints"] = [record]
    sessions.store.write_text(json.dumps(store))
    (row,) = rows(sessions)
    assert (row.id, row.messages, row.size, row.state) == ("c1", 4, copy.stat().st_size, "there")
    found = planned(sessions, "c1")
    assert isinstance(found, PlannedRestore)
    apply_restore(sessions.setup.fs, found, caller())
    assert copy.exists()
    assert sessions.entry()["sessionId"] == found.new_session_id
