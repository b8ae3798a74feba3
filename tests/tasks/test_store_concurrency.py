"""R11 whole: eight writers, a compactor, a pruner and two readers, all real processes, on one store."""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from agentbrief.changes.openclaw_lock import OPENCLAW_LOCK
from agentbrief.changes.places import checkpoints_folder, trash_folder
from agentbrief.disk.append import append
from agentbrief.disk.lock import hold
from agentbrief.disk.refusal import Refused
from agentbrief.disk.seam import FS
from agentbrief.disk.sidecar import hold_beside
from agentbrief.tasks.compaction.apply import apply_compaction
from agentbrief.tasks.compaction.asked import CompactionAsked
from agentbrief.tasks.store.cleanup import clean_up
from agentbrief.tasks.store.plan import plan_of
from agentbrief.tasks.store.trash import restore
from tests.disk.faults import scratch
from tests.disk.processes import heard, needs_fork, real_caller, running
from tests.maintenance.folders import DAY
from tests.maintenance.real_folders import ENFORCE, look_of, place_of, settings_with, transcript, write
from tests.tasks.compactions import KEY, Sessions, means

SECONDS = 30
WRITERS = 8
OLD = tuple(f"old-{number:02}" for number in range(20))
HEADER = b'{"type":"session","version":3,"id":"s-1","timestamp":"2026-11-30T00:00:00.000Z","cwd":"/w"}\n'
NAME = re.compile(rb'"w(\d+) n(\d+) ')


@contextmanager
def turn(folder: Path, path: Path, number: int) -> Iterator[Any]:
    """A turn at the transcript: every second writer is one of ours, the others do as OpenClaw does."""
    if number % 2:
        with (
            hold(FS(), str(folder), real_caller()) as held,
            hold_beside(held, str(path), OPENCLAW_LOCK),
        ):
            yield lambda record: append(held, str(path), record)
        return
    lock = path.with_name(path.name + ".lock")
    while True:
        try:
            descriptor = os.open(lock, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
            break
        except FileExistsError:
            time.sleep(0.002)
    os.write(descriptor, json.dumps({"pid": os.getpid(), "createdAt": "2026-11-30T12:00:00.000Z"}).encode())
    os.close(descriptor)

    def write_line(record: bytes) -> None:
        with path.open("ab") as file:
            file.write(record + b"\n")

    yield write_line
    lock.unlink()


def leaf(path: Path) -> str | None:
    last = path.read_bytes()[-20_000:].rstrip(b"\n").rpartition(b"\n")[2]
    found = json.loads(last)
    return None if found["type"] == "session" else str(found["id"])


def writer(say: int, path: Path, number: int, end: float) -> None:
    count, longest = 0, 0.0
    while time.monotonic() < end:
        began = time.monotonic()
        with turn(path.parent, path, number) as write_line:
            longest = max(longest, time.monotonic() - began)
            text = f"w{number} n{count} " + "word " * (count % 5 * 40)
            message = {"role": "user", "content": text, "timestamp": 1}
            entry = {
                "type": "message",
                "id": f"{number:02}{count:06}",
                "parentId": leaf(path),
                "timestamp": "2026-11-30T00:00:01.000Z",
                "message": message,
            }
            write_line(json.dumps(entry).encode())
        count += 1
        # in bursts: what is written to all the time is never compacted, as it is never what was previewed
        time.sleep(0.005 if count % 4 else 0.9)
    os.write(say, json.dumps([count, longest]).encode())


def compactor(say: int, sessions: Sessions, end: float) -> None:
    done = 0
    while time.monotonic() < end:
        asked = CompactionAsked(max_tokens=600, replace_transcript=done % 3 == 2)
        try:
            planned = sessions.plan(asked, means(now=lambda: time.time_ns() // 1_000_000))
            if planned.changes:
                apply_compaction(FS(), planned, real_caller())
                done += 1
        except Refused:
            pass  # it changed since the preview, or is in use: nothing was done
        time.sleep(0.02)
    os.write(say, b"%d" % done)


def pruner(say: int, folder: Path, end: float) -> None:
    rounds = 0
    while time.monotonic() < end:
        now_ms = time.time_ns() // 1_000_000
        try:
            look = look_of(folder, now_ms)
            plan = plan_of(look, settings_with(), ENFORCE, now_ms).plan
            clean_up(FS(), look, plan, real_caller(), trash_days=14)  # type: ignore[arg-type]
            restore(FS(), place_of(folder), real_caller())
            rounds += 1
        except Refused:
            pass
        time.sleep(0.01)
    os.write(say, b"%d" % rounds)


def reader(say: int, path: Path, end: float) -> None:
    wrong = reads = 0
    while time.monotonic() < end:
        # what is written at this moment is behind the last line end
        whole = path.read_bytes().rpartition(b"\n")[0]
        wrong += not in_order(told(whole)) or not all(line[:1] == b"{" for line in whole.split(b"\n"))
        reads += 1
        time.sleep(0.005)
    os.write(say, json.dumps([wrong, reads]).encode())


def told(data: bytes) -> list[tuple[int, int]]:
    return [(int(found[1]), int(found[2])) for found in NAME.finditer(data)]


def in_order(said: list[tuple[int, int]]) -> bool:
    """Whether each writer's records come in their order, each once, without gaps."""
    last: dict[int, int] = {}
    for name, number in said:
        if name in last and number != last[name] + 1:
            return False
        last[name] = number
    return True


def lay_out(root: Path) -> Sessions:
    sessions = Sessions(root, "openclaw", HEADER)
    now_ms = time.time_ns() // 1_000_000
    store = json.loads(sessions.store.read_bytes())
    store = {KEY: {**store[KEY], "updatedAt": now_ms}}
    for name in OLD:
        store[f"agent:main:{name}"] = {"sessionId": name, "updatedAt": now_ms - 60 * DAY, "text": "\u2028"}
        write(sessions.path.with_name(f"{name}.jsonl"), transcript(name), 60 * DAY, now_ms)
    sessions.store.write_text(json.dumps(store, indent=1))
    return sessions


@needs_fork
@pytest.mark.slow
def test_nothing_that_was_acknowledged_is_lost() -> None:
    with scratch() as root, ExitStack() as stack:
        sessions = lay_out(root)
        path, folder = sessions.path, sessions.path.parent
        old = {name: folder.joinpath(f"{name}.jsonl").read_bytes() for name in OLD}
        entries = json.loads(sessions.store.read_bytes())
        end = time.monotonic() + SECONDS
        writers = [stack.enter_context(running(writer, path, number, end))[1] for number in range(WRITERS)]
        readers = [stack.enter_context(running(reader, path, end))[1] for _ in range(2)]
        compacting = stack.enter_context(running(compactor, sessions, end))[1]
        pruning = stack.enter_context(running(pruner, folder, end))[1]
        acknowledged = [json.loads(heard(each)) for each in writers]
        assert all(wrong == 0 and reads for wrong, reads in (json.loads(heard(each)) for each in readers))
        compactions, rounds = int(heard(compacting)), int(heard(pruning))
        assert compactions > 0 and rounds > 0, (compactions, rounds)
        restore(FS(), place_of(folder), real_caller())

        last = told(path.read_bytes())
        assert in_order(last)
        seen = set(last)
        places = [Path(checkpoints_folder(str(folder))), Path(trash_folder(str(folder)))]
        for copy in (file for place in places for file in place.rglob("*.jsonl")):
            seen.update(told(copy.read_bytes()))
        for number, (count, longest) in enumerate(acknowledged):
            assert {found for name, found in seen if name == number} == set(range(count))
            assert longest < 10
        store = json.loads(sessions.store.read_bytes())
        assert store[KEY]["compactionCount"] == entries[KEY]["compactionCount"] + compactions
        assert {key: store[key] for key in entries if key != KEY} == {
            key: value for key, value in entries.items() if key != KEY
        }
        assert {name: folder.joinpath(f"{name}.jsonl").read_bytes() for name in OLD} == old
