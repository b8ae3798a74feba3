"""The operations of the room ``disk``, laid out for the failing disk."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

from agentbrief.disk.append import append
from agentbrief.disk.copy import copy_verified
from agentbrief.disk.create import create
from agentbrief.disk.folder import make_folder, stamp_of
from agentbrief.disk.lock import Caller, hold
from agentbrief.disk.move import move, remove
from agentbrief.disk.read import real_roots
from agentbrief.disk.replace import replace, shorten
from agentbrief.disk.seam import FS, Folder
from tests.disk.faults import Operation, Tree

OLD = b'{"id":"1"}\n{"id":"2"}\n'
TORN = b'{"id":"1"}\n{"id":"2'
RECORD = b'{"id":"3","text":"' + b"x" * 200 + b'"}'
NEW = b'{"all":"new"}\n' * 20


def lines_of(data: bytes | None) -> list[bytes]:
    return (data or b"").split(b"\n")


def stamp(folder: Path, name: str) -> Any:
    return stamp_of(FS(), str(folder / name))


def appending(name: str, start: bytes | None) -> Operation:
    path = "a.jsonl"

    def prepare(folder: Path) -> None:
        if start is not None:
            (folder / path).write_bytes(start)

    def run(fs: FS, folder: Path, caller: Caller) -> None:
        with hold(fs, str(folder), caller) as held:
            append(held, str(folder / path), RECORD)

    def again(fs: FS, folder: Path, caller: Caller) -> None:
        with hold(fs, str(folder), caller) as held:
            append(held, str(folder / path), b'{"id":"next"}')

    first = start or b""
    ended = first + (b"\n" if first and not first.endswith(b"\n") else b"")

    def is_torn(before: Tree, after: Tree) -> bool:
        found = after.get(path)
        return found is not None and found.startswith(first) and (ended + RECORD + b"\n").startswith(found)

    def is_healed(before: Tree, after: Tree) -> bool:
        lines = lines_of(after.get(path))
        whole = [line for line in lines_of(start) if line.endswith(b"}")]
        return lines[-2:] == [b'{"id":"next"}', b""] and lines[: len(whole)] == whole

    return Operation(
        name, prepare, run,
        is_after=lambda before, after: after == {**before, path: ended + RECORD + b"\n"},
        is_power_state=lambda before, after: (after.get(path) or b"").startswith(first),
        is_torn=is_torn, again=again, is_healed=is_healed,
    )  # fmt: skip


def replacing(name: str, start: bytes | None) -> Operation:
    path = "s.json"

    def prepare(folder: Path) -> None:
        if start is not None:
            (folder / path).write_bytes(start)
            (folder / path).chmod(0o640)

    def run(fs: FS, folder: Path, caller: Caller) -> None:
        with hold(fs, str(folder), caller) as held:
            replace(held, str(folder / path), NEW, expect=stamp(folder, path))

    def again(fs: FS, folder: Path, caller: Caller) -> None:
        with hold(fs, str(folder), caller) as held:
            replace(held, str(folder / path), b"later", expect=stamp(folder, path))

    return Operation(
        name, prepare, run,
        is_after=lambda before, after: after == {**before, path: NEW},
        again=again, is_healed=lambda before, after: after == {**before, path: b"later"},
    )  # fmt: skip


def creating() -> Operation:
    def run(fs: FS, folder: Path, caller: Caller) -> None:
        create(fs, str(folder / "new.md"), NEW, real_roots(FS(), (str(folder),)))

    def again(fs: FS, folder: Path, caller: Caller) -> None:
        with hold(fs, str(folder), caller) as held:
            replace(held, str(folder / "new.md"), b"later", expect=stamp(folder, "new.md"))

    return Operation(
        "create", lambda folder: None, run,
        is_after=lambda before, after: after == {"new.md": NEW},
        again=again, is_healed=lambda before, after: after == {"new.md": b"later"},
    )  # fmt: skip


def copying() -> Operation:
    def prepare(folder: Path) -> None:
        (folder / "a.jsonl").write_bytes(NEW)

    def run(fs: FS, folder: Path, caller: Caller) -> None:
        roots = real_roots(FS(), (str(folder),))
        copy_verified(fs, str(folder / "a.jsonl"), str(folder / "copy"), read_roots=roots, roots=roots)

    return Operation("copy", prepare, run, lambda before, after: after == {**before, "copy": NEW})


def across_devices(fs: FS) -> FS:
    """``fs``, now with each folder on a device of its own."""
    within_one = fs.replace

    def replace(folder: Folder, name: str, target: Folder, target_name: str) -> None:
        if folder.path != target.path:
            raise OSError(errno.EXDEV, os.strerror(errno.EXDEV))
        within_one(folder, name, target, target_name)

    fs.replace = replace  # type: ignore[method-assign]
    return fs


def moving(name: str, across: bool) -> Operation:
    def prepare(folder: Path) -> None:
        (folder / "trash").mkdir()
        (folder / "a.jsonl").write_bytes(NEW)
        os.utime(folder / "a.jsonl", (1_700_000_000, 1_700_000_000))

    def run(fs: FS, folder: Path, caller: Caller) -> None:
        disk = across_devices(fs) if across else fs
        with hold(disk, str(folder), caller) as held:
            move(held, str(folder / "a.jsonl"), str(folder / "trash" / "a"), expect=stamp(folder, "a.jsonl"))

    def again(fs: FS, folder: Path, caller: Caller) -> None:
        with hold(fs, str(folder), caller) as held:
            if (folder / "a.jsonl").exists():
                append(held, str(folder / "a.jsonl"), b"{}")

    after = {"trash": None, "trash/a": NEW}
    return Operation(
        name, prepare, run,
        is_after=lambda before, found: found == after,
        is_crash_state=lambda before, found: across and found == {**before, "trash/a": NEW},
        is_power_state=lambda before, found: found == {**before, "trash/a": NEW},
        again=again,
        is_healed=lambda before, found: NEW in (found.get("trash/a"), (found.get("a.jsonl") or b"")[:280]),
    )  # fmt: skip


def removing() -> Operation:
    def prepare(folder: Path) -> None:
        (folder / "a").write_bytes(OLD)

    def run(fs: FS, folder: Path, caller: Caller) -> None:
        with hold(fs, str(folder), caller) as held:
            remove(held, str(folder / "a"), expect=stamp(folder, "a"))

    return Operation("remove", prepare, run, lambda before, after: after == {})


def shortening() -> Operation:
    def prepare(folder: Path) -> None:
        (folder / "a").write_bytes(OLD + RECORD + b"\n")

    def run(fs: FS, folder: Path, caller: Caller) -> None:
        with hold(fs, str(folder), caller) as held:
            shorten(held, str(folder / "a"), len(OLD), expect=stamp(folder, "a"))

    return Operation("shorten", prepare, run, lambda before, after: after == {"a": OLD})


def making_a_folder() -> Operation:
    def run(fs: FS, folder: Path, caller: Caller) -> None:
        make_folder(fs, str(folder / "x" / "y"), real_roots(FS(), (str(folder),)))

    return Operation(
        "make folder", lambda folder: None, run,
        is_after=lambda before, after: after == {"x": None, "x/y": None},
        is_torn=lambda before, after: after == {"x": None},
    )  # fmt: skip


OPERATIONS = (
    appending("append", OLD),
    appending("append after a torn line", TORN),
    appending("append to a new file", None),
    replacing("replace", OLD),
    replacing("save a new file", None),
    creating(),
    copying(),
    moving("move", across=False),
    moving("move across devices", across=True),
    removing(),
    shortening(),
    making_a_folder(),
)
