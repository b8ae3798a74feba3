"""P: a cleanup of a store planned, against looking at each of its files once.

600 sessions and 5,000 files: transcripts, put-away ones, and some that no session names.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from agentbrief.disk.seam import FS
from agentbrief.disk.values import ReadProblem
from agentbrief.jsonio import JsonValue
from agentbrief.maintenance.values import CleanupChoices, MaintenancePlan
from agentbrief.sessions.store.names import archive_name
from agentbrief.tasks.sessions.setup import SessionsSetup
from agentbrief.tasks.settings import Settings, parse
from agentbrief.tasks.store.look import look_at
from agentbrief.tasks.store.place import store_at
from agentbrief.tasks.store.plan import plan_of
from agentbrief_server.cli import quiet_collector
from benchmarks.goals import Goal, against
from benchmarks.inputs import Bench
from benchmarks.measure import by_turns, inside, peak_of

NOW = 1_790_000_000_000
DAY = 86_400_000
SESSIONS = 600
FILES = 5000

BUDGET: dict[str, JsonValue] = {"maintenance": {"maxDiskBytes": "1mb", "maxEntries": 400}}


def area(bench: Bench) -> Iterator[Goal]:
    """The goals of issue "Session store" on time and memory."""
    folder = bench.made(f"store-{SESSIONS}-{FILES}", partial(make_store, sessions=SESSIONS, files=FILES))
    small = bench.made("store-60-500", partial(make_store, sessions=60, files=500))
    names = os.listdir(folder)
    quiet_collector()
    limits, warnings = parse(BUDGET)
    assert not warnings

    def stat_all() -> None:
        for name in names:
            os.stat(os.path.join(folder, name))

    samples = by_turns(
        {
            "stat of each file": inside(stat_all),
            "look": inside(lambda: look(folder)),
            "plan": inside(lambda: plan(folder, Settings())),
            "plan with a budget": inside(lambda: plan(folder, limits)),
        },
        bench.rounds,
    )
    # The goal is for a plan as it is by default; with a budget thousands of files are put into it besides.
    for ours, most in (("plan", 2), ("plan with a budget", None)):
        what = f"{ours}, {SESSIONS} sessions, {FILES} files"
        yield against("P1", what, samples, ours, "stat of each file", most)
    yield against("P1", "the look alone", samples, "look", "stat of each file", None)
    if not sys.platform.startswith("linux"):
        yield Goal("P2", "memory of a plan", note="needs /proc")
        return
    (before, large), (_, little) = (
        peak_of([sys.executable, __file__, str(path)], env()) for path in (folder, small)
    )
    yield Goal(
        "P2",
        f"peak memory, {FILES} files against 500",
        f"{little / 1024:.1f} MiB",
        f"{large / 1024:.1f} MiB",
        large / little,
        1.25,
        f"{(large - before) / FILES:.2f} KiB a file",
    )


def look(folder: Path) -> object:
    found = look_at(FS(), store_at(setup(), str(folder)), NOW)
    assert not isinstance(found, ReadProblem)
    return found


def plan(folder: Path, settings: Settings) -> MaintenancePlan:
    """The plan as the command line makes it."""
    found = look_at(FS(), store_at(setup(), str(folder)), NOW)
    assert not isinstance(found, ReadProblem)
    made = plan_of(found, settings, CleanupChoices(dry_run=True), NOW).plan
    assert isinstance(made, MaintenancePlan)
    assert made.items
    return made


def setup() -> SessionsSetup:
    return SessionsSetup(FS(), (), Settings(), "/nobody", NOW)


def env() -> dict[str, str]:
    root = Path(__file__).resolve().parents[1]
    return {"PYTHONPATH": f"{root}:{root / 'server'}:{root / 'features'}"}


def make_store(folder: Path, sessions: int, files: int) -> None:
    """A store whose sessions are up to 60 days old, their transcripts, archives, and strays."""
    folder.mkdir(parents=True)
    store: dict[str, object] = {}
    body = b'{"type":"session","version":3,"id":"s"}\n' + b'{"type":"message"}\n' * 20
    for number in range(files - 1):
        age = (number * 7919 % 60) * DAY + 3_600_000
        if number < sessions:
            name = f"session-{number:05}.jsonl"
            store[f"agent:main:chat:{number}"] = {
                "sessionId": f"session-{number:05}",
                "updatedAt": NOW - age,
                "totalTokens": number,
                "skillsSnapshot": {"prompt": "p" * 500},
            }
        elif number % 4 == 0:
            name = archive_name(f"gone-{number:05}.jsonl", "deleted", NOW - age)
        elif number % 4 == 1:
            name = archive_name(f"old-{number:05}.jsonl", "reset", NOW - age)
        else:
            name = f"stray-{number:05}.jsonl"
        path = folder / name
        path.write_bytes(body)
        moment = (NOW - age) * 1_000_000
        os.utime(path, ns=(moment, moment))
    (folder / "sessions.json").write_text(json.dumps(store, indent=2), encoding="utf-8")


def memory(folder: Path) -> tuple[int, int]:
    """What this process takes in KiB once all is imported, and at most while it plans."""
    before = status("VmRSS")
    plan(folder, parse(BUDGET)[0])
    return before, status("VmHWM")


def status(key: str) -> int:
    lines = Path("/proc/self/status").read_text("ascii").split("\n")
    return next(int(line.split()[1]) for line in lines if line.startswith(f"{key}:"))


if __name__ == "__main__":
    print(*memory(Path(sys.argv[1])))
