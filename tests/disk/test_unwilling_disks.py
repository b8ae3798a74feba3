"""R15 Read-only, vanished, foreign: nothing changes, the message names the reason, reading goes on."""

from __future__ import annotations

import errno
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agentbrief.disk.append import append
from agentbrief.disk.create import create
from agentbrief.disk.folder import make_folder, stamp_of
from agentbrief.disk.lock import Held, hold
from agentbrief.disk.move import move, remove
from agentbrief.disk.read import read_text, real_roots
from agentbrief.disk.refusal import Refused
from agentbrief.disk.replace import replace
from agentbrief.disk.seam import FS, Folder
from agentbrief.disk.temporary import sweep
from agentbrief.disk.values import FileText
from tests.disk.faults import caller, scratch, tree

OLD = b"old text\n"


class Unwilling(FS):
    """Every call that would change something ends with ``error``."""

    def __init__(self, error: int) -> None:
        super().__init__()
        self.error = error

    def _no(self, *arguments: Any) -> Any:
        raise OSError(self.error, os.strerror(self.error))


CHANGING = ("create", "open_append", "write", "truncate", "replace", "link", "unlink", "make_folder")
for _name in CHANGING:
    setattr(Unwilling, _name, Unwilling._no)


ACTS: dict[str, Callable[[Held, Path], object]] = {
    "append": lambda held, folder: append(held, str(folder / "a"), b"{}"),
    "append to a new file": lambda held, folder: append(held, str(folder / "new"), b"{}"),
    "replace": lambda held, folder: replace(
        held, str(folder / "a"), b"new", expect=stamp_of(FS(), str(folder / "a"))
    ),
    "create": lambda held, folder: create(held.fs, str(folder / "new"), b"new", held.roots),
    "move": lambda held, folder: move(
        held, str(folder / "a"), str(folder / "b"), expect=stamp_of(FS(), str(folder / "a")) or _never()
    ),
    "remove": lambda held, folder: remove(
        held, str(folder / "a"), expect=stamp_of(FS(), str(folder / "a")) or _never()
    ),
    "make a folder": lambda held, folder: make_folder(held.fs, str(folder / "x"), held.roots),
}


def _never() -> Any:
    raise AssertionError


@pytest.mark.parametrize("act", ACTS)
@pytest.mark.parametrize(
    ("error", "what"),
    [
        (errno.EACCES, "no-access"),
        (errno.EPERM, "no-access"),
        (errno.EROFS, "read-only"),
        (errno.EDQUOT, "no-space"),
        (errno.EIO, "failed"),
    ],
)
def test_a_disk_that_takes_nothing_is_named_and_still_read(act: str, error: int, what: str) -> None:
    with scratch() as folder:
        (folder / "a").write_bytes(OLD)
        before = tree(folder)
        with hold(FS(), str(folder), caller()) as held:
            unwilling = Held(Unwilling(error), held.store, held.roots, held.caller)
            with pytest.raises(Refused) as raised:
                ACTS[act](unwilling, folder)
        assert (raised.value.what, raised.value.untouched) == (what, "nothing-changed")
        assert raised.value.where.startswith(str(folder))
        assert tree(folder) == before
        assert isinstance(read_text(unwilling.fs, str(folder / "a"), held.roots), FileText)


@pytest.mark.parametrize("act", ["append", "replace", "create", "move", "remove"])
def test_a_folder_that_vanished_is_named(act: str) -> None:
    with scratch() as folder:
        store = folder / "store"
        store.mkdir()
        (store / "a").write_bytes(OLD)
        with hold(FS(), str(store), caller()) as held:
            stamp = stamp_of(FS(), str(store / "a")) or _never()
            (store / "a").unlink()
            (store / ".agentbrief.lock").unlink()
            store.rmdir()
            path, other = str(store / "a"), str(store / "b")
            acts: dict[str, Callable[[], object]] = {
                "append": lambda: append(held, path, b"{}"),
                "replace": lambda: replace(held, path, b"{}", expect=stamp),
                "create": lambda: create(FS(), path, b"{}", held.roots),
                "move": lambda: move(held, path, other, expect=stamp),
                "remove": lambda: remove(held, path, expect=stamp),
            }
            with pytest.raises(Refused) as raised:
                acts[act]()
        assert raised.value.what == "vanished"
        assert list(folder.iterdir()) == []


class OnceBusy(FS):
    """A scanner has the file open for a moment, as on Windows."""

    def __init__(self, times: int) -> None:
        self.pauses: list[float] = []
        super().__init__(self.pauses.append)
        self.replace_pauses = (0.01, 0.02, 0.04, 0.08, 0.16, 0.2, 0.2, 0.2)
        self.left = times

    def replace(self, folder: Folder, name: str, target: Folder, target_name: str) -> None:
        if self.left:
            self.left -= 1
            raise PermissionError(errno.EACCES, "in use")
        super().replace(folder, name, target, target_name)


@pytest.mark.parametrize(("times", "ends"), [(0, True), (3, True), (8, True), (9, False)])
def test_a_file_in_use_is_tried_eight_times_more(times: int, ends: bool) -> None:
    with scratch() as folder:
        path = folder / "a"
        path.write_bytes(OLD)
        fs = OnceBusy(times)
        with hold(fs, str(folder), caller()) as held:
            if ends:
                replace(held, str(path), b"new", expect=stamp_of(FS(), str(path)))
            else:
                with pytest.raises(Refused):
                    replace(held, str(path), b"new", expect=stamp_of(FS(), str(path)))
        assert path.read_bytes() == (b"new" if ends else OLD)
        assert len(fs.pauses) == min(times, 8)
        assert {entry.name for entry in folder.iterdir()} == {"a", ".agentbrief.lock"}


def other_device(folder: Path) -> Path | None:
    """A folder on another device than ``folder``, if there is one to be had."""
    there = Path(tempfile.mkdtemp(dir=tempfile.gettempdir()))
    if there.stat().st_dev != folder.stat().st_dev:
        return there
    there.rmdir()
    return None


def test_a_real_move_across_devices_keeps_content_and_times() -> None:
    with scratch() as folder:
        there = other_device(folder)
        if there is None:
            pytest.skip("there is only one device")
        try:
            path = folder / "a"
            path.write_bytes(OLD)
            os.utime(path, (1_700_000_000, 1_700_000_000))
            stamp = stamp_of(FS(), str(path)) or _never()
            with hold(FS(), str(folder), caller(), also=real_roots(FS(), (str(there),))) as held:
                move(held, str(path), str(there / "b"), expect=stamp)
            assert not path.exists()
            assert (there / "b").read_bytes() == OLD
            assert (there / "b").stat().st_mtime == 1_700_000_000
        finally:
            (there / "b").unlink(missing_ok=True)
            there.rmdir()


@pytest.mark.parametrize("kind", ["link", "second name", "folder", "pipe"])
@pytest.mark.parametrize("act", ["append", "replace", "remove", "move"])
def test_only_plain_files_of_one_name_are_changed(kind: str, act: str) -> None:
    with scratch() as folder:
        path, other = folder / "a", folder / "other"
        other.write_bytes(OLD)
        if kind == "link":
            path.symlink_to(other)
        elif kind == "second name":
            os.link(other, path)
        elif kind == "folder":
            path.mkdir()
        else:
            os.mkfifo(path)
        with hold(FS(), str(folder), caller()) as held, pytest.raises(Refused) as raised:
            ACTS[act](held, folder)
        assert raised.value.what in ("not-a-file", "several-names")
        assert other.read_bytes() == OLD
        assert {entry.name for entry in folder.iterdir()} == {"a", "other", ".agentbrief.lock"}


class Anothers(FS):
    """Everything belongs to another user."""

    def is_ours(self, status: os.stat_result) -> bool:
        return False


@pytest.mark.parametrize("act", ["append", "replace", "remove", "move"])
def test_a_file_of_another_user_is_not_changed(act: str) -> None:
    with scratch() as folder:
        (folder / "a").write_bytes(OLD)
        with hold(Anothers(), str(folder), caller()) as held, pytest.raises(Refused) as raised:
            ACTS[act](held, folder)
        assert raised.value.what == "not-ours"
        assert (folder / "a").read_bytes() == OLD


def test_a_mode_is_kept_and_a_new_file_is_private() -> None:
    with scratch() as folder:
        path = folder / "a"
        path.write_bytes(OLD)
        path.chmod(0o640)
        with hold(FS(), str(folder), caller()) as held:
            replace(held, str(path), b"new", expect=stamp_of(FS(), str(path)))
            append(held, str(folder / "b"), b"{}")
            create(FS(), str(folder / "c"), b"{}", held.roots)
            make_folder(FS(), str(folder / "d" / "e"), held.roots)
        modes = {entry.name: entry.stat().st_mode & 0o777 for entry in folder.iterdir()}
        assert modes == {"a": 0o640, "b": 0o600, "c": 0o600, "d": 0o700, ".agentbrief.lock": 0o600}


def test_content_is_never_replaced_by_nothing() -> None:
    with scratch() as folder:
        path = folder / "a"
        path.write_bytes(OLD)
        with hold(FS(), str(folder), caller()) as held, pytest.raises(Refused) as raised:
            replace(held, str(path), b"", expect=stamp_of(FS(), str(path)))
        assert raised.value.what == "would-empty"
        assert path.read_bytes() == OLD


def test_a_record_is_one_line() -> None:
    with scratch() as folder, hold(FS(), str(folder), caller()) as held:
        for record in (b"", b"\n", b"{}\n", b'{"a":\n1}'):
            with pytest.raises(ValueError, match="one line"):
                append(held, str(folder / "a"), record)
        with pytest.raises(Refused) as raised:
            append(held, str(folder / "a"), b"x" * (16 * 1024 * 1024 + 1))
        assert raised.value.what == "record-too-large"
        append(held, str(folder / "a"), '{"a":"\u2028\u0085"}'.encode())
        assert not (folder / "a").read_bytes().endswith(b"\n\n")


def test_a_name_that_is_taken_is_never_touched() -> None:
    with scratch() as folder:
        (folder / "a").write_bytes(OLD)
        (folder / "b").write_bytes(b"b")
        with hold(FS(), str(folder), caller()) as held:
            for act in (
                lambda: create(FS(), str(folder / "a"), b"new", held.roots),
                lambda: replace(held, str(folder / "a"), b"new", expect=None),
                lambda: move(
                    held,
                    str(folder / "b"),
                    str(folder / "a"),
                    expect=stamp_of(FS(), str(folder / "b")) or _never(),
                ),
            ):
                with pytest.raises(Refused) as raised:
                    act()
                assert raised.value.what in ("exists", "changed")
        assert tree(folder) == {"a": OLD, "b": b"b"}


def test_what_a_crash_left_is_swept_after_five_minutes() -> None:
    now_ns = 1_796_000_000_000_000_000
    with scratch() as folder:
        for name, age_seconds in ((".agentbrief-0a.tmp", 301), (".agentbrief-0b.tmp", 299), ("x.tmp", 9999)):
            (folder / name).write_bytes(b"")
            moment = now_ns - age_seconds * 1_000_000_000
            os.utime(folder / name, ns=(moment, moment))
        with hold(FS(), str(folder), caller(now_ns=now_ns)) as held:
            assert sweep(held, str(folder)) == (".agentbrief-0a.tmp",)
            assert sweep(held, str(folder / "none")) == ()
        assert {path.name for path in folder.iterdir()} == {".agentbrief-0b.tmp", "x.tmp", ".agentbrief.lock"}
