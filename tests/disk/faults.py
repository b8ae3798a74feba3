"""A disk that fails: call 1, 2, 3 … of the seam is refused, cut short, or the last thing the process did.

``scenarios`` runs an operation again and again, each time with the next call failing, until no call is left
to fail; ``judge`` holds the result against the promises of the README. Any operation that touches files
through ``agentbrief.disk.seam.FS`` can be put through it: see ``Operation``.
"""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from agentbrief.disk.lock import LOCK_NAME, Caller
from agentbrief.disk.refusal import Refused
from agentbrief.disk.seam import FS, Process
from agentbrief.disk.temporary import is_temporary

RAM_DISK = Path("/dev/shm")

CALLS = (
    "lstat", "stat", "fstat", "real_path", "names", "scan", "open_read", "read", "pread",
    "open_folder", "lstat_in", "lstat_each", "names_in", "open_in", "create", "open_append", "write",
    "truncate",
    "set_mode", "set_modified", "sync", "sync_folder", "replace", "link", "unlink", "make_folder",
    "remove_folder",
)  # fmt: skip
OPENS = ("open_read", "open_in", "create", "open_append")
ERRORS = ("EIO", "ENOSPC", "EACCES", "EROFS")


class Crash(BaseException):
    """The process is gone."""


@dataclass(frozen=True)
class Fault:
    """What happens at the call ``at`` (counted from 1).

    ``kind`` is ``crash``, ``crash-after`` (the call had its effect), an error's name, or ``short`` for a
    write that takes ``part`` of its bytes; ``then`` is the error of the calls after a short write. ``times``
    is how many calls in a row fail, 0: each from then on.
    """

    at: int
    kind: str
    times: int = 1
    part: str = ""
    then: str = ""

    def __str__(self) -> str:
        return " ".join(filter(None, (f"call {self.at}:", self.kind, self.part, self.then, f"x{self.times}")))


class FaultyFS(FS):
    """The real disk, with one fault. ``log`` lists the calls; ``fired`` tells whether the fault was met.

    After a crash nothing works any more, descriptors are closed as the system closes them, and the process
    ``dead_pid`` no longer runs.
    """

    def __init__(self, fault: Fault | None = None, dead_pid: int = 0) -> None:
        super().__init__()
        self.fault = fault
        self.log: list[str] = []
        self.fired = False
        self.crashed = False
        self.open: set[int] = set()
        self._dead_pid = dead_pid
        self._broken = ""
        self._left = 0

    def process(self, pid: int) -> Process | None:
        if pid == self._dead_pid:
            return None
        return super().process(pid)

    def close(self, descriptor: int) -> None:
        self.open.discard(descriptor)
        super().close(descriptor)
        if self._broken and self._left and not self.crashed:
            raise planted(self._broken)

    def drop_all(self) -> None:
        """Close what a crash left open."""
        for descriptor in tuple(self.open):
            self.open.discard(descriptor)
            os.close(descriptor)

    def _call(self, name: str, arguments: tuple[Any, ...]) -> Any:
        if self.crashed:
            raise Crash
        self.log.append(name)
        fault = self.fault
        if self._broken and self._left != 0:
            self._left -= 1
            raise planted(self._broken)
        if fault is None or len(self.log) != fault.at:
            return self._real(name, arguments)
        self.fired = True
        if fault.kind in ("crash", "crash-after"):
            self.crashed = True
            if fault.kind == "crash-after":
                self._real(name, arguments)
            elif name == "write":
                descriptor, data = arguments
                os.write(descriptor, data[: len(data) // 2])
            raise Crash
        if fault.kind == "short":
            descriptor, data = arguments
            size = {"0": 0, "1": 1, "half": len(data) // 2, "most": len(data) - 1}[fault.part]
            self._broken, self._left = fault.then, -1
            return os.write(descriptor, data[:size]) if size else 0
        self._broken, self._left = fault.kind, fault.times - 1
        raise planted(fault.kind)

    def _real(self, name: str, arguments: tuple[Any, ...]) -> Any:
        result = getattr(super(), name)(*arguments)
        if name in OPENS:
            self.open.add(result)
        elif name == "open_folder" and result.descriptor is not None:
            self.open.add(result.descriptor)
        return result


def _watched(name: str) -> Callable[..., Any]:
    def call(self: FaultyFS, *arguments: Any) -> Any:
        return self._call(name, arguments)

    return call


def _close_folder(self: FaultyFS, folder: Any) -> None:
    if folder.descriptor is not None:
        self.close(folder.descriptor)


for _name in CALLS:
    setattr(FaultyFS, _name, _watched(_name))
FaultyFS.close_folder = _close_folder  # type: ignore[method-assign]


def planted(name: str) -> OSError:
    number = getattr(errno, name)
    return OSError(number, os.strerror(number))


def caller(pid: int | None = None, now_ns: int = 1_796_000_000_000_000_000) -> Caller:
    """Someone whose clock stands still and whose pauses take no time."""
    return Caller(os.getpid() if pid is None else pid, lambda: now_ns, lambda seconds: None)


Tree = dict[str, bytes | None]
"""Paths below a folder with their contents; None for a folder. Our temporary files and lock are left out."""


def tree(folder: Path) -> Tree:
    found: Tree = {}
    for path in sorted(folder.rglob("*")):
        if is_temporary(path.name) or path.name == LOCK_NAME:
            continue
        found[str(path.relative_to(folder))] = None if path.is_dir() else path.read_bytes()
    return found


@dataclass
class Operation:
    """Something that must keep its promises on a failing disk.

    ``prepare`` lays out an empty folder. ``run`` does it. ``is_after`` says whether a tree is the wanted
    result, ``is_untouched`` whether nothing of the user's changed, ``is_torn`` and ``is_crash_state`` whether
    it is one that a crash or a failed roll-back may leave and that is reported or healed. ``again`` does it,
    or something like it, once more on a sound disk, after which ``is_healed`` holds.
    """

    name: str
    prepare: Callable[[Path], None]
    run: Callable[[FS, Path, Caller], Any]
    is_after: Callable[[Tree, Tree], bool]
    is_torn: Callable[[Tree, Tree], bool] = field(default=lambda before, after: False)
    again: Callable[[FS, Path, Caller], Any] | None = None
    is_healed: Callable[[Tree, Tree], bool] = field(default=lambda before, after: True)
    is_crash_state: Callable[[Tree, Tree], bool] = field(default=lambda before, after: False)
    is_power_state: Callable[[Tree, Tree], bool] = field(default=lambda before, after: False)
    is_untouched: Callable[[Tree, Tree], bool] = field(default=lambda before, after: after == before)


@contextmanager
def scratch() -> Iterator[Path]:
    """An empty folder, on a RAM disk if there is one."""
    place = RAM_DISK if RAM_DISK.is_dir() and os.access(RAM_DISK, os.W_OK) else None
    folder = Path(tempfile.mkdtemp(prefix="agentbrief-", dir=place))
    try:
        yield Path(os.path.realpath(folder))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def faults_at(call: int, name: str) -> Iterator[Fault]:
    """Every fault of the call ``call``, which is one of ``name``."""
    yield Fault(call, "crash")
    yield Fault(call, "crash-after")
    for error in ERRORS:
        yield Fault(call, error)
    yield Fault(call, "EIO", times=2)
    yield Fault(call, "EIO", times=0)
    yield Fault(call, "ENOSPC", times=0)
    if name == "write":
        for part in ("0", "1", "half", "most"):
            yield Fault(call, "short", part=part)
            yield Fault(call, "short", part=part, then="ENOSPC")
            yield Fault(call, "short", part=part, then="EIO")


@dataclass(frozen=True)
class Outcome:
    """How one run ended: ``done``, ``refused`` (with the refusal) or ``crash``; anything else is a fault."""

    fault: Fault
    end: str
    refusal: Refused | None
    before: Tree
    after: Tree
    leaked: int


def attempt(operation: Operation, folder: Path, fault: Fault) -> tuple[Outcome, FaultyFS]:
    operation.prepare(folder)
    before = tree(folder)
    fs = FaultyFS(fault)
    end, refusal = "done", None
    try:
        operation.run(fs, folder, caller())
    except Refused as error:
        end, refusal = "refused", error
    except Crash:
        end = "crash"
    leaked = 0 if end == "crash" else len(fs.open)
    fs.drop_all()
    return Outcome(fault, end, refusal, before, tree(folder), leaked), fs


def scenarios(operation: Operation, folder: Path) -> Iterator[Outcome]:
    """The outcome of each fault at each call, until the operation ends before the call comes."""
    probe = FaultyFS()
    with scratch() as clean:
        operation.prepare(clean)
        operation.run(probe, clean, caller())
    call = 0
    while True:
        call += 1
        name = probe.log[call - 1] if call <= len(probe.log) else ""
        met = False
        for fault in faults_at(call, name):
            empty(folder)
            outcome, fs = attempt(operation, folder, fault)
            met = met or fs.fired
            if fs.fired:
                yield outcome
        if not met:
            return


def empty(folder: Path) -> None:
    for path in folder.iterdir():
        shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()


def judge(operation: Operation, outcome: Outcome, folder: Path) -> list[str]:
    """What is wrong with an outcome, in words; nothing if every promise holds, also when it is done again."""
    before, after = outcome.before, outcome.after
    wrong: list[str] = []
    if outcome.leaked:
        wrong.append(f"{outcome.leaked} descriptors left open")
    if outcome.end == "done" and not operation.is_after(before, after):
        wrong.append("said done, but the result is not there")
    if outcome.end == "refused":
        assert outcome.refusal is not None
        untouched = outcome.refusal.untouched
        is_known = any(
            judgement(before, after)
            for judgement in (operation.is_after, operation.is_torn, operation.is_crash_state)
        )
        allowed = {
            "nothing-changed": operation.is_untouched(before, after),
            "undone": operation.is_untouched(before, after),
            "tail-torn": operation.is_untouched(before, after) or is_known,
            "unsure": operation.is_untouched(before, after) or is_known,
            "partly-done": operation.is_untouched(before, after) or is_known,
        }
        if not allowed[untouched]:
            wrong.append(f"said {outcome.refusal}, but the disk shows something else")
    if outcome.end == "crash" and not (
        operation.is_untouched(before, after)
        or operation.is_after(before, after)
        or operation.is_torn(before, after)
        or operation.is_crash_state(before, after)
    ):
        wrong.append("a crash left a state that is neither old nor new")
    if operation.again is not None:
        try:
            operation.again(FaultyFS(dead_pid=os.getpid()), folder, caller(pid=os.getppid()))
        except Refused as refusal:
            wrong.append(f"could not go on afterwards: {refusal}")
        else:
            if not operation.is_healed(before, tree(folder)):
                wrong.append("went on afterwards, but something is lost")
    return [f"{operation.name}, {outcome.fault}, {outcome.end}: {text}" for text in wrong]
