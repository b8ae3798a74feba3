"""R11 Eight writers, a compactor and two readers, all real processes, on one session."""

from __future__ import annotations

import json
import os
import re
import time
from contextlib import ExitStack
from pathlib import Path

from agentbrief.changes.places import checkpoints_folder, trash_folder
from agentbrief.compaction.claw.engine import CompactionConfig
from agentbrief.compaction.claw.parsing import parse_summary
from agentbrief.disk.append import append
from agentbrief.disk.lock import hold
from agentbrief.disk.refusal import Conflict
from agentbrief.disk.seam import FS
from agentbrief.sessions.formats.claw_reading import load
from agentbrief.sessions.formats.claw_session import Loaded
from tests.compaction.store import compacted, compacted_at_once
from tests.disk.faults import scratch
from tests.disk.processes import heard, needs_fork, real_caller, running

SECONDS = 4
WRITERS = 8
CONFIG = CompactionConfig(20, 0)
RECORD = '{"type":"message","message":{"role":"user","blocks":[{"type":"text","text":"w%d n%d %s"}]}}'
START = b'{"type":"session_meta","version":1,"session_id":"s","updated_at_ms":9,"created_at_ms":5}\n'
NAME = re.compile(r"w(\d+) n(\d+)")

pytestmark = needs_fork


def writer(say: int, folder: Path, number: int, end: float) -> None:
    count = 0
    longest = 0.0
    while time.monotonic() < end:
        began = time.monotonic()
        with hold(FS(), str(folder), real_caller()) as held:
            longest = max(longest, time.monotonic() - began)
            record = RECORD % (number, count, "x" * (count % 5 * 200))
            append(held, str(folder / "s.jsonl"), record.encode())
        count += 1
    os.write(say, json.dumps([count, longest]).encode())


def compactor(say: int, folder: Path, end: float) -> None:
    number = 0
    while time.monotonic() < end:
        path, name = str(folder / "s.jsonl"), f"k{number:04}"
        try:
            # previewed, and refused if it has changed since; or planned under the lock
            work = compacted if number % 3 == 2 else compacted_at_once
            plan, receipt = work(FS(), path, real_caller(), name, CONFIG)
        except Conflict:
            plan, receipt = compacted_at_once(FS(), path, real_caller(), name, CONFIG)
        if receipt is not None and receipt.done:
            os.write(say, f"{number:04} {plan.removed.start} {plan.removed.stop}\n".encode())
            number += 1


def reader(say: int, folder: Path, end: float) -> None:
    wrong = reads = 0
    while time.monotonic() < end:
        found = load((folder / "s.jsonl").read_bytes(), "s.jsonl", 0)
        # a line that is being written at this moment is a torn tail, and nothing else may be wrong
        if not isinstance(found, Loaded) or not in_order(texts(found)):
            wrong += 1
        reads += 1
    os.write(say, json.dumps([wrong, reads]).encode())


def texts(found: Loaded) -> list[str]:
    return [message.text for message in found.session.messages if message.role != "system"]


def in_order(said: list[str]) -> bool:
    """Whether each writer's records come in their order, without gaps."""
    last: dict[int, int] = {}
    for text in said:
        match = NAME.match(text)
        if match is None:
            return False
        name, number = int(match[1]), int(match[2])
        if name in last and number != last[name] + 1:
            return False
        last[name] = number
    return True


def loaded(path: Path) -> Loaded:
    found = load(path.read_bytes(), "s.jsonl", 0)
    assert isinstance(found, Loaded) and not found.is_torn
    return found


def copy_of(folder: Path, number: str) -> Path:
    """The copy of a checkpoint: in its folder, or among the oldest ones in the trash."""
    name = f"k{number}.jsonl"
    kept = Path(checkpoints_folder(str(folder))) / name
    return kept if kept.exists() else next(Path(trash_folder(str(folder))).rglob(name))


def test_every_record_that_was_acknowledged_is_there_once_and_in_order() -> None:
    with scratch() as folder, ExitStack() as stack:
        (folder / "s.jsonl").write_bytes(START)
        end = time.monotonic() + SECONDS
        writers = [stack.enter_context(running(writer, folder, number, end))[1] for number in range(WRITERS)]
        readers = [stack.enter_context(running(reader, folder, end))[1] for _ in range(2)]
        compacting = stack.enter_context(running(compactor, folder, end))[1]
        acknowledged = [json.loads(heard(end)) for end in writers]
        for wrong, reads in (json.loads(heard(end)) for end in readers):
            assert wrong == 0 and reads > 0
        rounds = [line.split() for line in heard(compacting).decode().split("\n") if line]
        assert rounds, "nothing was compacted"
        told: list[str] = []
        for number, start, stop in rounds:
            before = loaded(copy_of(folder, number)).session.messages
            told += [message.text for message in before[int(start) : int(stop)]]
        last = loaded(folder / "s.jsonl")
        told += texts(last)
        assert in_order(told)
        counts = [sum(text.startswith(f"w{number} ") for text in told) for number in range(WRITERS)]
        assert counts == [count for count, _ in acknowledged]
        assert max(longest for _, longest in acknowledged) < 10
        compaction = last.session.compaction
        assert compaction is not None and compaction.count == len(rounds)
        scope = parse_summary(compaction.summary).scope
        assert scope is not None and scope.messages + len(texts(last)) == sum(counts)
