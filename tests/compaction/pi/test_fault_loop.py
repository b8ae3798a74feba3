"""R1 A compaction of a session of OpenClaw and a restore, whichever call of the disk fails."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import pytest

from agentbrief.changes.apply import Site, apply
from agentbrief.changes.openclaw_lock import OPENCLAW_LOCK
from agentbrief.changes.steps import Step
from agentbrief.checkpoints.listing import checkpoints_in
from agentbrief.checkpoints.openclaw_capture import ChangeMade, capture
from agentbrief.checkpoints.openclaw_restore import Copied, read_copy, restore
from agentbrief.checkpoints.openclaw_store import StoreAsRead
from agentbrief.compaction.pi.memory_notes import NotesFile, memory_notes
from agentbrief.compaction.pi.pi_plan import PiPlan, entry_value, with_notes
from agentbrief.disk.folder import stamp_of
from agentbrief.disk.read import FileBytes, read_bytes
from agentbrief.disk.seam import FS
from agentbrief.sessions.store.folder import StoreFolder, read_store_folder
from tests.changes.operations import planned as operation
from tests.compaction.pi.test_deciding import reply, session, user
from tests.compaction.pi.test_properties import DATA, job_of, planned
from tests.disk.faults import Operation, Tree, caller, judge, scenarios, scratch

NOW = 1_796_000_000_000
CHECKPOINT = "11111111-aaaa-4bbb-8ccc-000000000001"
COPY = f".agentbrief/checkpoints/{CHECKPOINT}.jsonl"
FILE, STORE, NOTES = "s-1.jsonl", "sessions.json", "memory/2026-11-30.md"
KEY = "agent:main:main"
FILES = {
    FILE: session(user("one " * 30), reply(5), user("two " * 30), reply(6), id="s-1"),
    STORE: json.dumps({KEY: {"sessionId": "s-1", "updatedAt": 5, "sessionFile": FILE}}).encode(),
}


def uuids() -> Any:
    numbers = itertools.count(2)
    return lambda: f"{next(numbers):08x}-aaaa-4bbb-8ccc-000000000001"


def store_of(folder: Path) -> StoreAsRead:
    found = read_store_folder(FS(), str(folder / STORE), "main", frozenset({str(folder)}))
    assert isinstance(found, StoreFolder)
    return StoreAsRead(found, (folder / STORE).read_bytes())


def present_in(folder: Path) -> FileBytes:
    found = read_bytes(FS(), str(folder / FILE), frozenset({str(folder)}), 1 << 20)
    assert isinstance(found, FileBytes)
    return found


def compact(folder: Path) -> list[Step]:
    present, store = present_in(folder), store_of(folder)
    job = job_of(
        present.data, 20, "openclaw", path=present.path, stamp=present.stamp, new_uuid=uuids(), now_ms=NOW
    )
    plan = planned(job)
    assert isinstance(plan, PiPlan)
    plan = with_notes(plan, memory_notes(NotesFile(str(folder / NOTES)), [], title="t", given="keep"))
    entry = store.folder.store.entries[0]
    captured = capture(
        store,
        entry,
        entry_value(entry, plan, NOW),
        present,
        ChangeMade(plan.leaf_before, plan.entry_id, plan.entry_id, summary=plan.summary),
        checkpoint_id=CHECKPOINT,
        now_ms=NOW,
        most=DATA.summary.checkpoints,
        stamp_at=lambda path: stamp_of(FS(), path),
    )
    return list(captured.around(*plan.steps))


def bring_back(folder: Path) -> list[Step]:
    store = store_of(folder)
    roots = frozenset({str(folder)})
    known = checkpoints_in(FS(), str(folder), roots)
    copied = read_copy(FS(), roots, store, KEY, CHECKPOINT, known)
    assert isinstance(copied, Copied)
    made = restore(store, copied, present_in(folder), known, now_ms=NOW, new_uuid=uuids())
    return list(made.steps)


def carried_out(files: dict[str, bytes], steps: Any) -> dict[str, bytes]:
    """The files after ``steps``, without those that log."""
    with scratch() as folder:
        for name, data in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        apply(Site(FS(), str(folder), caller(), lock_format=OPENCLAW_LOCK), steps(folder))
        return {
            str(path.relative_to(folder)): path.read_bytes().replace(str(folder).encode(), b"<dir>")
            for path in folder.rglob("*")
            if path.is_file() and path.suffix != ".lock"
        }


COMPACTED = carried_out(FILES, compact)
# as a store that was moved has it: the paths in it are relative
MOVED = {name: data.replace(b"<dir>/", b"") for name, data in COMPACTED.items()}
RESTORED = carried_out(MOVED, bring_back)


def cuts(old: bytes, new: bytes) -> list[bytes]:
    """What an append that goes wrong may leave of ``new``, which begins with ``old``."""
    added = len(new) - len(old)
    return [new[: len(old) + size] for size in sorted({0, 1, added // 2, added - 1, added})]


def states_of(before: dict[str, bytes], after: dict[str, bytes]) -> list[Tree]:
    """All that may stand between ``before`` and ``after``: each file old, new, or half appended."""
    names = sorted(name for name in after if before.get(name) != after[name])
    choices: list[list[bytes | None]] = []
    for name in names:
        old = before.get(name)
        appended = (
            name.endswith(".jsonl") and after[name].startswith(old or b"") and ".agentbrief/c" not in name
        )
        if (appended and old is not None) or name.endswith("index.jsonl"):
            choices.append([*([None] if old is None else []), *cuts(old or b"", after[name])])
        else:
            choices.append([old, after[name]])
    states: list[Tree] = []
    for chosen in itertools.product(*choices):
        state: Tree = dict(before)
        for name, data in zip(names, chosen, strict=True):
            if data is None:
                state.pop(name, None)
            else:
                state[name] = data
        states.append(state)
    return states


def named(found: Tree, folder: bytes) -> Tree:
    return {
        name: data.replace(b"<dir>", folder) if data is not None else None for name, data in found.items()
    }


def loop(name: str, before: dict[str, bytes], after: dict[str, bytes], steps: Any, folder: Path) -> Operation:
    place = str(folder).encode()
    states = [named(state, place) for state in states_of(before, after)]
    return operation(
        name,
        before,
        steps,
        lambda found: {**found, **named(dict(after), place)},
        beside=(STORE, FILE),
        between=lambda found: states,
    )


@pytest.mark.parametrize(
    ("name", "before", "after", "steps"),
    [("compact", FILES, COMPACTED, compact), ("restore", MOVED, RESTORED, bring_back)],
)
def test_every_promise_holds_whichever_call_fails(
    name: str, before: dict[str, bytes], after: dict[str, bytes], steps: Any
) -> None:
    wrong: list[str] = []
    count = 0
    with scratch() as folder:
        planned_steps = loop(name, before, after, steps, folder)
        for outcome in scenarios(planned_steps, folder):
            count += 1
            wrong += judge(planned_steps, outcome, folder)
    assert wrong == []
    assert count > 300


def test_what_is_tried_has_an_effect() -> None:
    assert set(COMPACTED) == {FILE, STORE, NOTES, COPY}
    assert len(RESTORED) == len(MOVED) + 3
    assert RESTORED[FILE] == MOVED[FILE]
