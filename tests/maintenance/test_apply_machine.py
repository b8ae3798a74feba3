"""R17 A cleanup does what its plan said, less what came into use meanwhile; never more, and totals add up.

A state machine over a folder on a disk: sessions come and go, are used, locked and shared, the clock runs;
plans are made, and carried out when other things have happened since.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from agentbrief.disk.seam import FS
from agentbrief.maintenance.cleaned import Cleaned
from agentbrief.maintenance.cleanup_record import is_of_record
from agentbrief.maintenance.report import plan_record
from agentbrief.maintenance.values import MaintenancePlan
from agentbrief.sessions.store.names import archive_name, is_counted
from agentbrief.sessions.store.text import pretty_bytes
from agentbrief.tasks.store.cleanup import clean_up
from agentbrief.tasks.store.look import InUse, StoreLook
from agentbrief.tasks.store.trash import restore, trash_of
from tests.disk.faults import scratch
from tests.maintenance.folders import DAY, HOUR, MINUTE, NOW
from tests.maintenance.real_folders import (
    DRY_RUN,
    ENFORCE,
    contents,
    place_of,
    planned,
    someone,
    transcript,
    write,
)

IDS = st.sampled_from("abcdef")
KEYS = st.sampled_from([f"agent:main:{name}" for name in "klmnop"])
AGES = st.sampled_from([0, MINUTE, 10 * MINUTE, DAY, 29 * DAY, 31 * DAY, 90 * DAY])
MAINTENANCE = st.fixed_dictionaries(
    {"pruneAfter": st.sampled_from(["1h", "30d"]), "maxEntries": st.integers(1, 5)},
    optional={
        "rotateBytes": st.sampled_from(["50b", "1kb"]),
        "maxDiskBytes": st.sampled_from(["0", "500b", "2kb"]),
        "highWaterBytes": st.sampled_from(["100b", "1kb"]),
        "resetArchiveRetention": st.sampled_from(["1d", False]),
    },
)


class Cleanups(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self._scratch = scratch()
        self.folder = self._scratch.__enter__() / "agents" / "main" / "sessions"
        self.now = NOW
        self.open_ids: frozenset[str] = frozenset()
        self.plan: tuple[StoreLook, MaintenancePlan] | None = None
        self.settings: dict[str, Any] = {}

    def teardown(self) -> None:
        self._scratch.__exit__(None, None, None)

    # What goes on in the folder

    @initialize()
    def empty(self) -> None:
        write(self.folder / "sessions.json", b"{}", DAY)

    @rule(key=KEYS, session=IDS, age=AGES, running=st.booleans())
    def session(self, key: str, session: str, age: int, running: bool) -> None:
        value: dict[str, Any] = {"sessionId": session, "updatedAt": self.now - age}
        self.change(
            lambda store: store.__setitem__(key, {**value, "status": "running"} if running else value)
        )
        if not (self.folder / f"{session}.jsonl").exists():
            self.touch(session, age)

    @rule(key=KEYS)
    def forget(self, key: str) -> None:
        self.change(lambda store: store.pop(key, None))

    @rule(key=KEYS, session=IDS)
    def refer(self, key: str, session: str) -> None:
        self.change(lambda store: store.__setitem__(key, {"sessionId": session, "updatedAt": self.now}))

    @rule(session=IDS, age=AGES)
    def touch(self, session: str, age: int) -> None:
        data = transcript(session) * (1 + len(session) + age % 3)
        write(self.folder / f"{session}.jsonl", data, age, self.now)

    @rule(session=IDS, age=AGES, reason=st.sampled_from(["deleted", "reset"]))
    def archive(self, session: str, age: int, reason: Any) -> None:
        name = archive_name(f"{session}.jsonl", reason, self.now - age)
        write(self.folder / name, b"x" * 100, max(age, 10 * MINUTE), self.now)

    @rule(session=IDS, live=st.booleans())
    def lock(self, session: str, live: bool) -> None:
        pid = os.getpid() if live else 2**22 - 1
        write(self.folder / f"{session}.jsonl.lock", b'{"pid": %d}' % pid, DAY, self.now)

    @rule(session=IDS)
    def unlock(self, session: str) -> None:
        (self.folder / f"{session}.jsonl.lock").unlink(missing_ok=True)

    @rule(ids=st.frozensets(IDS, max_size=2))
    def open(self, ids: frozenset[str]) -> None:
        self.open_ids = ids

    @rule(hours=st.sampled_from([1, 24, 24 * 40, -24 * 40]))
    def clock(self, hours: int) -> None:
        self.now += hours * HOUR

    # Plans

    @rule(maintenance=MAINTENANCE)
    def dry_run(self, maintenance: dict[str, Any]) -> None:
        before = contents(self.folder)
        in_use = self.in_use()
        found, plan = planned(self.folder, ENFORCE, self.now, in_use, **maintenance)
        _, shown = planned(self.folder, DRY_RUN, self.now, in_use, **maintenance)
        assert plan_record(shown)["items"] == plan_record(plan)["items"]
        assert contents(self.folder) == before
        self.plan = found.look, plan
        self.settings = maintenance

    @precondition(lambda self: self.plan is not None)
    @rule()
    def enforce(self) -> None:
        assert self.plan is not None
        look, plan = self.plan
        self.plan = None
        self.carried_out(look, plan)

    @rule(maintenance=MAINTENANCE)
    def enforce_and_take_back(self, maintenance: dict[str, Any]) -> None:
        before = contents(self.folder)
        waiting = {file.id for file in trash_of(FS(), place_of(self.folder)).files}
        open_before = {each.record.id for each in trash_of(FS(), place_of(self.folder)).cleanups}
        found, plan = planned(self.folder, ENFORCE, self.now, self.in_use(), **maintenance)
        done = self.carried_out(found.look, plan)
        trash = trash_of(FS(), place_of(self.folder))
        if done.id in {each.record.id for each in trash.cleanups}:
            restored = restore(FS(), place_of(self.folder), someone(self.now), [done.id])
            assert restored.left_out == ()
        assert contents(self.folder) == before
        trash = trash_of(FS(), place_of(self.folder))
        purged = {f"{item.day}/{os.path.basename(item.trashed)}" for item in done.purged}
        assert {file.id for file in trash.files} == waiting - purged
        assert {each.record.id for each in trash.cleanups} <= open_before
        self.plan = None

    # What must hold

    @invariant()
    def nothing_of_ours_lies_about(self) -> None:
        if self.folder.exists():
            names = {path.name for path in self.folder.iterdir()}
            assert not {name for name in names if name.startswith(".agentbrief-")}
            assert "sessions.json.lock" not in names

    def carried_out(self, look: StoreLook, plan: MaintenancePlan) -> Cleaned:
        before, safe = contents(self.folder), self.protected()
        store = self.store()
        trashed = len(trash_of(FS(), place_of(self.folder)).files)
        size = self.total()
        done = clean_up(FS(), look, plan, someone(self.now), trash_days=10_000, in_use=self.in_use())
        after = contents(self.folder)
        assert sorted(done.done + tuple(each.item for each in done.left_out), key=repr) == sorted(
            plan.items, key=repr
        )
        gone = {item.what for item in done.done if item.action == "drop-entry"}
        moved = {item.what: item for item in done.done if item.action in ("archive", "trash")}
        made = {str(item.new_name) for item in done.done if item.action in ("archive", "rotate")}
        assert not safe & set(moved)
        for key in gone:
            entry = store[key]
            assert entry.get("status") != "running"
            assert entry["sessionId"] not in self.open_ids
            assert f"{entry['sessionId']}.jsonl" not in safe
        assert set(after) == (set(before) - set(moved)) | made
        for name, data in before.items():
            if name in moved:
                item = moved[name]
                if item.action == "archive":
                    assert after[str(item.new_name)] == data
            elif name != "sessions.json":
                assert after[name] == data
        assert self.store() == {key: value for key, value in store.items() if key not in gone}
        assert size - sum(item.freed for item in done.done) == self.total()
        now_trashed = len(trash_of(FS(), place_of(self.folder)).files)
        purged = [item for item in done.purged if not is_of_record(os.path.basename(item.trashed))]
        assert now_trashed - trashed + len(purged) == sum(item.action == "trash" for item in done.done)
        return done

    def protected(self) -> set[str]:
        """The transcripts that must not be touched now, by rules of this test's own."""
        found = set()
        for path in self.folder.iterdir():
            age = self.now - path.stat().st_mtime_ns // 1_000_000
            lock = path.with_name(path.name + ".lock")
            if age < 5 * MINUTE or (lock.exists() and str(os.getpid()) in lock.read_text()):
                found.add(path.name)
        return found

    def total(self) -> int:
        names = [
            path
            for path in self.folder.iterdir()
            if path.is_file() and path.name != "sessions.json" and is_counted(path.name)
        ]
        return sum(path.stat().st_size for path in names) + pretty_bytes(self.store())

    def in_use(self) -> InUse:
        return InUse(open_session_ids=self.open_ids)

    def store(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads((self.folder / "sessions.json").read_bytes())
        return found

    def change(self, change: Callable[[dict[str, Any]], object]) -> None:
        store = self.store()
        change(store)
        write(self.folder / "sessions.json", json.dumps(store).encode(), HOUR, self.now)


Cleanups.TestCase.settings = settings(
    max_examples=120,
    stateful_step_count=30,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
)
TestCleanups = Cleanups.TestCase


class ManyCleanups(Cleanups):
    """The same, for longer: 2,000 runs take minutes."""


ManyCleanups.TestCase.settings = settings(
    Cleanups.TestCase.settings, max_examples=int(os.environ.get("AGENTBRIEF_CLEANUPS", "400"))
)
TestManyCleanups = pytest.mark.slow(ManyCleanups.TestCase)
