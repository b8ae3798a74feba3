"""A cleanup is carried out as it was previewed, and comes back whole."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from agentbrief.changes.trash import trash_items
from agentbrief.disk.refusal import Refused
from agentbrief.disk.seam import FS
from agentbrief.maintenance.cleanup_record import is_of_record
from agentbrief.maintenance.report import plan_record
from agentbrief.sessions.store.names import archive_name
from agentbrief.tasks.store.cleanup import clean_up
from agentbrief.tasks.store.trash import restore, trash_of, undo_cleanup
from tests.maintenance.folders import DAY, NOW
from tests.maintenance.real_folders import (
    DRY_RUN,
    ENFORCE,
    contents,
    enforced,
    look_of,
    place_of,
    planned,
    sessions_folder,
    someone,
    times,
    transcript,
    usual,
    write,
)

DELETED = archive_name("q.jsonl", "deleted", NOW - 40 * DAY)


def test_what_was_previewed_is_what_is_done(tmp_path: Path) -> None:
    folder = usual(tmp_path)
    before = contents(folder)
    _, shown = planned(folder, DRY_RUN)
    assert contents(folder) == before
    done = enforced(folder)
    assert done.left_out == ()
    assert [(item.action, item.what) for item in done.done] == [
        (item.action, item.what) for item in shown.items
    ]
    assert plan_record(shown)["items"] == plan_record(done.plan)["items"]
    after = contents(folder)
    assert set(after) == {
        "sessions.json",
        "new.jsonl",
        archive_name("old.jsonl", "deleted", NOW),
        archive_name("t.jsonl", "deleted", NOW),
        archive_name("t-topic-7.jsonl", "deleted", NOW),
        archive_name("r.jsonl", "reset", NOW - DAY),
        "loose.jsonl",
        "notes.txt",
    }
    assert after[archive_name("old.jsonl", "deleted", NOW)] == before["old.jsonl"]
    assert list(json.loads(after["sessions.json"])) == ["agent:main:main", "agent:main:gone"]
    assert b'"big": 12345678901234567890123 }' in after["sessions.json"]
    lying = {os.path.basename(item.trashed) for item in trash_items(FS(), str(folder), roots(folder))}
    assert lying == {f"cleanup-{done.id}.json", f"cleanup-{done.id}.store.json", DELETED}


def roots(folder: Path) -> frozenset[str]:
    return frozenset((os.path.realpath(folder),))


def test_everything_comes_back_byte_for_byte_in_its_place(tmp_path: Path) -> None:
    folder = usual(tmp_path)
    before, stamps = contents(folder), times(folder)
    enforced(folder, rotateBytes="10b", maxDiskBytes="1", pruneAfter="1d")
    assert contents(folder) != before
    restored = restore(FS(), place_of(folder), someone())
    assert restored.left_out == ()
    assert contents(folder) == before
    del stamps["sessions.json"]
    assert {name: time for name, time in times(folder).items() if name != "sessions.json"} == stamps
    assert trash_of(FS(), place_of(folder)).cleanups == ()
    assert trash_of(FS(), place_of(folder)).files == ()


def test_undo_right_after_gives_the_same(tmp_path: Path) -> None:
    folder = usual(tmp_path)
    before = contents(folder)
    done = enforced(folder, rotateBytes="10b")
    undone = undo_cleanup(FS(), place_of(folder), done, someone())
    assert contents(folder) == before
    assert set(undone.keys) == {"agent:main:old", "agent:main:topic"}
    assert len(undone.copies) == 1


@pytest.mark.parametrize("is_at_once", [True, False])
def test_a_copy_of_the_store_that_goes_again_is_told(tmp_path: Path, is_at_once: bool) -> None:
    folder = usual(tmp_path)
    before = contents(folder)
    done = enforced(folder, rotateBytes="10b", pruneAfter="900d")
    [copy] = set(contents(folder)) - set(before)
    [cleanup] = trash_of(FS(), place_of(folder)).cleanups
    assert (cleanup.sessions, cleanup.renamed, cleanup.files, cleanup.copies) == (0, 0, 0, 1)
    if is_at_once:
        back = undo_cleanup(FS(), place_of(folder), done, someone())
    else:
        back = restore(FS(), place_of(folder), someone(), [cleanup.record.id])
    assert (back.files, back.keys, back.copies) == ((), (), (copy,))
    assert contents(folder) == before


def test_two_cleanups_come_back_together(tmp_path: Path) -> None:
    folder = usual(tmp_path)
    before = contents(folder)
    enforced(folder)
    enforced(folder, now_ms=NOW + 1000, maxEntries=1, pruneAfter="900d")
    assert list(json.loads((folder / "sessions.json").read_bytes())) == ["agent:main:main"]
    assert len(trash_of(FS(), place_of(folder)).cleanups) == 2
    restore(FS(), place_of(folder), someone())
    assert contents(folder) == before


def test_a_store_that_went_on_gets_only_what_it_lacks(tmp_path: Path) -> None:
    folder = usual(tmp_path)
    done = enforced(folder)
    value = json.loads((folder / "sessions.json").read_bytes())
    value["agent:main:topic"] = {"sessionId": "later", "updatedAt": NOW}
    write(folder / "sessions.json", json.dumps(value).encode())
    restored = undo_cleanup(FS(), place_of(folder), done, someone())
    store = (folder / "sessions.json").read_bytes()
    assert restored.keys == ("agent:main:old",)
    assert json.loads(store)["agent:main:topic"]["sessionId"] == "later"
    assert (
        b'{"sessionId":"old","updatedAt":%d,"sessionFile":"old.jsonl","x":1e400}' % (NOW - 50 * DAY) in store
    )
    assert (folder / "old.jsonl").exists()


def test_a_name_that_is_taken_stays_in_the_trash(tmp_path: Path) -> None:
    folder = usual(tmp_path)
    enforced(folder)
    write(folder / DELETED, b"another\n")
    restored = restore(FS(), place_of(folder), someone())
    assert restored.left_out == (DELETED,)
    assert (folder / DELETED).read_bytes() == b"another\n"
    (file,) = trash_of(FS(), place_of(folder)).files
    assert file.name == DELETED
    (folder / DELETED).unlink()
    assert restore(FS(), place_of(folder), someone(), [file.id]).files == (DELETED,)
    assert (folder / DELETED).read_bytes() == b"q\n"


def test_an_identifier_that_names_nothing_changes_nothing(tmp_path: Path) -> None:
    folder = usual(tmp_path)
    enforced(folder)
    before = contents(folder)
    with pytest.raises(ValueError, match="2026-01-01/x"):
        restore(FS(), place_of(folder), someone(), ["2026-01-01/x"])
    assert contents(folder) == before


def test_a_large_plan_is_done_in_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = usual(tmp_path)
    for number in range(40):
        write(folder / f"x{number}.jsonl.deleted.2025-01-01T00-00-{number:02d}Z", b"x" * number, 300 * DAY)
    before = contents(folder)
    monkeypatch.setattr("agentbrief.maintenance.batches.batches.__defaults__", (7,))
    heard: list[tuple[int, int]] = []
    found, plan = planned(folder)
    done = clean_up(
        FS(), found.look, plan, someone(), trash_days=14, progress=lambda at, of: heard.append((at, of))
    )
    assert len(done.receipts) > 5
    assert len(done.done) == len(plan.items)
    assert heard[-1] == (len(plan.items), len(plan.items))
    undo_cleanup(FS(), place_of(folder), done, someone())
    assert contents(folder) == before


def test_cancelled_half_way_it_says_what_was_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = usual(tmp_path)
    before = contents(folder)
    monkeypatch.setattr("agentbrief.maintenance.batches.batches.__defaults__", (1,))
    found, plan = planned(folder)
    turns = iter([False, False, True])
    done = clean_up(FS(), found.look, plan, someone(), trash_days=14, cancelled=lambda: next(turns))
    assert done.cancelled
    assert 0 < len(done.done) < len(plan.items)
    restore(FS(), place_of(folder), someone())
    assert contents(folder) == before


def test_the_trash_is_emptied_after_its_days(tmp_path: Path) -> None:
    folder = usual(tmp_path)
    enforced(folder)
    write(folder / "a.jsonl.deleted.2020-01-01T00-00-00Z", b"a", 900 * DAY)
    almost = enforced(folder, now_ms=NOW + 13 * DAY, pruneAfter="9000d")
    assert almost.purged == ()
    done = enforced(folder, now_ms=NOW + 15 * DAY, pruneAfter="700d")
    names = {os.path.basename(item.trashed) for item in done.purged}
    assert {name for name in names if not is_of_record(name)} == {DELETED}
    assert [file.name for file in trash_of(FS(), place_of(folder)).files] == [
        "a.jsonl.deleted.2020-01-01T00-00-00Z"
    ]


def test_the_trash_keeps_to_the_disk_budget_but_never_loses_what_was_just_moved(tmp_path: Path) -> None:
    folder = usual(tmp_path)
    enforced(folder)
    write(folder / "b.jsonl.deleted.2020-01-01T00-00-00Z", b"b" * 500, 900 * DAY)
    done = enforced(folder, now_ms=NOW + 1000, pruneAfter="700d", maxDiskBytes="50")
    assert DELETED in {os.path.basename(item.trashed) for item in done.purged}
    names = {file.name for file in trash_of(FS(), place_of(folder)).files}
    assert "b.jsonl.deleted.2020-01-01T00-00-00Z" in names


def test_a_plan_that_only_shows_is_not_carried_out(tmp_path: Path) -> None:
    folder = usual(tmp_path)
    found, plan = planned(folder, DRY_RUN)
    with pytest.raises(ValueError, match="only shows"):
        clean_up(FS(), found.look, plan, someone(), trash_days=14)


def test_a_folder_that_went_away_is_one_refusal(tmp_path: Path) -> None:
    folder = usual(tmp_path)
    found, plan = planned(folder)
    folder.rename(folder.with_name("elsewhere"))
    with pytest.raises(Refused) as refusal:
        clean_up(FS(), found.look, plan, someone(), trash_days=14)
    assert refusal.value.what == "vanished"
    assert refusal.value.untouched == "nothing-changed"


def test_looking_and_planning_write_nothing(tmp_path: Path) -> None:
    folder = usual(tmp_path)
    before = set(folder.rglob("*"))
    planned(folder, ENFORCE)
    look_of(folder)
    trash_of(FS(), place_of(folder))
    assert set(folder.rglob("*")) == before


def test_a_transcript_whose_new_name_was_taken_stays_and_is_not_mistaken_for_the_other(
    tmp_path: Path,
) -> None:
    folder = usual(tmp_path)
    others = folder / archive_name("old.jsonl", "deleted", NOW)
    write(others, b"another one", DAY)
    before = contents(folder)
    done = enforced(folder)
    assert [(each.item.what, each.why) for each in done.left_out] == [("old.jsonl", "name-taken")]
    assert (contents(folder)["old.jsonl"], others.read_bytes()) == (before["old.jsonl"], b"another one")
    (folder / "old.jsonl").unlink()
    restored = restore(FS(), place_of(folder), someone())
    assert restored.left_out == ()
    assert contents(folder) == {name: data for name, data in before.items() if name != "old.jsonl"}


def test_a_file_whose_archive_name_was_taken_is_not_told_as_left_out(tmp_path: Path) -> None:
    """A cleanup at the same moment as another one, of a session that looks the same."""
    folder = sessions_folder(tmp_path)
    store = json.dumps({"agent:main:k": {"sessionId": "b", "updatedAt": NOW - DAY}}).encode()

    def lay_out() -> None:
        write(folder / "sessions.json", store)
        write(folder / "b.jsonl", transcript("b"), DAY)

    lay_out()
    enforced(folder, pruneAfter="1h", maxEntries=1)
    lay_out()
    before = contents(folder)
    done = enforced(folder, pruneAfter="1h", maxEntries=1)
    assert [each.item.what for each in done.left_out] == ["b.jsonl"]
    restored = restore(FS(), place_of(folder), someone(), [done.id])
    assert (restored.left_out, restored.keys) == ((), ("agent:main:k",))
    assert contents(folder) == before
