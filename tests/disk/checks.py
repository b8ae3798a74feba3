"""The promises as questions to be asked of any version of the code: each yields what is wrong, in words."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

from agentbrief.disk.lock import LOCK_NAME, hold
from agentbrief.disk.read import FileBytes, read_bytes, real_roots
from agentbrief.disk.refusal import Conflict, Refused
from agentbrief.disk.replace import replace
from agentbrief.disk.seam import FS, Folder
from tests.disk.faults import Operation, caller, judge, scenarios, scratch, tree
from tests.disk.operations import NEW, OLD, stamp


def after_each_failing_call(operation: Operation) -> Iterator[str]:
    with scratch() as folder:
        for outcome in scenarios(operation, folder):
            yield from judge(operation, outcome, folder)


class Damaging(FS):
    """A disk that writes one byte of the ``at``-th write wrong and does not say so."""

    def __init__(self, at: int) -> None:
        super().__init__()
        self.at = at
        self.writes = 0

    def write(self, descriptor: int, data: bytes) -> int:
        self.writes += 1
        if self.writes == self.at and data:
            data = data[:-1] + bytes([data[-1] ^ 1])
        return super().write(descriptor, data)


def with_a_damaged_copy(operation: Operation, originals: tuple[bytes, ...]) -> Iterator[str]:
    """Whatever is written wrong, each of the ``originals`` is found somewhere afterwards."""
    at = 0
    while True:
        at += 1
        with scratch() as folder:
            operation.prepare(folder)
            fs = Damaging(at)
            end = "done"
            try:
                operation.run(fs, folder, caller())
            except Refused as refusal:
                end = str(refusal)
            if fs.writes < at:
                return
            contents = set(tree(folder).values())
            for original in originals:
                if original not in contents:
                    yield f"{operation.name}: write {at} was damaged, {end}, and an original is gone"


class LockProbe(FS):
    """Notes each call that changes a file while the lock of its store is free."""

    def __init__(self, store: Path) -> None:
        super().__init__()
        self.store = store
        self.unlocked: list[str] = []

    def _look(self, name: str) -> None:
        descriptor = os.open(self.store / LOCK_NAME, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return
        finally:
            os.close(descriptor)
        self.unlocked.append(f"{name} without the lock")

    def write(self, descriptor: int, data: bytes) -> int:
        self._look("write")
        return super().write(descriptor, data)

    def truncate(self, descriptor: int, size: int) -> None:
        self._look("truncate")
        super().truncate(descriptor, size)

    def replace(self, folder: Folder, name: str, target: Folder, target_name: str) -> None:
        self._look("replace")
        super().replace(folder, name, target, target_name)

    def unlink(self, folder: Folder, name: str) -> None:
        self._look("unlink")
        super().unlink(folder, name)


def under_the_lock(operation: Operation) -> Iterator[str]:
    with scratch() as folder:
        operation.prepare(folder)
        fs = LockProbe(folder)
        operation.run(fs, folder, caller())
        for text in fs.unlocked:
            yield f"{operation.name}: {text}"


class Hooked(FS):
    """Calls ``hook`` before the ``at``-th call, as another process that comes in between."""

    def __init__(self, at: int, hook: object) -> None:
        super().__init__()
        self.at = at
        self.calls: list[str] = []
        self._hook = hook

    def __getattribute__(self, name: str) -> object:
        value = super().__getattribute__(name)
        if name.startswith("_") or name not in _SEAM:
            return value

        def call(*arguments: object) -> object:
            self.calls.append(name)
            if len(self.calls) == self.at:
                self._hook()  # type: ignore[operator]
            return value(*arguments)

        return call


_SEAM = frozenset(
    name
    for name, value in vars(FS).items()
    if callable(value) and not name.startswith("_") and name != "pause"
)


def changes_of(path: Path) -> dict[str, object]:
    """What another process may do to a file: each kind with the bytes it leaves."""
    other = b'{"other":1}\n'

    def appended() -> None:
        with path.open("ab") as file:
            file.write(other)

    def overwritten() -> None:
        status = path.stat()
        with path.open("r+b") as file:
            file.write(b"#" * len(OLD))
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))

    def emptied() -> None:
        path.write_bytes(b"")

    def exchanged() -> None:
        twin = path.with_name("twin")
        twin.write_bytes(OLD)
        twin.replace(path)

    def removed() -> None:
        path.unlink()

    return {
        "appended": appended,
        "overwritten at the same size and time": overwritten,
        "emptied": emptied,
        "exchanged": exchanged,
        "removed": removed,
    }


def between_read_and_replace() -> Iterator[str]:
    """What is wrong at any of the places that :func:`hooks_of_a_rewrite` tries."""
    return (wrong for wrong in hooks_of_a_rewrite() if wrong)


def hooks_of_a_rewrite() -> Iterator[str]:
    """Another process changes the file before any call of a rewrite: it is refused and nothing is lost.

    Yields what is wrong, or nothing, for each kind of change at each call.

    Two kinds of change cannot be seen if they come between the last look and the rename that follows at once:
    a file that was exchanged, and one that was removed.
    """
    for kind in changes_of(Path("x")):
        at = 0
        while True:
            at += 1
            with scratch() as folder:
                path = folder / "s.json"
                path.write_bytes(OLD)
                planned_on = stamp(folder, "s.json")
                read = read_bytes(FS(), str(path), real_roots(FS(), (str(folder),)), 1 << 20)
                assert isinstance(read, FileBytes) and read.stamp.size == planned_on.size
                left: list[bytes | None] = []

                def hook(kind: str = kind, path: Path = path, left: list[bytes | None] = left) -> None:
                    changes_of(path)[kind]()  # type: ignore[operator]
                    left.append(path.read_bytes() if path.exists() else None)

                fs = Hooked(at, hook)
                end = "done"
                with hold(FS(), str(folder), caller()) as held:
                    own = type(held)(fs, held.store, held.roots, held.caller)
                    try:
                        replace(own, str(path), NEW, expect=read.stamp)
                    except Conflict:
                        end = "conflict"
                    except Refused as refusal:
                        end = str(refusal)
                if not left or "replace" in fs.calls[: at - 1]:
                    break
                gap = fs.calls[at - 1] == "replace" and kind in ("exchanged", "removed")
                found = path.read_bytes() if path.exists() else None
                if gap or (end == "conflict" and found == left[0]):
                    yield ""
                else:
                    yield f"{kind} before call {at} ({fs.calls[at - 1]}): {end}, and {found!r} is there"
