"""R1 and R8: compactions, checkpoints and restores on a disk that fails at each of its calls."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agentbrief.changes.apply import Site, apply
from agentbrief.changes.steps import AppendRecord
from agentbrief.checkpoints.capture import Moment, capture
from agentbrief.checkpoints.checkpoint import checkpoint_of
from agentbrief.checkpoints.listing import checkpoints_in
from agentbrief.checkpoints.restore import NoRestore
from agentbrief.disk.lock import Caller
from agentbrief.disk.refusal import Refused
from agentbrief.disk.seam import FS, Folder
from tests.compaction.store import compacted, read, restored, roots_of
from tests.disk.faults import Operation, Tree, caller, judge, scenarios, scratch

LINES = [
    b'{"type":"session_meta","version":1,"session_id":"s","updated_at_ms":9,"created_at_ms":5}',
    *(
        b'{"type":"message","message":{"role":"user","blocks":[{"type":"text","text":"m%d"}]},"n":%d}'
        % (number, 10**39 + number)
        for number in range(8)
    ),
]
SESSION = b"\r\n".join((*LINES, b""))
INDEX = ".agentbrief/checkpoints/index.jsonl"
COPY = ".agentbrief/checkpoints/k1.jsonl"
PRESENT = ".agentbrief/checkpoints/r1.jsonl"


def compact(fs: FS, folder: Path, caller: Caller) -> None:
    compacted(fs, str(folder / "s.jsonl"), caller, "k1")


def checkpoint(fs: FS, folder: Path, caller: Caller) -> None:
    path = str(folder / "s.jsonl")
    known = checkpoints_in(fs, str(folder), roots_of(fs, str(folder)))
    kept = capture(known, path, read(FS(), path).stamp, "s", Moment("k1", "asked", 5, 8, 9))
    apply(Site(fs, str(folder), caller), kept.steps)


def restore(fs: FS, folder: Path, caller: Caller) -> None:
    item = checkpoints_in(FS(), str(folder), roots_of(FS(), str(folder))).by_id("k1")
    assert item is not None
    plan, _ = restored(fs, str(folder / "s.jsonl"), caller, "r1", item)
    if isinstance(plan, NoRestore):
        raise Refused("copy-differs", plan.path)


def make_room(fs: FS, folder: Path, caller: Caller) -> None:
    path = str(folder / "s.jsonl")
    known = checkpoints_in(fs, str(folder), roots_of(fs, str(folder)))
    moment = Moment("k2", "asked", 6, 8, 9)
    kept = capture(known, path, read(FS(), path).stamp, "s", moment, keep=1)
    apply(Site(fs, str(folder), caller), (*kept.steps, *kept.later))


def result_of(*operations: Callable[[FS, Path, Caller], None]) -> Tree:
    """The files that the operations leave on a sound disk."""
    with scratch() as folder:
        (folder / "s.jsonl").write_bytes(SESSION)
        for operation in operations:
            operation(FS(), folder, caller())
        return seen({str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*.jsonl")})


def seen(found: Tree) -> Tree:
    """A tree without empty folders and lock files; a last line of the index that is cut is left out."""
    files: Tree = {
        path: data
        for path, data in found.items()
        if data is not None and not path.endswith((".lock", "manifest.jsonl"))
    }
    if INDEX in files:
        lines = [line for line in (files[INDEX] or b"").split(b"\n") if checkpoint_of(line)]
        files[INDEX] = b"\n".join((*lines, b"")) if lines else b""
        if not lines:
            del files[INDEX]
    return files


def operation(name: str, run: Callable[[FS, Path, Caller], None], *before: Any) -> Operation:
    start, end = result_of(*before), result_of(*before, run)

    def prepare(folder: Path) -> None:
        for path, data in start.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(data or b"")

    def is_untouched(earlier: Tree, found: Tree) -> bool:
        return seen(found) == start

    def is_between(earlier: Tree, found: Tree) -> bool:
        """Copies and records may be there already; the session is the old or the new one, with its copy."""
        files = seen(found)
        changed = files.get("s.jsonl") == end["s.jsonl"] != start["s.jsonl"]
        if changed:
            return files == end
        return files.get("s.jsonl") == start["s.jsonl"] and all(
            data == end.get(path) or data == start.get(path) for path, data in files.items()
        )

    def again(fs: FS, folder: Path, caller: Caller) -> None:
        apply(Site(fs, str(folder), caller), [AppendRecord(str(folder / "log.jsonl"), b"{}")])

    def is_healed(earlier: Tree, found: Tree) -> bool:
        return found.get("log.jsonl") == b"{}\n" and is_between(
            earlier, {path: data for path, data in found.items() if path != "log.jsonl"}
        )

    return Operation(
        name, prepare, run, is_after=lambda earlier, found: seen(found) == end, is_untouched=is_untouched,
        is_crash_state=is_between, again=again, is_healed=is_healed,
    )  # fmt: skip


OPERATIONS = (
    operation("compact", compact),
    operation("checkpoint", checkpoint),
    operation("checkpoint that makes room", make_room, checkpoint),
    operation("restore", restore, compact),
)


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)
def test_every_promise_holds_whichever_call_fails(operation: Operation) -> None:
    wrong: list[str] = []
    count = 0
    with scratch() as folder:
        for outcome in scenarios(operation, folder):
            count += 1
            wrong += judge(operation, outcome, folder)
    assert wrong == []
    assert count > 400


class Damaging(FS):
    """A disk that damages what it writes below our folder, or gives back something else of it."""

    def __init__(self, how: str) -> None:
        self.how = how
        self.copies: set[int] = set()
        self.reads = 0

    def create(self, folder: Folder, name: str) -> int:
        descriptor = super().create(folder, name)
        if folder.path.endswith("checkpoints"):
            self.copies.add(descriptor)
        return descriptor

    def write(self, descriptor: int, data: bytes) -> int:
        if descriptor in self.copies and self.how.startswith("write"):
            damaged = {
                "write-flip": bytes((data[0] ^ 1,)) + data[1:],
                "write-last": data[:-1] + b"#",
                "write-zeros": b"\0" * len(data),
                "write-half": data[: len(data) // 2] + b"\0" * (len(data) - len(data) // 2),
                "write-swapped": data[::-1],
            }[self.how]
            os.write(descriptor, damaged)
            return len(data)
        return super().write(descriptor, data)

    def read(self, descriptor: int, size: int) -> bytes:
        return self._seen(descriptor, super().read(descriptor, size))

    def pread(self, descriptor: int, size: int, offset: int) -> bytes:
        return self._seen(descriptor, super().pread(descriptor, size, offset))

    def _seen(self, descriptor: int, data: bytes) -> bytes:
        name = self.path_of(descriptor) or ""
        if not data or not self.how.startswith("read") or "checkpoints" not in name or "index" in name:
            return data
        return {
            "read-flip": bytes((data[0] ^ 1,)) + data[1:],
            "read-last": data[:-1] + b"#",
            "read-short": data[:-1],
            "read-zeros": b"\0" * len(data),
            "read-nothing": b"",
        }[self.how]


HOW = (
    "write-flip", "write-last", "write-zeros", "write-half", "write-swapped", "read-flip", "read-last",
    "read-short", "read-zeros", "read-nothing",
)  # fmt: skip


@pytest.mark.parametrize("how", HOW)
def test_r8_a_checkpoint_that_is_damaged_stops_the_compaction(tmp_path: Path, how: str) -> None:
    """R8 Damaged when it is written or when it is read back: nothing is compacted."""
    path = tmp_path / "s.jsonl"
    path.write_bytes(SESSION)
    before = hashlib.sha256(SESSION).hexdigest()
    with pytest.raises(Refused) as refused:
        compacted(Damaging(how), str(path), caller(), "k1")
    assert refused.value.what == "copy-differs" and refused.value.untouched == "nothing-changed"
    assert hashlib.sha256(path.read_bytes()).hexdigest() == before
    assert not (tmp_path / COPY).exists() and not (tmp_path / INDEX).exists()
    compacted(FS(), str(path), caller(), "k1")
    assert path.read_bytes() != SESSION and (tmp_path / COPY).read_bytes() == SESSION


def test_the_trees_of_the_loop_are_what_they_should_be() -> None:
    after = result_of(compact, restore)
    assert after["s.jsonl"] == after[COPY] == SESSION and after[PRESENT] == result_of(compact)["s.jsonl"]
    assert len([line for line in (after[INDEX] or b"").split(b"\n") if line]) == 2
