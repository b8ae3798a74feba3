"""Our own lock of a store: one at a time, gone with its process, never deleted, and not led elsewhere."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest

from agentbrief.disk.lock import Caller, hold
from agentbrief.disk.refusal import Refused
from agentbrief.disk.seam import FS
from agentbrief.messages import say
from tests.disk.faults import caller, scratch
from tests.disk.processes import needs_fork, real_caller, running


def holding(say: int, folder: Path) -> None:
    with hold(FS(), str(folder), real_caller()):
        os.write(say, b"held\n")
        time.sleep(60)


@needs_fork
def test_a_second_process_waits_and_is_told_who_holds_it_and_a_killed_one_holds_nothing() -> None:
    with scratch() as folder, running(holding, folder) as (process, read_end):
        os.read(read_end, 16)
        pauses: list[float] = []
        other = Caller(os.getpid(), time.time_ns, pauses.append)
        with pytest.raises(Refused) as raised, hold(FS(), str(folder), other, wait_seconds=3):
            pass
        refusal = raised.value
        assert refusal.what == "locked-by"
        assert dict(refusal.arguments)["pid"] == str(process.pid)
        assert "lock" in say("en", f"disk.what.{refusal.what}", **dict(refusal.arguments))
        assert 3 <= sum(pauses) <= 3.2
        inode = os.stat(folder / ".agentbrief.lock").st_ino
        os.kill(process.pid or 0, signal.SIGKILL)
        process.join()
        with hold(FS(), str(folder), caller(), wait_seconds=0):
            pass
        assert os.stat(folder / ".agentbrief.lock").st_ino == inode


@pytest.mark.parametrize("kind", ["link", "dangling link", "folder", "pipe"])
def test_a_lock_file_that_is_none_is_refused(kind: str) -> None:
    with scratch() as folder:
        lock, other = folder / ".agentbrief.lock", folder / "other"
        other.write_bytes(b"keep")
        if kind == "folder":
            lock.mkdir()
        elif kind == "pipe":
            os.mkfifo(lock)
        else:
            lock.symlink_to(other if kind == "link" else folder / "none")
        with pytest.raises(Refused) as raised, hold(FS(), str(folder), caller()):
            pass
        assert raised.value.what == "lock-unreadable"
        assert raised.value.where == str(lock)
        assert other.read_bytes() == b"keep"
        assert not (folder / "none").exists()


def test_errors_inside_are_not_taken_for_errors_of_the_lock() -> None:
    with scratch() as folder:
        with pytest.raises(FileNotFoundError), hold(FS(), str(folder), caller()):
            raise FileNotFoundError
        with hold(FS(), str(folder), caller(), wait_seconds=0):
            pass
