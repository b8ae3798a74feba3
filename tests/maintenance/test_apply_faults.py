"""R1 for cleanups and for taking them back: whichever call fails, nothing is lost or half there."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from agentbrief.disk.lock import Caller
from agentbrief.disk.seam import FS
from agentbrief.maintenance.cleaned import Cleaned
from agentbrief.maintenance.values import MaintenancePlan
from agentbrief.sessions.store.names import archive_name
from agentbrief.tasks.store.cleanup import clean_up
from agentbrief.tasks.store.plan import plan_of
from agentbrief.tasks.store.trash import restore
from tests.disk.faults import (
    Fault,
    FaultyFS,
    Operation,
    Tree,
    attempt,
    caller,
    empty,
    faults_at,
    judge,
    scratch,
)
from tests.maintenance.folders import DAY, HOUR
from tests.maintenance.real_folders import ENFORCE, look_of, place_of, settings_with, transcript, write

NOW = caller().now_ns() // 1_000_000
FIRST = b'{\n "a" : {"sessionId":"a","updatedAt":%d, "big":12345678901234567890123}' % (NOW - HOUR)
BEFORE = FIRST + b',\n "b":{"sessionId":"b","updatedAt":%d}\n}' % (NOW - 60 * DAY)
AFTER = FIRST + b"\n}"
ARCHIVE = archive_name("q.jsonl", "deleted", NOW - 60 * DAY)
PUT_AWAY = archive_name("b.jsonl", "deleted", NOW)
COPY = f"sessions.json.bak.{NOW}"


def prepare(folder: Path) -> None:
    write(folder / "sessions.json", BEFORE, HOUR, NOW)
    write(folder / "a.jsonl", transcript("a"), HOUR, NOW)
    write(folder / "b.jsonl", transcript("b"), 60 * DAY, NOW)
    write(folder / ARCHIVE, b"q\n", 60 * DAY, NOW)


def cleaned(fs: FS, folder: Path, who: Caller, **maintenance: str) -> Cleaned | None:
    """A cleanup whose preview was made on a sound disk; None if there was nothing to do."""
    look = look_of(folder, NOW)
    plan = plan_of(look, settings_with(**maintenance), ENFORCE, NOW).plan
    assert isinstance(plan, MaintenancePlan)
    return clean_up(fs, look, plan, who, trash_days=14) if plan.items else None


def users(found: Tree) -> dict[str, bytes]:
    """The files that are not ours."""
    return {
        name: data
        for name, data in found.items()
        if data is not None and not name.startswith(".agentbrief") and not name.endswith(".lock")
    }


def in_trash(found: Tree) -> dict[str, bytes]:
    """What lies in the trash by its old name, the records left out."""
    prefix = ".agentbrief/trash/"
    names = {name: data for name, data in found.items() if name.startswith(prefix) and data is not None}
    return {
        name.rpartition("/")[2]: data
        for name, data in names.items()
        if not name.endswith("manifest.jsonl") and "/cleanup-" not in name
    }


def kept(found: Tree, ending: str) -> list[bytes]:
    names = (name for name in found if "/cleanup-" in name and name.endswith(ending))
    return [data for name in names if (data := found[name]) is not None]


def is_before(before: Tree, found: Tree) -> bool:
    return users(found) == users(before)


def is_cleaned(before: Tree, found: Tree) -> bool:
    wanted = {"sessions.json": AFTER, "a.jsonl": transcript("a"), PUT_AWAY: transcript("b"), COPY: BEFORE}
    return users(found) == wanted and in_trash(found) == {ARCHIVE: b"q\n"} and is_recorded(found)


def is_recorded(found: Tree) -> bool:
    records = [json.loads(data) for data in kept(found, ".json") if data.startswith(b'{"version"')]
    return any(record["dropped"] == ["b"] for record in records) and BEFORE in kept(found, ".store.json")


def is_between(before: Tree, found: Tree) -> bool:
    """Half way: each file is whole at one of its places, a session is never without its files."""
    mine = dict(users(found))
    if mine.pop(COPY, BEFORE) != BEFORE or mine.pop("a.jsonl", None) != transcript("a"):
        return False
    store = mine.pop("sessions.json", None)
    old, put_away = mine.pop("b.jsonl", None), mine.pop(PUT_AWAY, None)
    archive, trashed = mine.pop(ARCHIVE, None), in_trash(found).get(ARCHIVE)
    if mine or store not in (BEFORE, AFTER):
        return False
    if [old, put_away].count(transcript("b")) != 1 or [archive, trashed].count(b"q\n") != 1:
        return False
    if store == BEFORE and put_away is not None:
        return False
    return store == BEFORE or is_recorded(found)


def is_healed(before: Tree, found: Tree) -> bool:
    return users(found) == {
        "sessions.json": BEFORE,
        "a.jsonl": transcript("a"),
        "b.jsonl": transcript("b"),
        ARCHIVE: b"q\n",
    }


def again(fs: FS, folder: Path, who: Caller) -> None:
    """Clean up once more, then take everything back."""
    later = Caller(who.pid, lambda: who.now_ns() + 1_000_000_000, who.pause)
    cleaned(fs, folder, later, rotateBytes="1gb")
    for _ in range(2):
        restore(fs, place_of(folder), later)
    copy = folder / COPY
    if copy.exists():
        assert copy.read_bytes() == BEFORE
        copy.unlink()


CLEANING = Operation(
    "rotate and prune",
    prepare,
    lambda fs, folder, who: cleaned(fs, folder, who, rotateBytes="10b"),
    is_after=is_cleaned,
    is_untouched=is_before,
    is_crash_state=is_between,
    again=again,
    is_healed=is_healed,
)


def prepare_cleaned(folder: Path) -> None:
    prepare(folder)
    cleaned(FS(), folder, caller(), rotateBytes="1gb")


def is_between_back(before: Tree, found: Tree) -> bool:
    return is_between(before, found) or (
        # Files come back before the session does.
        users(found).get("sessions.json") in (BEFORE, AFTER)
        and {transcript("a"), transcript("b"), b"q\n"} <= {*users(found).values(), *in_trash(found).values()}
    )


TAKING_BACK = Operation(
    "take back",
    prepare_cleaned,
    lambda fs, folder, who: restore(fs, place_of(folder), who),
    is_after=is_healed,
    is_untouched=lambda before, found: users(found) == users(before) and in_trash(found) == in_trash(before),
    is_crash_state=is_between_back,
    again=lambda fs, folder, who: restore(fs, place_of(folder), who),
    is_healed=is_healed,
)


CHANGING = frozenset(
    ("create", "open_append", "write", "truncate", "sync", "sync_folder", "replace", "link", "unlink")
)
"""Calls that change the disk: each is made to fail in every way, of the looking ones every third in some."""


def faults(at: int, name: str) -> Iterator[Fault]:
    if name in CHANGING or name == "make_folder":
        yield from faults_at(at, name)
    elif at % 3 == 0:
        yield Fault(at, "crash")
        yield Fault(at, "EIO")
        yield Fault(at, "EACCES", times=0)


OPERATIONS = (CLEANING, TAKING_BACK)


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda each: each.name)
def test_every_promise_holds_whichever_call_fails(operation: Operation) -> None:
    wrong: list[str] = []
    count = 0
    probe = FaultyFS()
    with scratch() as folder:
        operation.prepare(folder)
        operation.run(probe, folder, caller())
        for at, name in enumerate(probe.log, 1):
            for fault in faults(at, name):
                empty(folder)
                outcome, fs = attempt(operation, folder, fault)
                if fs.fired:
                    count += 1
                    wrong += judge(operation, outcome, folder)
    assert wrong == []
    assert count > 250
