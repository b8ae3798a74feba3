"""Checkpoints: listed, kept to 25 a session, brought back only if they are what was kept."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from agentbrief.changes.apply import Site, apply, undo
from agentbrief.changes.steps import MoveToTrash, ReplaceFile
from agentbrief.checkpoints.capture import KEPT_CHECKPOINTS, Moment, capture
from agentbrief.checkpoints.checkpoint import Checkpoint, checkpoint_of, record_of
from agentbrief.checkpoints.difference import Difference, difference
from agentbrief.checkpoints.listing import Checkpoints, checkpoints_in
from agentbrief.checkpoints.restore import NoRestore, RestorePlan
from agentbrief.disk.refusal import Conflict, Refused
from agentbrief.disk.seam import FS
from agentbrief.sessions.formats.claw_reading import load
from agentbrief.sessions.formats.claw_session import Loaded
from agentbrief.sessions.model import Message, Text
from tests.compaction.store import compacted, read, restored, roots_of
from tests.disk.faults import caller
from tests.sessions.claw.strategies import META

CHECKPOINT = Checkpoint("k1", "s", "compaction", 5, "k1.jsonl", 9, "0" * 64, 3, 12, "s.jsonl")
INDEX = ".agentbrief/checkpoints/index.jsonl"


def session(count: int, start: int = 0) -> bytes:
    line = '{"type":"message","message":{"role":"user","blocks":[{"type":"text","text":"m%d"}]}}'
    return "\n".join((META, *(line % number for number in range(start, start + count)), "")).encode()


def known(folder: Path) -> Checkpoints:
    return checkpoints_in(FS(), str(folder), roots_of(FS(), str(folder)))


def keep(folder: Path, name: str, identifier: str, now_ms: int = 5, session_id: str = "s") -> None:
    """Make a checkpoint because somebody asked for one."""
    fs, path = FS(), str(folder / name)
    moment = Moment(identifier, "asked", now_ms, 1, 2)
    found = capture(known(folder), path, read(fs, path).stamp, session_id, moment)
    apply(Site(fs, str(folder), caller()), (*found.steps, *found.later))


def copies(folder: Path) -> list[str]:
    found = (folder / ".agentbrief/checkpoints").iterdir()
    return sorted(path.name for path in found if path.name != "index.jsonl")


def test_a_record_is_read_as_it_was_written() -> None:
    assert checkpoint_of(record_of(CHECKPOINT)) == CHECKPOINT
    assert json.loads(record_of(CHECKPOINT)).keys() == {
        "id", "session_id", "reason", "created_ms", "path", "size", "sha256", "messages", "tokens", "source",
    }  # fmt: skip


@pytest.mark.parametrize(
    "change",
    [
        {"path": "../k1.jsonl"},
        {"path": "a/b.jsonl"},
        {"path": "..\\k1.jsonl"},
        {"path": "C:k1.jsonl"},
        {"path": "nul"},
        {"path": ""},
        {"path": "k\n.jsonl"},
        {"size": -1},
        {"size": True},
        {"size": "9"},
        {"reason": "whim"},
        {"sha256": None},
    ],
    ids=str,
)
def test_a_record_that_cannot_be_trusted_is_none(change: dict[str, object]) -> None:
    value = json.loads(record_of(CHECKPOINT)) | change
    assert checkpoint_of(json.dumps(value).encode()) is None


def test_lines_that_are_no_record_are_passed_over() -> None:
    assert checkpoint_of(b"[]") is checkpoint_of(b"{") is checkpoint_of(b"\xff") is None


def test_the_newest_checkpoint_of_a_session_comes_first(tmp_path: Path) -> None:
    (tmp_path / "s.jsonl").write_bytes(session(3))
    for number in range(3):
        keep(tmp_path, "s.jsonl", f"k{number}", number // 2)
    keep(tmp_path, "s.jsonl", "other", 9, "t")
    assert [item.checkpoint.id for item in known(tmp_path).of("s")] == ["k2", "k1", "k0"]
    assert [item.checkpoint.id for item in known(tmp_path).of("t")] == ["other"]
    found = known(tmp_path).by_id("k1")
    assert found is not None and found.state == "there"
    assert found.checkpoint.sha256 == read(FS(), found.path).stamp.sha256
    assert known(tmp_path).by_id("../k1") is None


def test_a_store_without_checkpoints_has_none(tmp_path: Path) -> None:
    assert known(tmp_path) == Checkpoints(str(tmp_path))
    (tmp_path / ".agentbrief/checkpoints").mkdir(parents=True)
    (tmp_path / INDEX).mkdir()
    with pytest.raises(Refused):
        known(tmp_path)


def test_at_most_25_stay_and_the_oldest_go_with_their_copies(tmp_path: Path) -> None:
    (tmp_path / "s.jsonl").write_bytes(session(3))
    keep(tmp_path, "s.jsonl", "other", 0, "t")
    with (tmp_path / INDEX).open("ab") as file:
        file.write(b"not a record\n")
    for number in range(KEPT_CHECKPOINTS + 3):
        keep(tmp_path, "s.jsonl", f"k{number}", number)
    kept = [f"k{number}" for number in range(3, KEPT_CHECKPOINTS + 3)]
    assert [item.checkpoint.id for item in known(tmp_path).of("s")] == kept[::-1]
    assert copies(tmp_path) == sorted(f"{name}.jsonl" for name in (*kept, "other"))
    lines = (tmp_path / INDEX).read_bytes().split(b"\n")
    assert lines[1] == b"not a record" and len(lines) == KEPT_CHECKPOINTS + 3
    trashed = sorted(path.name for path in (tmp_path / ".agentbrief/trash").rglob("k*.jsonl"))
    assert trashed == ["k0.jsonl", "k1.jsonl", "k2.jsonl"]


def test_a_copy_that_is_a_link_or_gone_is_left_alone_when_its_record_goes(tmp_path: Path) -> None:
    (tmp_path / "s.jsonl").write_bytes(session(3))
    for number in range(3):
        keep(tmp_path, "s.jsonl", f"k{number}", number)
    folder = tmp_path / ".agentbrief/checkpoints"
    (folder / "k0.jsonl").unlink()
    (folder / "k0.jsonl").symlink_to(tmp_path / "s.jsonl")
    (folder / "k1.jsonl").unlink()
    found = capture(
        known(tmp_path), str(tmp_path / "s.jsonl"), read(FS(), str(tmp_path / "s.jsonl")).stamp, "s",
        Moment("new", "asked", 9, 1, 2), keep=1,
    )  # fmt: skip
    assert [checkpoint.id for checkpoint in found.dropped] == ["k2", "k1", "k0"]
    assert [step.path for step in found.later if isinstance(step, MoveToTrash)] == [str(folder / "k2.jsonl")]


def test_what_cannot_be_kept(tmp_path: Path) -> None:
    (tmp_path / "s.jsonl").write_bytes(session(3))
    stamp = read(FS(), str(tmp_path / "s.jsonl")).stamp
    for moment, keep_count in ((Moment("../x", "asked", 1, 1, 1), 25), (Moment("x", "asked", 1, 1, 1), 0)):
        with pytest.raises(ValueError, match="checkpoint"):
            capture(known(tmp_path), str(tmp_path / "s.jsonl"), stamp, "s", moment, keep_count)


def compact_once(folder: Path, identifier: str) -> bytes:
    path = folder / "s.jsonl"
    _, receipt = compacted(FS(), str(path), caller(), identifier)
    assert receipt is not None
    return path.read_bytes()


def bring_back(folder: Path, identifier: str, new_id: str) -> RestorePlan | NoRestore:
    item = known(folder).by_id(identifier)
    assert item is not None
    return restored(FS(), str(folder / "s.jsonl"), caller(), new_id, item)[0]


def test_restoring_twice_is_the_identity(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(session(8))
    after = compact_once(tmp_path, "k1")
    assert isinstance(bring_back(tmp_path, "k1", "r1"), RestorePlan)
    assert path.read_bytes() == session(8)
    assert isinstance(bring_back(tmp_path, "r1", "r2"), RestorePlan)
    assert path.read_bytes() == after
    reasons = {item.checkpoint.id: item.checkpoint.reason for item in known(tmp_path).items}
    assert reasons == {"k1": "compaction", "r1": "restore", "r2": "restore"}


@pytest.mark.parametrize("number", range(10))
def test_r9_a_restore_over_a_changed_transcript_keeps_both(tmp_path: Path, number: int) -> None:
    """R9 The present state is checkpointed first; both can be brought back."""
    path = tmp_path / "s.jsonl"
    path.write_bytes(session(6 + number))
    compact_once(tmp_path, "k1")
    changes = (
        b'{"type":"prompt_history","timestamp_ms":1,"text":"x"}\n',
        session(2).split(b"\n", 1)[1],
        b"torn {",
    )
    with path.open("ab") as file:
        file.write(changes[number % 3] * (1 + number % 2))
    changed = path.read_bytes()
    plan = bring_back(tmp_path, "k1", "r1")
    assert isinstance(plan, RestorePlan) and path.read_bytes() == session(6 + number)
    assert isinstance(bring_back(tmp_path, "r1", "r2"), RestorePlan) and path.read_bytes() == changed
    assert isinstance(bring_back(tmp_path, "k1", "r3"), RestorePlan)
    assert path.read_bytes() == session(6 + number)


def test_a_restore_can_be_undone_until_the_file_changes(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(session(8))
    after = compact_once(tmp_path, "k1")
    item = known(tmp_path).by_id("k1")
    assert item is not None
    _, receipt = restored(FS(), str(path), caller(), "r1", item)
    assert receipt is not None
    undo(Site(FS(), str(tmp_path), caller()), receipt)
    assert path.read_bytes() == after
    _, receipt = restored(FS(), str(path), caller(), "r2", item)
    with path.open("ab") as file:
        file.write(b"\n")
    assert receipt is not None
    with pytest.raises(Conflict):
        undo(Site(FS(), str(tmp_path), caller()), receipt)


def test_a_file_that_is_gone_comes_back_and_one_that_is_the_same_stays(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(session(8))
    keep(tmp_path, "s.jsonl", "k1")
    assert bring_back(tmp_path, "k1", "r1") == NoRestore(
        "same", str(tmp_path / ".agentbrief/checkpoints/k1.jsonl")
    )
    path.unlink()
    plan = bring_back(tmp_path, "k1", "r1")
    assert isinstance(plan, RestorePlan) and plan.kept is None and path.read_bytes() == session(8)
    assert plan.steps == (ReplaceFile(str(path), session(8), None),)


def damaged(folder: Path, how: str) -> None:
    copy = folder / ".agentbrief/checkpoints/k1.jsonl"
    data = copy.read_bytes()
    if how == "link":
        copy.rename(folder / "elsewhere")
        copy.symlink_to(folder / "elsewhere")
    elif how == "several-names":
        os.link(copy, folder / "second")
    elif how == "missing":
        copy.unlink()
    elif how == "size-differs":
        copy.write_bytes(data[:-1])
    elif how == "copy-differs":
        copy.write_bytes(b"#" + data[1:])
    elif how == "not-a-file":
        copy.unlink()
        copy.mkdir()


@pytest.mark.parametrize(
    "how", ["link", "several-names", "missing", "size-differs", "copy-differs", "not-a-file"]
)
def test_a_copy_that_is_not_what_was_kept_is_not_restored(tmp_path: Path, how: str) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(session(8))
    after = compact_once(tmp_path, "k1")
    damaged(tmp_path, how)
    found = bring_back(tmp_path, "k1", "r1")
    assert isinstance(found, NoRestore) and found.why == how
    assert path.read_bytes() == after


def test_the_difference_that_is_told_is_the_real_one(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(session(30))
    after = compact_once(tmp_path, "k1")

    def messages(data: bytes) -> tuple[Message, ...]:
        found = load(data, "s.jsonl", 0)
        assert isinstance(found, Loaded)
        return found.session.messages

    assert difference(messages(after), messages(session(30))) == Difference(removed=1, added=28)
    assert difference(messages(session(30)), messages(after)) == Difference(removed=28, added=1)
    assert difference(messages(after), messages(after)) == Difference(0, 0)


def test_messages_that_are_there_twice_count_twice() -> None:
    hello, bye = Message("user", (Text("hello"),)), Message("user", (Text("bye"),))
    assert difference((hello, hello, bye), (bye, hello)) == Difference(removed=1, added=0)
    assert difference((), (hello, hello)) == Difference(removed=0, added=2)
