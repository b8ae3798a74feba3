"""An old transcript is brought to the current version as planned, a checkpoint first, and back again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agentbrief.compaction.plan import NotPlanned
from agentbrief.disk.refusal import Conflict
from agentbrief.sessions.pi.read import read_transcript
from agentbrief.sessions.pi.tree import PiTranscript
from agentbrief.tasks.change_undo import undo_change
from agentbrief.tasks.compaction.asked import CompactionAsked
from agentbrief.tasks.compaction.checkpoint_list import session_checkpoints
from agentbrief.tasks.sessions.migrate import PlannedMigration, apply_migration, plan_migration
from tests.tasks.compactions import Sessions, caller, long_data, means

OLD = b"""{"type": "session", "id": "s-1", "timestamp": "2026-01-01T00:00:00.000Z", "cwd": "/w"}\r
{"type":"message","timestamp":"2026-01-01T00:00:01.000Z","message":{"role":"user","content":"one"},"big":123456789012345678901}
{broken
{"type":"message","timestamp":"2026-01-01T00:00:02.000Z","message":{"role":"hookMessage","content":"two"}}
{"type":"message","timestamp":"2026-01-01T00:00:03.000Z","message":{"role":"user","content":"three"}}"""


def planned(sessions: Sessions) -> PlannedMigration:
    found = plan_migration(sessions.setup, sessions.file, means().new_uuid)
    assert isinstance(found, PlannedMigration)
    return found


@pytest.mark.parametrize("kind", ["pi", "openclaw", "openclaw-bare"])
def test_planned_done_kept_and_undone(kind: str, tmp_path: Path) -> None:
    sessions = Sessions(tmp_path.resolve(), kind, OLD)
    before = sessions.files(with_own=True)
    found = planned(sessions)
    assert sessions.files(with_own=True) == before
    assert found.version == 1
    receipt = apply_migration(sessions.setup.fs, found, caller())
    data = sessions.path.read_bytes()
    assert data == found.data_after
    assert data.split(b"\n")[2] == b"{broken"
    assert b'"big":123456789012345678901' in data
    old, new = read_transcript(OLD), read_transcript(data)
    assert isinstance(old, PiTranscript) and isinstance(new, PiTranscript)
    assert new.version == 3
    assert [entry.id for entry in new.tree.entries] == [entry.id for entry in old.tree.entries]
    row = session_checkpoints(sessions.setup, sessions.file).rows[0]
    assert row.id == found.checkpoint
    assert planned(sessions).steps == ()
    undo_change(sessions.setup.fs, receipt, found.where, caller())
    assert sessions.path.read_bytes() == OLD


def test_it_can_be_compacted_afterwards(tmp_path: Path) -> None:
    words = {"role": "user", "content": "word " * 300}
    lines = [{"type": "message", "timestamp": "2026-01-01T00:00:04.000Z", "message": words}] * 8
    data = b"\n".join((OLD, *(json.dumps(line).encode() for line in lines), b""))
    sessions = Sessions(tmp_path.resolve(), "pi", data)
    small = CompactionAsked(max_tokens=40)
    refused = sessions.plan(small).outcome.trouble
    assert isinstance(refused, NotPlanned) and refused.detail == "old-version"
    apply_migration(sessions.setup.fs, planned(sessions), caller())
    assert sessions.plan(small).changes


def test_what_changed_since_the_plan_is_not_written_over(tmp_path: Path) -> None:
    sessions = Sessions(tmp_path.resolve(), "pi", OLD)
    found = planned(sessions)
    sessions.path.write_bytes(OLD + b"\n")
    with pytest.raises(Conflict):
        apply_migration(sessions.setup.fs, found, caller())
    assert sessions.path.read_bytes() == OLD + b"\n"


def test_nothing_is_done_where_nothing_is_old_or_the_agent_is_at_work(tmp_path: Path) -> None:
    sessions = Sessions(tmp_path.resolve(), "openclaw", long_data("openclaw"))
    found = planned(sessions)
    assert (found.version, found.steps) == (3, ())
    with pytest.raises(ValueError, match="s-1"):
        apply_migration(sessions.setup.fs, found, caller())
    sessions.path.write_bytes(OLD)
    database = sessions.path.parents[1] / "agent" / "openclaw-agent.sqlite"
    database.parent.mkdir()
    database.write_bytes(b"SQLite format 3\0")
    refused = plan_migration(sessions.setup, sessions.file, means().new_uuid)
    assert isinstance(refused, NotPlanned) and refused.trouble == "in-place-refused"
    assert sessions.path.read_bytes() == OLD


def test_only_trees_have_versions(tmp_path: Path) -> None:
    sessions = Sessions(tmp_path.resolve(), "claw-jsonl", long_data("claw-jsonl"))
    with pytest.raises(ValueError, match="claw"):
        plan_migration(sessions.setup, sessions.file, means().new_uuid)
