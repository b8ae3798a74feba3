"""A compaction is done as it was previewed, undone to the byte, refused when the session has changed."""

from __future__ import annotations

import itertools
import json
import uuid
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agentbrief.changes.steps import CopyVerified
from agentbrief.disk.refusal import Conflict, Refused
from agentbrief.jsonio import dumps
from agentbrief.report.compaction_record import compaction_record
from agentbrief.sessions.formats.claw_reading import load
from agentbrief.sessions.formats.claw_session import Loaded
from agentbrief.sessions.pi.read import read_transcript
from agentbrief.sessions.pi.tree import PiTranscript
from agentbrief.tasks.change_undo import undo_change
from agentbrief.tasks.compaction.apply import apply_compaction
from agentbrief.tasks.compaction.asked import CompactionAsked
from agentbrief.tasks.compaction.checkpoint_list import session_checkpoints
from agentbrief.tasks.compaction.checkpoint_restore import (
    PlannedRestore,
    apply_restore,
    plan_checkpoint_restore,
)
from agentbrief.tasks.compaction.plan import PlannedCompaction, without_notes
from agentbrief.tasks.compaction.shown import compaction_view, seen_messages
from tests.compaction.pi.random_sessions import EXAMPLES, TRANSCRIPTS
from tests.compaction.pi.test_carried_out import entry_lines
from tests.disk.faults import scratch
from tests.tasks.compactions import (
    FORMATS,
    NOW_MS,
    OWN,
    TREES,
    Sessions,
    caller,
    long_data,
    means,
    random_data,
)

SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large]
QUIET = settings(max_examples=EXAMPLES, suppress_health_check=SLOW)
SMALL = CompactionAsked(preserve=2, max_tokens=0)
KEEPING = {
    "keep": CompactionAsked(max_tokens=40),
    "replace": CompactionAsked(max_tokens=40, replace_transcript=True),
}


def new_uuid() -> str:
    return str(uuid.uuid4())


def in_order(planned: PlannedCompaction) -> list[Any]:
    assert planned.plan is not None
    return sorted(planned.plan.steps, key=lambda step: not isinstance(step, CopyVerified))


def as_printed(sessions: Sessions, planned: PlannedCompaction, applied: bool = False) -> bytes:
    return dumps(compaction_record(compaction_view(sessions.setup, planned, means()), applied))


def previewed_done_undone(sessions: Sessions, asked: CompactionAsked) -> None:
    """The whole way: a look changes nothing, two looks agree, what was seen is done, undo and restore."""
    original = sessions.path.read_bytes()
    before = sessions.files(with_own=True)
    planned = sessions.plan(asked)
    assert sessions.files(with_own=True) == before
    if not planned.changes:
        assert planned.plan is None or planned.plan.steps == ()
        return
    plan = planned.plan
    assert plan is not None
    assert planned.data == original
    receipt = apply_compaction(sessions.setup.fs, planned, caller())
    assert [each.step for each in receipt.done] == in_order(planned)
    assert receipt.left_out == ()
    assert sessions.path.read_bytes() == planned.data_after
    assert len(planned.data_after) == plan.bytes_after
    assert plan.checkpoint is not None
    assert Path(plan.checkpoint).read_bytes() == original
    undo_change(sessions.setup.fs, receipt, planned.where, caller())
    undone = sessions.files()
    assert undone == {path: data for path, data in before.items() if ".agentbrief" not in path}


@pytest.mark.parametrize("kind", OWN)
@QUIET
@given(seed=st.integers(0, 2**32))
def test_what_was_previewed_is_done_and_undone_to_the_byte(kind: str, seed: int) -> None:
    with scratch() as root:
        previewed_done_undone(Sessions(root, kind, random_data(kind, seed)), SMALL)


@pytest.mark.parametrize("kind", TREES)
@pytest.mark.parametrize("way", KEEPING)
@QUIET
@given(data=TRANSCRIPTS)
def test_what_was_previewed_of_a_tree_is_done_and_undone(kind: str, way: str, data: bytes) -> None:
    with scratch() as root:
        previewed_done_undone(Sessions(root, kind, data), KEEPING[way])


@pytest.mark.parametrize("kind", OWN)
@QUIET
@given(seed=st.integers(0, 2**32))
def test_a_restore_gives_the_original_bytes(kind: str, seed: int) -> None:
    with scratch() as root:
        sessions = Sessions(root, kind, random_data(kind, seed))
        original = sessions.path.read_bytes()
        planned = sessions.plan(SMALL)
        if not planned.changes:
            return
        apply_compaction(sessions.setup.fs, planned, caller())
        compacted = sessions.path.read_bytes()
        for wanted in (original, compacted, original):
            restored_to(sessions, wanted)


def restored_to(sessions: Sessions, wanted: bytes) -> None:
    """Twice is identity: the state that the restore replaced is the newest checkpoint."""
    found = session_checkpoints(sessions.setup, sessions.file)
    plan = plan_checkpoint_restore(
        sessions.setup.fs, found, found.rows[0].id, NOW_MS + len(found.rows), means().new_uuid
    )
    assert isinstance(plan, PlannedRestore), plan
    present = sessions.path.read_bytes()
    apply_restore(sessions.setup.fs, plan, caller())
    assert sessions.path.read_bytes() == plan.data_after == wanted
    assert plan.kept is not None
    assert Path(plan.kept).read_bytes() == present


@pytest.mark.parametrize("kind", TREES)
@QUIET
@given(data=TRANSCRIPTS)
def test_a_tree_comes_back_with_the_same_entry_lines(kind: str, data: bytes) -> None:
    with scratch() as root:
        sessions = Sessions(root, kind, data)
        planned = sessions.plan(KEEPING["replace"])
        if not planned.changes:
            return
        apply_compaction(sessions.setup.fs, planned, caller())
        compacted = sessions.path.read_bytes()
        found = session_checkpoints(sessions.setup, sessions.file)
        plan = plan_checkpoint_restore(
            sessions.setup.fs, found, found.rows[0].id, NOW_MS + 1, means().new_uuid
        )
        assert isinstance(plan, PlannedRestore), plan
        receipt = apply_restore(sessions.setup.fs, plan, caller())
        made = Path(plan.path).read_bytes()
        assert made == plan.data_after
        assert entry_lines(made) == entry_lines(data)
        new = read_transcript(made)
        assert isinstance(new, PiTranscript)
        assert new.session_id == plan.new_session_id
        assert sessions.path.read_bytes() == compacted
        if kind == "openclaw":
            assert sessions.entry()["sessionId"] == plan.new_session_id
            assert sessions.entry()["compactionCount"] == 3
        undo_change(sessions.setup.fs, receipt, plan.where, caller())
        assert not Path(plan.path).exists()


@pytest.mark.parametrize("kind", FORMATS)
def test_two_plans_print_the_same_and_so_does_the_deed(kind: str, tmp_path: Path) -> None:
    sessions = Sessions(tmp_path.resolve(), kind, long_data(kind))
    asked = KEEPING["keep"] if kind in TREES else SMALL
    first, second = (json.loads(as_printed(sessions, sessions.plan(asked))) for _ in range(2))
    for record in (first, second):
        record["checkpoint"] = Path(record["checkpoint"]).parent.name
        for step in record["steps"]:
            step["path"] = (
                step["path"].replace(Path(step["path"]).stem, "x")
                if ".agentbrief" in step["path"]
                else step["path"]
            )
    assert first == second
    planned = sessions.plan(asked)
    shown = json.loads(as_printed(sessions, planned))
    apply_compaction(sessions.setup.fs, planned, caller())
    done = json.loads(as_printed(sessions, planned, applied=True))
    assert done.pop("applied") and not shown.pop("applied")
    assert done == shown


@pytest.mark.parametrize("kind", FORMATS)
def test_a_session_that_changed_since_the_plan_is_refused(kind: str, tmp_path: Path) -> None:
    sessions = Sessions(tmp_path.resolve(), kind, long_data(kind))
    planned = sessions.plan(KEEPING["keep"] if kind in TREES else SMALL)
    assert planned.changes
    with open(sessions.path, "ab") as file:
        file.write(b"\n")
    before = sessions.files()
    with pytest.raises(Conflict):
        apply_compaction(sessions.setup.fs, planned, caller())
    assert sessions.files() == before


def test_an_entry_that_changed_since_the_plan_is_refused_whole(tmp_path: Path) -> None:
    sessions = Sessions(tmp_path.resolve(), "openclaw", long_data("openclaw"))
    planned = sessions.plan(KEEPING["keep"])
    sessions.store.write_bytes(sessions.store.read_bytes().replace(b'"updatedAt": 5', b'"updatedAt": 6'))
    before = sessions.files()
    with pytest.raises(Conflict):
        apply_compaction(sessions.setup.fs, planned, caller())
    assert sessions.files() == before


@pytest.mark.parametrize("kind", FORMATS)
def test_an_undo_is_refused_when_the_session_went_on(kind: str, tmp_path: Path) -> None:
    sessions = Sessions(tmp_path.resolve(), kind, long_data(kind))
    planned = sessions.plan(KEEPING["keep"] if kind in TREES else SMALL)
    receipt = apply_compaction(sessions.setup.fs, planned, caller())
    with open(sessions.path, "ab") as file:
        file.write(b"\n")
    before = sessions.files()
    with pytest.raises(Conflict):
        undo_change(sessions.setup.fs, receipt, planned.where, caller())
    assert sessions.files() == before
    assert len(session_checkpoints(sessions.setup, sessions.file).rows) == 1


@pytest.mark.parametrize("kind", FORMATS)
def test_what_stays_is_what_the_agent_is_sent_behind_the_summary(kind: str, tmp_path: Path) -> None:
    sessions = Sessions(tmp_path.resolve(), kind, long_data(kind))
    planned = sessions.plan(KEEPING["keep"] if kind in TREES else SMALL)
    view = compaction_view(sessions.setup, planned, means())
    before = seen_messages(planned.file, planned.data)
    after = seen_messages(planned.file, planned.data_after)
    assert planned.plan is not None
    assert len(after) == len(planned.plan.kept) + 1
    assert [each.text for each in view.kept] == [each.text for each in before][-len(view.kept) :]
    assert len(view.kept) == len(planned.plan.kept) > 0


@pytest.mark.parametrize("kind", ["claw-jsonl", "claw-json"])
def test_a_second_compaction_takes_the_first_in(kind: str, tmp_path: Path) -> None:
    sessions = Sessions(tmp_path.resolve(), kind, long_data(kind, 20))
    for number in (1, 2):
        planned = sessions.plan(CompactionAsked(preserve=6 - 2 * number, max_tokens=0))
        apply_compaction(sessions.setup.fs, planned, caller())
        found = load(sessions.path.read_bytes(), sessions.path.name, 0)
        assert isinstance(found, Loaded)
        assert found.session.compaction is not None
        assert found.session.compaction.count == number
    assert "Scope: 18 earlier messages" in (planned.plan.summary if planned.plan else "")
    rows = session_checkpoints(sessions.setup, sessions.file).rows
    assert [row.messages for row in rows] == [5, 20]


def test_checkpoints_beyond_the_limit_go_to_the_trash(tmp_path: Path) -> None:
    sessions = Sessions(tmp_path.resolve(), "claw-jsonl", long_data("claw-jsonl"))
    data = sessions.path.read_bytes()
    for number in range(27):
        sessions.path.write_bytes(data + b"\n" * number)
        moment = NOW_MS + number
        planned = sessions.plan(SMALL, means(now=itertools.repeat(moment).__next__))
        apply_compaction(sessions.setup.fs, planned, caller())
        assert planned.dropped == int(number >= 25)
    rows = session_checkpoints(sessions.setup, sessions.file).rows
    assert len(rows) == 25
    assert {row.state for row in rows} == {"there"}


def test_a_lock_that_lives_refuses_a_compaction(tmp_path: Path) -> None:
    sessions = Sessions(tmp_path.resolve(), "openclaw", long_data("openclaw"))
    planned = sessions.plan(KEEPING["keep"])
    lock = sessions.path.with_name(sessions.path.name + ".lock")
    lock.write_text(json.dumps({"pid": 1, "createdAt": "2026-01-01T00:00:00.000Z"}))
    before = sessions.files()
    again = sessions.plan(KEEPING["keep"])
    assert again.outcome.trouble is not None
    assert (again.outcome.trouble.trouble, again.outcome.trouble.detail) == ("in-place-refused", "locked")
    clock = iter(range(10**6))
    waiting = type(caller())(1, lambda: next(clock) * 10**9, lambda seconds: None)
    with pytest.raises(Refused):
        apply_compaction(sessions.setup.fs, planned, waiting)
    assert sessions.files() == before


@pytest.mark.parametrize("kind", FORMATS)
def test_a_copy_leaves_the_session_alone(kind: str, tmp_path: Path) -> None:
    sessions = Sessions(tmp_path.resolve(), kind, long_data(kind))
    locks = tmp_path / "locks"
    locks.mkdir()
    output = str(tmp_path.resolve() / "work" / f"copy{sessions.path.suffix}")
    before = sessions.files(with_own=True)
    planned = sessions.plan(CompactionAsked(preserve=2, max_tokens=0 if kind in OWN else 40, output=output))
    assert planned.plan is not None
    assert planned.plan.checkpoint is None
    apply_compaction(sessions.setup.fs, planned, caller(), str(locks.resolve()))
    after = sessions.files(with_own=True)
    assert {path for path in after if path not in before and "locks/" not in path} == {
        f"work/{Path(output).name}"
    }
    assert {path: after[path] for path in before} == before
    assert Path(output).read_bytes() == planned.data_after
    with pytest.raises(Refused):
        apply_compaction(sessions.setup.fs, planned, caller(), str(locks.resolve()))


def test_nothing_to_carry_out_is_the_callers_mistake(tmp_path: Path) -> None:
    sessions = Sessions(tmp_path.resolve(), "port", long_data("port", 2))
    planned = sessions.plan(CompactionAsked())
    assert (planned.outcome.ended, planned.changes) == ("unchanged", False)
    assert without_notes(planned) == planned
    with pytest.raises(ValueError, match="unchanged"):
        apply_compaction(sessions.setup.fs, planned, caller())
