"""R2 kill -9 of a process that cleans up and takes back: every file and session is still there afterwards."""

from __future__ import annotations

import json
import os
import random
import signal
import time
from pathlib import Path

from agentbrief.disk.seam import FS
from agentbrief.tasks.store.cleanup import clean_up
from agentbrief.tasks.store.plan import plan_of
from agentbrief.tasks.store.trash import restore
from tests.disk.faults import scratch
from tests.disk.processes import heard, needs_fork, real_caller, running
from tests.maintenance.folders import DAY, HOUR
from tests.maintenance.real_folders import (
    ENFORCE,
    contents,
    look_of,
    place_of,
    settings_with,
    someone,
    transcript,
    write,
)

KILLS = 12
IDS = tuple("abcdefgh")


def lay_out(folder: Path, now_ms: int) -> None:
    store = {
        f"agent:main:{name}": {"sessionId": name, "updatedAt": now_ms - 60 * DAY, "text": "\u2028"}
        for name in IDS
    }
    write(folder / "sessions.json", json.dumps(store, indent=1).encode(), HOUR, now_ms)
    for name in IDS:
        write(folder / f"{name}.jsonl", transcript(name), 60 * DAY, now_ms)
        write(folder / f"z{name}.jsonl.deleted.2020-01-01T00-00-00Z", name.encode(), 60 * DAY, now_ms)


def pruner(say: int, folder: Path, now_ms: int) -> None:
    while True:
        look = look_of(folder, now_ms)
        plan = plan_of(look, settings_with(), ENFORCE, now_ms).plan
        clean_up(FS(), look, plan, real_caller(), trash_days=14)  # type: ignore[arg-type]
        os.write(say, b"c")
        restore(FS(), place_of(folder), real_caller())
        os.write(say, b"r")


@needs_fork
def test_nothing_is_lost_when_a_cleanup_is_killed() -> None:
    chance = random.Random("cleanup")
    now_ms = time.time_ns() // 1_000_000
    for _ in range(KILLS):
        with scratch() as root:
            folder = root / "agents" / "main" / "sessions"
            lay_out(folder, now_ms)
            before = contents(folder)
            with running(pruner, folder, now_ms) as (process, read_end):
                os.read(read_end, 1)
                time.sleep(chance.random() * 0.15)
                os.kill(process.pid or 0, signal.SIGKILL)
                process.join()
                heard(read_end)
            # A lock file of the dead process is reclaimed by whoever comes next.
            restore(FS(), place_of(folder), someone(now_ms, os.getpid()))
            after = contents(folder)
            after.pop("sessions.json.lock", None)
            assert json.loads(after["sessions.json"]) == json.loads(before["sessions.json"])
            assert {**after, "sessions.json": b""} == {**before, "sessions.json": b""}
