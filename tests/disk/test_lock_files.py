"""R12 Lock files of OpenClaw: a live one is never taken, a dead one at once, an unreadable one never."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from agentbrief.changes.openclaw_lock import OPENCLAW_LOCK
from agentbrief.disk.lock import Caller, hold
from agentbrief.disk.refusal import Refused
from agentbrief.disk.seam import FS, Folder
from agentbrief.disk.sidecar import hold_beside
from tests.disk.faults import scratch
from tests.disk.processes import needs_fork

NOW_NS = 1_796_040_000_123_000_000
NOW = "2026-11-30T12:00:00.123Z"
DAY = "2026-12-01T12:00:00.123Z"
DAY_AGO = "2026-11-29T12:00:00.123Z"
LONG_AGO = "2026-01-01T00:00:00.000Z"


@dataclass(frozen=True)
class Pids:
    """Process numbers: one that runs, when it started, one that is gone, one whose exit nobody asked for."""

    live: int
    start: int | None
    dead: int
    zombie: int


@pytest.fixture(scope="module")
def pids() -> Iterator[Pids]:
    live = os.fork()
    if not live:
        signal.pause()
        os._exit(0)
    dead = os.fork()
    if not dead:
        os._exit(0)
    os.waitpid(dead, 0)
    zombie = os.fork()
    if not zombie:
        os._exit(0)
    os.waitid(os.P_PID, zombie, os.WEXITED | os.WNOWAIT)
    process = FS().process(live)
    assert process is not None
    yield Pids(live, process.start, dead, zombie)
    os.waitpid(zombie, 0)
    os.kill(live, signal.SIGKILL)
    os.waitpid(live, 0)


def payload(**values: Any) -> Callable[[Path], object]:
    return lambda path: path.write_text(json.dumps(values, indent=2))


def raw(data: bytes) -> Callable[[Path], object]:
    return lambda path: path.write_bytes(data)


def with_guard(lock: Callable[[Path], object], guard: Callable[[Path], object]) -> Callable[[Path], object]:
    def place(path: Path) -> None:
        lock(path)
        guard(path.with_name(path.name + ".reclaim"))

    return place


def link_to_dead(pid: int) -> Callable[[Path], object]:
    def place(path: Path) -> None:
        real = path.with_name("elsewhere")
        real.write_text(json.dumps({"pid": pid}))
        path.symlink_to(real)

    return place


Expected = tuple[str, Callable[[Path], object]]


def cases(pids: Pids) -> dict[str, Expected]:
    live, start, dead = pids.live, pids.start, pids.dead
    other_start = (start or 1) + 1
    stale = payload(pid=dead, createdAt=NOW, starttime=5)
    return {
        "live": ("held-by", payload(pid=live, createdAt=NOW, starttime=start)),
        "live, no start": ("held-by", payload(pid=live, createdAt=NOW)),
        "live, start is no number": ("held-by", payload(pid=live, createdAt=NOW, starttime="5")),
        "live, clock a day ahead": ("held-by", payload(pid=live, createdAt=DAY, starttime=start)),
        "live, clock a day behind": ("held-by", payload(pid=live, createdAt=DAY_AGO, starttime=start)),
        "live, months old": ("held-by", payload(pid=live, createdAt=LONG_AGO, starttime=start)),
        "live, time unreadable": ("held-by", payload(pid=live, createdAt="soon", starttime=start)),
        "live, no time": ("held-by", payload(pid=live)),
        "on another host": ("held-by", payload(pid=dead, createdAt=NOW, hostname="other.test")),
        "recycled number": ("taken", payload(pid=live, createdAt=NOW, starttime=other_start)),
        "dead": ("taken", stale),
        "dead, no start": ("taken", payload(pid=dead, createdAt=NOW)),
        "dead, clock a day ahead": ("taken", payload(pid=dead, createdAt=DAY, starttime=5)),
        "dead, clock a day behind": ("taken", payload(pid=dead, createdAt=DAY_AGO, starttime=5)),
        "dead, no time": ("taken", payload(pid=dead)),
        "only its exit status is left": ("taken", payload(pid=pids.zombie, createdAt=NOW)),
        "torn": ("lock-unreadable", raw(b'{\n  "pid": 12')),
        "empty": ("lock-unreadable", raw(b"")),
        "no JSON": ("lock-unreadable", raw(b"12345\0")),
        "no UTF-8": ("lock-unreadable", raw(b'{"pid": 1, "createdAt": "\xff"}')),
        "a list": ("lock-unreadable", raw(b"[1]")),
        "no number": ("lock-unreadable", payload(createdAt=NOW)),
        "number as text": ("lock-unreadable", payload(pid=str(dead), createdAt=NOW)),
        "number is a truth value": ("lock-unreadable", payload(pid=True, createdAt=NOW)),
        "number zero": ("lock-unreadable", payload(pid=0, createdAt=NOW)),
        "number below zero": ("lock-unreadable", payload(pid=-1, createdAt=NOW)),
        "number too large": ("lock-unreadable", payload(pid=1 << 40, createdAt=NOW)),
        "number with a fraction": ("lock-unreadable", payload(pid=1.5, createdAt=NOW)),
        "longer than any lock": ("lock-unreadable", payload(pid=dead, createdAt=NOW, more="x" * 70_000)),
        "a folder": ("lock-unreadable", lambda path: path.mkdir()),
        "a link": ("lock-unreadable", link_to_dead(dead)),
        "a pipe": ("lock-unreadable", lambda path: os.mkfifo(path)),
        "dead, guarded by a live process": ("held-by", with_guard(stale, payload(pid=live, createdAt=NOW))),
        "dead, guarded by a dead process": ("taken", with_guard(stale, payload(pid=dead, createdAt=NOW))),
        "dead, guard unreadable": ("lock-unreadable", with_guard(stale, raw(b""))),
    }  # fmt: skip


def content(path: Path) -> object:
    if path.is_symlink() or path.is_dir() or not path.is_file():
        return os.lstat(path).st_ino
    return path.read_bytes()


NAMES = list(cases(Pids(1, 1, 1, 1)))


@needs_fork
@pytest.mark.parametrize("name", NAMES)
def test_a_lock_file_is_judged_by_its_process_alone(name: str, pids: Pids) -> None:
    expected, place = cases(pids)[name]
    pauses: list[float] = []
    with scratch() as folder:
        file = folder / "s.jsonl"
        lock = folder / "s.jsonl.lock"
        file.write_bytes(b"{}\n")
        place(lock)
        before = content(lock)
        caller = Caller(os.getpid(), lambda: NOW_NS, pauses.append)
        with hold(FS(), str(folder), caller) as held:
            if expected == "taken":
                with hold_beside(held, str(file), OPENCLAW_LOCK):
                    assert json.loads(lock.read_bytes())["pid"] == os.getpid()
                assert not lock.exists()
                assert pauses == []
            else:
                with pytest.raises(Refused) as raised, hold_beside(held, str(file), OPENCLAW_LOCK):
                    pass
                refusal = raised.value
                assert refusal.what == expected
                assert refusal.where in (str(lock), f"{lock}.reclaim")
                assert content(lock) == before
                assert sum(pauses) <= 11
        left = {path.name for path in folder.iterdir()}
        assert left <= {"s.jsonl", "s.jsonl.lock", "s.jsonl.lock.reclaim", ".agentbrief.lock", "elsewhere"}


def test_a_live_lock_is_waited_for_ten_seconds_at_growing_intervals() -> None:
    pauses: list[float] = []
    with scratch() as folder:
        file = folder / "s.jsonl"
        (folder / "s.jsonl.lock").write_text(json.dumps({"pid": os.getpid(), "createdAt": NOW}))
        caller = Caller(os.getpid(), lambda: NOW_NS, pauses.append)
        with (
            hold(FS(), str(folder), caller) as held,
            pytest.raises(Refused) as raised,
            hold_beside(held, str(file), OPENCLAW_LOCK),
        ):
            pass
        assert raised.value.arguments == (("pid", str(os.getpid())),)
        assert pauses[:3] == [0.05, 0.1, pytest.approx(0.15)]
        assert max(pauses) <= 1.0
        assert 10 <= sum(pauses) <= 11


def test_a_lock_that_is_released_while_waiting_is_taken() -> None:
    with scratch() as folder:
        file = folder / "s.jsonl"
        lock = folder / "s.jsonl.lock"
        lock.write_text(json.dumps({"pid": os.getpid(), "createdAt": NOW}))

        def pause(seconds: float) -> None:
            lock.unlink(missing_ok=True)

        caller = Caller(os.getpid(), lambda: NOW_NS, pause)
        with hold(FS(), str(folder), caller) as held, hold_beside(held, str(file), OPENCLAW_LOCK):
            assert lock.exists()


def test_a_lock_that_was_taken_away_is_noticed_and_left_alone() -> None:
    with scratch() as folder:
        file = folder / "s.jsonl"
        lock = folder / "s.jsonl.lock"
        theirs = json.dumps({"pid": os.getppid(), "createdAt": NOW})
        caller = Caller(os.getpid(), lambda: NOW_NS, lambda seconds: None)
        with hold(FS(), str(folder), caller) as held, hold_beside(held, str(file), OPENCLAW_LOCK) as beside:
            beside.require()
            lock.unlink()
            lock.write_text(theirs)
            with pytest.raises(Refused) as raised:
                beside.require()
            assert raised.value.what == "lock-lost"
        assert lock.read_text() == theirs


class ReadOnly(FS):
    """A folder in which nothing can be made."""

    def create(self, folder: Folder, name: str) -> int:
        raise PermissionError(13, "Permission denied", name)


def test_no_lock_file_in_a_folder_that_may_not_be_written() -> None:
    with scratch() as folder:
        file = folder / "s.jsonl"
        caller = Caller(os.getpid(), lambda: NOW_NS, lambda seconds: None)
        with hold(FS(), str(folder), caller) as held:
            own = type(held)(ReadOnly(), held.store, held.roots, held.caller)
            with pytest.raises(Refused) as raised, hold_beside(own, str(file), OPENCLAW_LOCK):
                pass
        assert raised.value.what == "no-access"


@pytest.mark.parametrize(
    ("pid", "start", "expected"),
    [
        (
            4711,
            123456,
            '{\n  "pid": 4711,\n  "createdAt": "2026-11-30T12:00:00.123Z",\n  "starttime": 123456\n}',
        ),
        (4711, None, '{\n  "pid": 4711,\n  "createdAt": "2026-11-30T12:00:00.123Z"\n}'),
    ],
)
def test_our_lock_file_is_the_bytes_openclaw_writes(pid: int, start: int | None, expected: str) -> None:
    assert OPENCLAW_LOCK.write(pid, start, NOW_NS) == expected.encode()


@contextmanager
def no_link(fs: FS) -> Iterator[FS]:
    def refuse(folder: Folder, name: str, target: Folder, target_name: str) -> None:
        raise OSError(95, "Operation not supported")

    fs.link = refuse  # type: ignore[method-assign]
    yield fs


def test_locks_work_where_files_have_one_name_only() -> None:
    with scratch() as folder, no_link(FS()) as fs:
        file = folder / "s.jsonl"
        caller = Caller(os.getpid(), lambda: NOW_NS, lambda seconds: None)
        with hold(fs, str(folder), caller) as held, hold_beside(held, str(file), OPENCLAW_LOCK):
            with pytest.raises(Refused) as raised, hold_beside(held, str(file), OPENCLAW_LOCK):
                pass
            assert raised.value.what == "held-by"
        assert [path.name for path in folder.iterdir()] == [".agentbrief.lock"]
