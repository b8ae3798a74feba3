"""A plan happens as it was previewed, or not at all; a receipt takes it back while nothing else changed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from agentbrief.changes.apply import Site, apply, undo
from agentbrief.changes.openclaw_lock import OPENCLAW_LOCK
from agentbrief.changes.places import checkpoint_index, checkpoints_folder
from agentbrief.changes.steps import (
    AppendRecord,
    CopyVerified,
    EditStore,
    EntryEdit,
    MoveToTrash,
    RenameFile,
    ReplaceFile,
    Step,
)
from agentbrief.disk.folder import stamp_of
from agentbrief.disk.read import FileBytes, read_bytes, real_roots
from agentbrief.disk.refusal import Conflict, Refused
from agentbrief.disk.seam import FS, Folder
from agentbrief.disk.values import Stamp
from tests.changes.operations import COMPACTED, TRANSCRIPT
from tests.disk.checks import Damaging, with_a_damaged_copy
from tests.disk.faults import caller, planted, scratch, tree
from tests.disk.operations import across_devices
from tests.disk.test_harness import BY_NAME


def site(folder: Path, fs: FS | None = None) -> Site:
    return Site(fs or FS(), str(folder), caller())


def there(path: Path) -> Stamp:
    found = stamp_of(FS(), str(path))
    assert found is not None
    return found


def hashed_stamp(path: Path) -> Stamp:
    found = read_bytes(FS(), str(path), real_roots(FS(), (str(path.parent),)), 1 << 20)
    assert isinstance(found, FileBytes)
    return found.stamp


def lay_out(folder: Path) -> None:
    (folder / "s.jsonl").write_bytes(TRANSCRIPT)
    (folder / "t.jsonl").write_bytes(b"t\n")
    (folder / "sessions.json").write_bytes(b'{"a": 1, "b": 2}\n')


def plan(folder: Path) -> list[Step]:
    s, t, store = folder / "s.jsonl", folder / "t.jsonl", folder / "sessions.json"
    return [
        ReplaceFile(str(s), COMPACTED, hashed_stamp(s)),
        AppendRecord(checkpoint_index(str(folder)), b'{"id":"1"}'),
        AppendRecord(str(store.with_name("log.jsonl")), b'{"n":1}'),
        AppendRecord(str(store.with_name("log.jsonl")), b'{"n":2}'),
        EditStore(str(store), (EntryEdit("a", b"1", b"10"), EntryEdit("b", b"2", None)), there(store)),
        MoveToTrash(str(t), there(t)),
        ReplaceFile(str(folder / "new.json"), b"{}\n", None),
        CopyVerified(str(s), checkpoints_folder(str(folder)) + "/1.jsonl", there(s)),
    ]


AFTER = {
    "s.jsonl": COMPACTED,
    "sessions.json": b'{"a": 10}\n',
    "log.jsonl": b'{"n":1}\n{"n":2}\n',
    "new.json": b"{}\n",
    ".agentbrief/checkpoints/1.jsonl": TRANSCRIPT,
    ".agentbrief/checkpoints/index.jsonl": b'{"id":"1"}\n',
    ".agentbrief/trash/2026-11-30/t.jsonl": b"t\n",
}


def files(folder: Path) -> dict[str, bytes]:
    return {
        path: data
        for path, data in tree(folder).items()
        if data is not None and not path.endswith("manifest.jsonl")
    }


def own(path: str) -> bool:
    return path.startswith(".agentbrief")


def test_a_whole_plan_is_carried_out_copies_first() -> None:
    with scratch() as folder:
        lay_out(folder)
        steps = plan(folder)
        receipt = apply(site(folder), steps)
        assert files(folder) == AFTER
        assert isinstance(receipt.done[0].step, CopyVerified)
        assert [done.step for done in receipt.done[1:]] == steps[:-1]
        assert receipt.left_out == ()
        assert receipt.store == str(folder)


def test_a_receipt_takes_back_all_but_our_own_records() -> None:
    with scratch() as folder:
        lay_out(folder)
        before = files(folder)
        receipt = apply(site(folder), plan(folder))
        undone = undo(site(folder), receipt)
        found = files(folder)
        assert {path: data for path, data in found.items() if not own(path)} == before
        assert found[".agentbrief/checkpoints/1.jsonl"] == TRANSCRIPT
        assert len(undone.done) == len(receipt.undo)


@pytest.mark.parametrize("name", ["s.jsonl", "sessions.json", "log.jsonl", "new.json"])
def test_a_file_that_changed_since_is_not_taken_back(name: str) -> None:
    with scratch() as folder:
        lay_out(folder)
        receipt = apply(site(folder), plan(folder))
        with (folder / name).open("ab") as file:
            file.write(b"x")
        before = files(folder)
        with pytest.raises(Conflict) as raised:
            undo(site(folder), receipt)
        assert (raised.value.where, raised.value.untouched) == (str(folder / name), "nothing-changed")
        assert files(folder) == before


def test_a_trashed_file_whose_place_is_taken_stays_in_the_trash() -> None:
    with scratch() as folder:
        lay_out(folder)
        receipt = apply(site(folder), [MoveToTrash(str(folder / "t.jsonl"), there(folder / "t.jsonl"))])
        (folder / "t.jsonl").write_bytes(b"other")
        with pytest.raises(Refused) as raised:
            undo(site(folder), receipt)
        assert raised.value.what == "exists"
        assert files(folder)[".agentbrief/trash/2026-11-30/t.jsonl"] == b"t\n"


@pytest.mark.parametrize("name", ["s.jsonl", "t.jsonl"])
def test_a_file_that_changed_since_the_plan_stops_it_before_anything(name: str) -> None:
    with scratch() as folder:
        lay_out(folder)
        steps = plan(folder)
        with (folder / name).open("ab") as file:
            file.write(b"x")
        before = tree(folder)
        with pytest.raises(Conflict) as raised:
            apply(site(folder), steps)
        assert (raised.value.where, raised.value.untouched) == (str(folder / name), "nothing-changed")
        assert tree(folder) == before


def test_content_that_changed_at_the_same_size_and_time_is_a_conflict() -> None:
    with scratch() as folder:
        lay_out(folder)
        path = folder / "s.jsonl"
        steps = plan(folder)
        status = path.stat()
        with path.open("r+b") as file:
            file.write(b"#")
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
        before = files(folder)
        with pytest.raises(Conflict):
            apply(site(folder), steps)
        assert {path: data for path, data in files(folder).items() if not own(path)} == before


def test_what_changed_or_is_protected_is_left_out_and_nothing_is_added() -> None:
    with scratch() as folder:
        names = [f"{number}.jsonl" for number in range(6)]
        for name in names:
            (folder / name).write_text(name)
        steps = [MoveToTrash(str(folder / name), there(folder / name)) for name in names]
        (folder / "1.jsonl").write_text("touched, longer")
        (folder / "2.jsonl").unlink()

        def protected(step: Step) -> str | None:
            return "open-session" if isinstance(step, MoveToTrash) and step.path.endswith("3.jsonl") else None

        receipt = apply(site(folder), steps, protected=protected, leave_out_changed=True)
        assert [
            (Path(left.step.path).name, left.why)
            for left in receipt.left_out
            if isinstance(left.step, MoveToTrash)
        ] == [
            ("1.jsonl", "changed"),
            ("2.jsonl", "changed"),
            ("3.jsonl", "open-session"),
        ]
        assert {path.name for path in folder.glob("*.jsonl")} == {"1.jsonl", "3.jsonl"}
        assert len(receipt.done) == 3


def test_what_becomes_protected_while_the_plan_runs_is_left_out() -> None:
    with scratch() as folder:
        for name in ("a", "b"):
            (folder / name).write_text(name)
        steps = [MoveToTrash(str(folder / name), there(folder / name)) for name in ("a", "b")]
        receipt = apply(
            site(folder), steps, protected=lambda step: None if (folder / "a").exists() else "in-use"
        )
        assert [left.why for left in receipt.left_out] == ["in-use"]
        assert (folder / "b").exists()


def test_a_store_that_others_write_is_edited_entry_by_entry() -> None:
    with scratch() as folder:
        path = folder / "sessions.json"
        path.write_bytes(b'{"a": 1, "b": 2, "c": 3}')
        steps = [EditStore(str(path), (EntryEdit("a", b"1", None), EntryEdit("b", b"2", None)), there(path))]
        path.write_bytes(b'{"a": 1, "b": 20, "c": 30, "d": 4}')
        receipt = apply(site(folder), steps)
        assert path.read_bytes() == b'{"b": 20, "c": 30, "d": 4}'
        assert [edit.key for edit in receipt.done[0].left_out] == ["b"]
        undo(site(folder), receipt)
        assert path.read_bytes() == b'{"a": 1, "b": 20, "c": 30, "d": 4}'


def test_a_store_that_is_no_object_any_more_is_left_alone() -> None:
    with scratch() as folder:
        path = folder / "sessions.json"
        path.write_bytes(b'{"a": 1}')
        stamp = there(path)
        path.write_bytes(b'{"a": 1')
        with pytest.raises(Conflict):
            apply(site(folder), [EditStore(str(path), (EntryEdit("a", b"1", None),), stamp)])
        assert path.read_bytes() == b'{"a": 1'


def test_the_first_failure_undoes_what_was_done() -> None:
    with scratch() as folder:
        lay_out(folder)
        before = files(folder)
        (folder / "taken").write_bytes(b"taken")
        steps = [*plan(folder), ReplaceFile(str(folder / "taken"), b"x", None)]
        (folder / "taken").unlink()
        (folder / "taken").mkdir()

        def protected(step: Step) -> str | None:
            return None

        with pytest.raises(Refused) as raised:
            apply(site(folder), steps, protected=protected, leave_out_changed=False)
        assert raised.value.where == str(folder / "taken")
        (folder / "taken").rmdir()
        assert {path: data for path, data in files(folder).items() if not own(path)} == before


def test_a_failure_in_the_middle_says_that_it_was_undone() -> None:
    with scratch() as folder:
        lay_out(folder)
        before = files(folder)
        steps: list[Step] = [
            AppendRecord(str(folder / "t.jsonl"), b"{}", there(folder / "t.jsonl")),
            RenameFile(str(folder / "s.jsonl"), str(folder / "sessions.json"), there(folder / "s.jsonl")),
        ]
        with pytest.raises(Refused) as raised:
            apply(site(folder), steps)
        assert (raised.value.what, raised.value.untouched) == ("exists", "undone")
        assert files(folder) == before


@pytest.mark.parametrize("at", range(1, 8))
def test_a_checkpoint_that_was_damaged_stops_the_compaction(at: int) -> None:
    """R8 The damage is in any write: of a note, of the copy, of the new file."""
    with scratch() as folder:
        lay_out(folder)
        steps = plan(folder)
        wanted = [step for step in steps if isinstance(step, ReplaceFile | CopyVerified)][::2]
        what = "done"
        try:
            apply(site(folder, Damaging(at)), wanted)
        except Refused as refusal:
            what = refusal.what
        assert what in ("done", "copy-differs")
        kept = "s.jsonl" if what == "copy-differs" else ".agentbrief/checkpoints/1.jsonl"
        assert files(folder)[kept] == TRANSCRIPT


class DamagedReading(FS):
    """Reads back one byte wrong, at the ``at``-th read."""

    def __init__(self, at: int) -> None:
        super().__init__()
        self.at = at

    def read(self, descriptor: int, size: int) -> bytes:
        data = super().read(descriptor, size)
        self.at -= 1 if data else 0
        if data and not self.at:
            return data[:-1] + bytes([data[-1] ^ 1])
        return data


@pytest.mark.parametrize("at", range(1, 6))
def test_a_checkpoint_that_reads_back_wrong_stops_the_compaction(at: int) -> None:
    with scratch() as folder:
        lay_out(folder)
        wanted = [step for step in plan(folder) if isinstance(step, ReplaceFile | CopyVerified)][::2]
        try:
            apply(site(folder, DamagedReading(at)), wanted)
        except Refused:
            assert files(folder)["s.jsonl"] == TRANSCRIPT
        else:
            assert files(folder)[".agentbrief/checkpoints/1.jsonl"] == TRANSCRIPT


@pytest.mark.parametrize("name", ["trash on another device", "compaction", "repair in a copy"])
def test_no_original_is_lost_whichever_write_is_damaged(name: str) -> None:
    assert list(with_a_damaged_copy(BY_NAME[name], (TRANSCRIPT,))) == []


def test_a_copy_that_differs_keeps_the_original_in_its_place() -> None:
    with scratch() as folder:
        lay_out(folder)
        step = MoveToTrash(str(folder / "s.jsonl"), there(folder / "s.jsonl"))
        with pytest.raises(Refused) as raised:
            apply(site(folder, across_devices(Damaging(3))), [step])
        assert raised.value.what == "copy-differs"
        assert (folder / "s.jsonl").read_bytes() == TRANSCRIPT


def test_a_store_is_made_where_it_is_allowed() -> None:
    with scratch() as folder:
        store = folder / ".port_sessions"
        step = ReplaceFile(str(store / "1.json"), b"{}\n", None)
        with pytest.raises(Refused) as raised:
            apply(site(store), [step])
        assert raised.value.what == "vanished"
        also = real_roots(FS(), (str(folder),))
        receipt = apply(Site(FS(), str(store), caller(), also=also), [step])
        assert (store / "1.json").read_bytes() == b"{}\n"
        assert receipt.store == str(store)


def test_a_copy_may_come_from_elsewhere_and_goes_only_where_it_is_allowed() -> None:
    with scratch() as folder:
        store, foreign = folder / "store", folder / "foreign"
        store.mkdir()
        foreign.mkdir()
        (foreign / "x.jsonl").write_bytes(TRANSCRIPT)
        read = real_roots(FS(), (str(foreign),))
        step = CopyVerified(str(foreign / "x.jsonl"), str(store / "copy.jsonl"), there(foreign / "x.jsonl"))
        apply(Site(FS(), str(store), caller(), read=read), [step])
        assert (store / "copy.jsonl").read_bytes() == TRANSCRIPT
        for bad in (
            CopyVerified(str(foreign / "x.jsonl"), str(foreign / "y.jsonl"), there(foreign / "x.jsonl")),
            ReplaceFile(str(foreign / "x.jsonl"), b"x", there(foreign / "x.jsonl")),
            AppendRecord(str(foreign / "x.jsonl"), b"x"),
            MoveToTrash(str(foreign / "x.jsonl"), there(foreign / "x.jsonl")),
            RenameFile(str(store / "copy.jsonl"), str(foreign / "z"), there(store / "copy.jsonl")),
        ):
            with pytest.raises(Refused) as raised:
                apply(Site(FS(), str(store), caller(), read=read), [bad])
            assert raised.value.what == "outside"
        assert [path.name for path in foreign.iterdir()] == ["x.jsonl"]


def test_a_store_may_be_reached_by_a_link() -> None:
    with scratch() as folder:
        (folder / "real").mkdir()
        (folder / "link").symlink_to("real")
        lay_out(folder / "link")
        receipt = apply(site(folder / "link"), plan(folder / "link"))
        assert files(folder / "real") == AFTER
        undo(site(folder / "link"), receipt)
        assert files(folder / "real")["s.jsonl"] == TRANSCRIPT
        assert files(folder / "real")["t.jsonl"] == b"t\n"


def test_what_the_caller_got_wrong_is_said_before_anything_is_done() -> None:
    with scratch() as folder:
        lay_out(folder)
        before = tree(folder)
        good = AppendRecord(str(folder / "log.jsonl"), b"{}")
        for bad in ("", "s.jsonl", str(folder / "a\0b"), f"{folder}/", f"/{folder}/x"):
            with pytest.raises(ValueError, match="no path"):
                apply(site(folder), [good, ReplaceFile(bad, b"x", None)])
        for store in ("", "sessions"):
            with pytest.raises(ValueError, match="no path of a folder"):
                apply(Site(FS(), store, caller()), [good])
        with pytest.raises(ValueError, match="one line"):
            AppendRecord(str(folder / "log.jsonl"), b"{}\n{}")
        with pytest.raises(ValueError, match="format"):
            apply(Site(FS(), str(folder), caller(), beside=(str(folder / "s.jsonl"),)), [good])
        assert tree(folder) == before


class FailsAt(FS):
    """The ``at``-th rename fails."""

    def __init__(self, at: int) -> None:
        super().__init__()
        self.at = at

    def replace(self, folder: Folder, name: str, target: Folder, target_name: str) -> None:
        self.at -= 1
        if not self.at:
            raise planted("EIO")
        super().replace(folder, name, target, target_name)


def test_an_undo_that_fails_half_way_is_taken_back_where_it_can_be() -> None:
    with scratch() as folder:
        lay_out(folder)
        receipt = apply(
            site(folder),
            [MoveToTrash(str(folder / name), there(folder / name)) for name in ("t.jsonl", "s.jsonl")],
        )
        before = files(folder)
        with pytest.raises(Refused) as raised:
            undo(site(folder, FailsAt(2)), receipt)
        assert raised.value.untouched == "undone"
        assert files(folder) == before
        undo(site(folder), receipt)
        assert files(folder)["t.jsonl"] == b"t\n"


def test_an_undo_that_cannot_be_taken_back_says_that_a_part_is_done() -> None:
    with scratch() as folder:
        lay_out(folder)
        s, t = folder / "s.jsonl", folder / "t.jsonl"
        steps = [MoveToTrash(str(s), there(s)), AppendRecord(str(t), b"{}", there(t))]
        receipt = apply(site(folder), steps)
        with pytest.raises(Refused) as raised:
            undo(site(folder, FailsAt(1)), receipt)
        assert raised.value.untouched == "partly-done"
        assert t.read_bytes() == b"t\n"
        assert files(folder)[".agentbrief/trash/2026-11-30/s.jsonl"] == TRANSCRIPT


def test_lock_files_of_the_other_program_are_held_and_released() -> None:
    with scratch() as folder:
        lay_out(folder)
        seen: list[set[str]] = []

        def protected(step: Step) -> str | None:
            seen.append({path.name for path in folder.glob("*.lock") if not path.name.startswith(".")})
            return None

        beside = (str(folder / "sessions.json"), str(folder / "s.jsonl"))
        place = Site(FS(), str(folder), caller(), beside=beside, lock_format=OPENCLAW_LOCK)
        apply(place, [AppendRecord(str(folder / "s.jsonl"), b"{}")], protected=protected)
        assert seen == [{"sessions.json.lock", "s.jsonl.lock"}] * 2
        assert [path.name for path in folder.glob("*.lock") if not path.name.startswith(".")] == []


def test_a_lock_that_is_stolen_in_between_stops_it() -> None:
    with scratch() as folder:
        lay_out(folder)
        lock = folder / "s.jsonl.lock"

        def protected(step: Step) -> str | None:
            lock.unlink()
            lock.write_text("{}")
            return None

        place = Site(
            FS(), str(folder), caller(), beside=(str(folder / "s.jsonl"),), lock_format=OPENCLAW_LOCK
        )
        with pytest.raises(Refused) as raised:
            apply(place, [AppendRecord(str(folder / "s.jsonl"), b"{}")], protected=protected)
        assert raised.value.what == "lock-lost"
        assert (folder / "s.jsonl").read_bytes() == TRANSCRIPT
