"""R13 Two of our processes and an emulated OpenClaw writer take turns on a transcript, never at once."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from agentbrief.changes.openclaw_lock import OPENCLAW_LOCK
from agentbrief.disk.append import append
from agentbrief.disk.lock import Caller, hold
from agentbrief.disk.seam import FS
from agentbrief.disk.sidecar import hold_beside
from tests.disk.faults import scratch
from tests.disk.processes import heard, needs_fork, running

TURNS = 1000
WRITERS = ("ours 1", "ours 2", "openclaw")


@contextmanager
def inside(folder: Path, overlaps: list[str], name: str) -> Iterator[None]:
    """Counts who else is inside: a file that can be made only once tells."""
    try:
        os.close(os.open(folder / "inside", os.O_CREAT | os.O_EXCL | os.O_WRONLY))
    except FileExistsError:
        overlaps.append(name)
        yield
        return
    yield
    os.unlink(folder / "inside")


def ours(say: int, folder: Path, name: str, turns: int) -> None:
    path = str(folder / "s.jsonl")
    caller = Caller(os.getpid(), time.time_ns, lambda seconds: time.sleep(min(seconds, 0.002)))
    overlaps: list[str] = []
    for number in range(turns):
        with hold(FS(), str(folder), caller) as held, hold_beside(held, path, OPENCLAW_LOCK) as beside:
            with inside(folder, overlaps, name):
                append(held, path, json.dumps({"by": name, "n": number}).encode(), durable=False)
            beside.require()
        # The others get their turn: a writer that asks again at once would starve them.
        time.sleep(0.0005)
    os.write(say, b"%d\n" % len(overlaps))


def openclaw(say: int, folder: Path, name: str, turns: int) -> None:
    """As openclaw.md 3.4 describes the other side, with shorter waits."""
    lock = folder / "s.jsonl.lock"
    overlaps: list[str] = []
    for number in range(turns):
        while True:
            try:
                descriptor = os.open(lock, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
                break
            except FileExistsError:
                time.sleep(0.001)
        os.write(
            descriptor, json.dumps({"pid": os.getpid(), "createdAt": "2026-11-30T12:00:00.000Z"}).encode()
        )
        os.close(descriptor)
        with inside(folder, overlaps, name), (folder / "s.jsonl").open("a") as file:
            file.write(json.dumps({"by": name, "n": number}) + "\n")
        os.unlink(lock)
        time.sleep(0.0005)
    os.write(say, b"%d\n" % len(overlaps))


@needs_fork
def test_they_never_overlap_and_nothing_is_lost() -> None:
    each = TURNS // len(WRITERS) + 1
    with scratch() as folder, ExitStack() as stack:
        (folder / "s.jsonl").write_bytes(b"")
        ends = [
            stack.enter_context(running(openclaw if name == "openclaw" else ours, folder, name, each))[1]
            for name in WRITERS
        ]
        assert [heard(end) for end in ends] == [b"0\n"] * len(WRITERS)
        records = [json.loads(line) for line in (folder / "s.jsonl").read_bytes().split(b"\n")[:-1]]
        for name in WRITERS:
            assert [record["n"] for record in records if record["by"] == name] == list(range(each))
        assert not (folder / "s.jsonl.lock").exists()
