"""R19 The trash: nothing unlisted, nothing lost; all of it comes back, also after a crash in between."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from agentbrief.changes.apply import Site, apply, purge_trash
from agentbrief.changes.places import trash_manifest
from agentbrief.changes.steps import FromTrash, MoveToTrash
from agentbrief.changes.trash import TrashItem, expired, trash_items
from agentbrief.disk.folder import stamp_of
from agentbrief.disk.read import real_roots
from agentbrief.disk.refusal import Refused
from agentbrief.disk.seam import FS, Folder
from agentbrief.disk.values import Stamp
from tests.disk.faults import Crash, caller, scratch

DAY_NS = 86_400 * 1_000_000_000
NOW_NS = 1_796_040_000_000_000_000
TODAY = "2026-11-30"


def site(folder: Path, fs: FS | None = None, now_ns: int = NOW_NS) -> Site:
    return Site(fs or FS(), str(folder), caller(now_ns=now_ns))


def there(path: Path) -> Stamp:
    found = stamp_of(FS(), str(path))
    assert found is not None
    return found


def items(folder: Path) -> tuple[TrashItem, ...]:
    return trash_items(FS(), str(folder), real_roots(FS(), (str(folder),)))


def put_away(folder: Path, name: str, text: str, now_ns: int = NOW_NS) -> None:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    apply(site(folder, now_ns=now_ns), [MoveToTrash(str(path), there(path), f"label {text}")])


def test_what_goes_away_is_listed_with_its_place_and_comes_back_as_it_was() -> None:
    with scratch() as folder:
        (folder / "s.jsonl").write_text("text")
        os.utime(folder / "s.jsonl", (1_700_000_000, 1_700_000_000))
        stamp = there(folder / "s.jsonl")
        apply(site(folder), [MoveToTrash(str(folder / "s.jsonl"), stamp, "label")])
        (item,) = items(folder)
        assert item == TrashItem(
            f"{folder}/.agentbrief/trash/{TODAY}/s.jsonl",
            str(folder / "s.jsonl"),
            TODAY,
            NOW_NS // 1_000_000,
            stamp,
            "label",
        )
        assert item.path is not None
        apply(site(folder), [FromTrash(item.trashed, item.path, item.stamp)])
        assert (folder / "s.jsonl").read_text() == "text"
        assert (folder / "s.jsonl").stat().st_mtime == 1_700_000_000
        assert items(folder) == ()
        assert not (folder / ".agentbrief" / "trash" / TODAY).exists()


def test_five_files_of_one_name_all_come_back() -> None:
    with scratch() as folder:
        for number in range(5):
            put_away(folder, "s.jsonl", str(number))
        put_away(folder, "sub/s.jsonl", "sub")
        found = items(folder)
        assert {Path(item.trashed).name for item in found} == {
            "s.jsonl",
            *(f"s.jsonl.{n}" for n in range(2, 7)),
        }
        assert {item.path for item in found} == {str(folder / "s.jsonl"), str(folder / "sub" / "s.jsonl")}
        assert {item.label: Path(item.trashed).read_text() for item in found} == {
            f"label {text}": text for text in ("0", "1", "2", "3", "4", "sub")
        }


def test_a_place_that_is_taken_is_not_touched() -> None:
    with scratch() as folder:
        put_away(folder, "s.jsonl", "old")
        (folder / "s.jsonl").write_text("new")
        (item,) = items(folder)
        with pytest.raises(Refused) as raised:
            apply(site(folder), [FromTrash(item.trashed, str(folder / "s.jsonl"), item.stamp)])
        assert (raised.value.what, raised.value.untouched) == ("exists", "nothing-changed")
        assert (folder / "s.jsonl").read_text() == "new"
        assert items(folder) == (item,)
        apply(site(folder), [FromTrash(item.trashed, str(folder / "other.jsonl"), item.stamp)])
        assert (folder / "other.jsonl").read_text() == "old"


def test_a_folder_that_is_gone_is_made_again() -> None:
    with scratch() as folder:
        put_away(folder, "sub/deep/s.jsonl", "x")
        (folder / "sub" / "deep").rmdir()
        (folder / "sub").rmdir()
        (item,) = items(folder)
        path = str(folder / "sub" / "deep" / "s.jsonl")
        assert item.path == path
        apply(site(folder), [FromTrash(item.trashed, path, item.stamp)])
        assert (folder / "sub" / "deep" / "s.jsonl").read_text() == "x"


class DiesAt(FS):
    """The process ends before the ``at``-th rename."""

    def __init__(self, at: int) -> None:
        super().__init__()
        self.at = at

    def replace(self, folder: Folder, name: str, target: Folder, target_name: str) -> None:
        self.at -= 1
        if not self.at:
            raise Crash
        super().replace(folder, name, target, target_name)


def test_a_crash_between_the_line_and_the_move_leaves_the_file_where_it_was() -> None:
    with scratch() as folder:
        (folder / "s.jsonl").write_text("x")
        with pytest.raises(Crash):
            apply(site(folder, DiesAt(1)), [MoveToTrash(str(folder / "s.jsonl"), there(folder / "s.jsonl"))])
        assert Path(trash_manifest(str(folder))).read_bytes().count(b"\n") == 1
        assert items(folder) == ()
        assert (folder / "s.jsonl").read_text() == "x"
        put_away(folder, "t.jsonl", "y")
        assert [item.path for item in items(folder)] == [str(folder / "t.jsonl")]


def test_a_crash_before_a_move_back_leaves_the_item_listed() -> None:
    with scratch() as folder:
        put_away(folder, "s.jsonl", "x")
        (item,) = items(folder)
        with pytest.raises(Crash):
            apply(site(folder, DiesAt(1)), [FromTrash(item.trashed, str(folder / "s.jsonl"), item.stamp)])
        assert items(folder) == (item,)


@pytest.mark.parametrize(
    "manifest", [None, b"", b"\0\0", b"{}\n[]\nnull\n", b'{"action":"trash","trash":3}\n']
)
def test_what_lies_there_without_a_line_is_listed_too(manifest: bytes | None) -> None:
    with scratch() as folder:
        put_away(folder, "s.jsonl", "x")
        if manifest is None:
            os.unlink(trash_manifest(str(folder)))
        else:
            Path(trash_manifest(str(folder))).write_bytes(manifest)
        (item,) = items(folder)
        assert (item.path, item.moved_ms, item.day, item.label) == (None, None, TODAY, "")


def test_a_store_moves_with_its_trash() -> None:
    with scratch() as folder:
        (folder / "one").mkdir()
        put_away(folder / "one", "sub/s.jsonl", "x")
        (folder / "one").rename(folder / "two")
        (item,) = items(folder / "two")
        assert item.path == str(folder / "two" / "sub" / "s.jsonl")


def test_only_what_is_old_enough_goes_for_good() -> None:
    with scratch() as folder:
        put_away(folder, "old.jsonl", "old", now_ns=NOW_NS - 15 * DAY_NS)
        put_away(folder, "edge.jsonl", "edge", now_ns=NOW_NS - 14 * DAY_NS)
        put_away(folder, "new.jsonl", "new")
        stray = folder / ".agentbrief" / "trash" / "2026-11-16" / "stray"
        stray.write_text("stray")
        old = expired(items(folder), NOW_NS, 14)
        assert [item.path for item in old] == [str(folder / "old.jsonl")]
        assert {item.path for item in expired(items(folder), NOW_NS + 2 * DAY_NS, 14)} == {
            str(folder / "old.jsonl"), str(folder / "edge.jsonl"), None,
        }  # fmt: skip
        assert purge_trash(site(folder), old) == old
        assert {item.path for item in items(folder)} == {
            str(folder / "edge.jsonl"),
            str(folder / "new.jsonl"),
            None,
        }
        assert not Path(old[0].trashed).parent.exists()


def test_an_item_that_changed_stays() -> None:
    with scratch() as folder:
        put_away(folder, "s.jsonl", "x")
        (item,) = items(folder)
        Path(item.trashed).write_text("changed")
        assert purge_trash(site(folder), (item,)) == ()
        assert Path(item.trashed).read_text() == "changed"
