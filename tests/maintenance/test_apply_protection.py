"""R18 What came into use after the preview is left out, whatever it was: nothing is ever added."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from agentbrief.disk.refusal import Refused
from agentbrief.disk.seam import FS
from agentbrief.maintenance.values import CleanupChoices, MaintenancePlan, Refusal
from agentbrief.tasks.sessions.setup import SessionsSetup
from agentbrief.tasks.settings import Settings
from agentbrief.tasks.store.cleanup import clean_up
from agentbrief.tasks.store.look import InUse
from agentbrief.tasks.store.place import store_at
from agentbrief.tasks.store.plan import plan_of
from tests.maintenance.folders import DAY, HOUR, MINUTE, NOW
from tests.maintenance.real_folders import (
    ENFORCE,
    contents,
    enforced,
    look_of,
    planned,
    sessions_folder,
    settings_with,
    someone,
    transcript,
    usual,
    write,
)

STALE = "agent:main:old"


def store(folder: Path) -> dict[str, dict[str, object]]:
    found: dict[str, dict[str, object]] = json.loads((folder / "sessions.json").read_bytes())
    return found


def changed_store(folder: Path, key: str, **fields: object) -> None:
    value = store(folder)
    value[key] = {**value.get(key, {}), **fields}
    write(folder / "sessions.json", json.dumps(value).encode(), 2 * HOUR)


def lock(folder: Path, name: str, pid: int) -> None:
    write(folder / f"{name}.lock", json.dumps({"pid": pid, "createdAt": "2020-01-01T00:00:00.000Z"}).encode())


def forked(folder: Path) -> None:
    changed_store(folder, "agent:main:x", sessionId="fork", updatedAt=NOW)
    write(folder / "fork.jsonl", transcript("fork", "/elsewhere/old.jsonl"), 0)


HAPPENINGS: dict[str, tuple[Callable[[Path], object], str]] = {
    "the transcript grew": (
        lambda folder: write(folder / "old.jsonl", transcript("old") + b"{}\n", 2 * HOUR), "changed",
    ),
    "the transcript was written just now": (
        lambda folder: write(folder / "old.jsonl", transcript("old"), MINUTE), "recent",
    ),
    "the transcript has a time in the future": (
        lambda folder: write(folder / "old.jsonl", transcript("old"), -400 * DAY), "future",
    ),
    "a process locked the transcript": (lambda folder: lock(folder, "old.jsonl", os.getpid()), "locked"),
    "a lock that cannot be read": (lambda folder: write(folder / "old.jsonl.lock", b"?"), "locked"),
    "the session was used again": (lambda folder: changed_store(folder, STALE, updatedAt=NOW), "changed"),
    "the session runs": (lambda folder: changed_store(folder, STALE, status="running"), "changed"),
    "another session uses the same file": (
        lambda folder: changed_store(folder, "agent:main:other", sessionId="old", updatedAt=NOW), "in-use",
    ),
    "the session left the store": (
        lambda folder: write(
            folder / "sessions.json",
            json.dumps({key: value for key, value in store(folder).items() if key != STALE}).encode(),
        ),
        "gone",
    ),
    "a thread that was copied from it is live": (
        lambda folder: forked(folder), "parent-of-live-fork",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", HAPPENINGS)
def test_what_happened_after_the_preview_is_seen(name: str, tmp_path: Path) -> None:
    happen, why = HAPPENINGS[name]
    folder = usual(tmp_path)
    done = enforced(folder, meanwhile=lambda: happen(folder))
    left = {(item.item.what, item.why) for item in done.left_out}
    assert why in {word for _, word in left}
    if name == "another session uses the same file":
        assert STALE not in store(folder)
    elif name != "the session left the store":
        assert STALE in store(folder)
    assert (folder / "old.jsonl").exists()
    assert "agent:main:topic" not in store(folder)


def test_a_lock_of_a_dead_process_protects_nothing(tmp_path: Path) -> None:
    folder = usual(tmp_path)
    lock(folder, "old.jsonl", 2**22 - 1)
    assert enforced(folder).left_out == ()
    assert not (folder / "old.jsonl").exists()


@pytest.mark.parametrize(
    "in_use",
    [
        InUse(active_key="AGENT:main:OLD "),
        InUse(open_session_ids=frozenset({"old"})),
        InUse(open_files=frozenset({"{folder}/old.jsonl"})),
    ],
)
def test_what_is_open_or_active_stays(in_use: InUse, tmp_path: Path) -> None:
    folder = usual(tmp_path)
    files = frozenset(path.replace("{folder}", str(folder)) for path in in_use.open_files)
    in_use = InUse(in_use.active_key, in_use.open_session_ids, files)
    _, plan = planned(folder, in_use=in_use)
    assert STALE not in [item.what for item in plan.items]
    enforced(folder, in_use=in_use)
    assert STALE in store(folder)
    assert (folder / "old.jsonl").exists()


def test_a_session_that_is_opened_after_the_preview_stays(tmp_path: Path) -> None:
    folder = usual(tmp_path)
    found, plan = planned(folder)
    done = clean_up(
        FS(), found.look, plan, someone(), trash_days=14, in_use=InUse(open_session_ids=frozenset({"old"}))
    )
    assert {each.why for each in done.left_out} >= {"open"}
    assert STALE in store(folder)


@pytest.mark.parametrize("days", [31, 400, -400])
def test_a_clock_far_from_every_time_is_asked_about(days: int, tmp_path: Path) -> None:
    folder = sessions_folder(tmp_path)
    write(folder / "sessions.json", b'{"a":{"sessionId":"a","updatedAt":%d}}' % NOW)
    write(folder / "a.jsonl", transcript("a"), 0)
    _, plan = planned(folder, now_ms=NOW + days * DAY)
    assert plan.asks_first
    _, plan = planned(folder, now_ms=NOW + 29 * DAY)
    assert not plan.asks_first


def test_beside_a_database_everything_is_read_only(tmp_path: Path) -> None:
    folder = usual(tmp_path)
    write(folder.parent / "agent" / "openclaw-agent.sqlite", b"")
    found, plan = planned(folder)
    assert found.read_only == "database"
    assert plan.items


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('{ session: { maintenance: { pruneAfter: "1x" } } }', "bad-duration"),
        ("{ session: { maintenance: { what: 1 } } }", "unknown-key"),
        ("{ not", "config-not-read"),
    ],
)
def test_settings_that_cannot_be_trusted_refuse_everything(text: str, code: str, tmp_path: Path) -> None:
    folder = usual(tmp_path)
    write(tmp_path / "state" / "openclaw.json", text.encode())
    found = plan_of(look_of(folder), Settings(), CleanupChoices(enforce=True), NOW)
    assert isinstance(found.plan, Refusal)
    assert [problem.code for problem in found.plan.problems] == [code]


def test_openclaws_own_settings_come_first_and_are_named(tmp_path: Path) -> None:
    folder = usual(tmp_path)
    write(
        tmp_path / "state" / "openclaw.json", b"{ session: { maintenance: { pruneAfter: '45d' } } } // mine"
    )
    found = plan_of(look_of(folder), settings_with(pruneAfter="1d"), ENFORCE, NOW)
    assert isinstance(found.plan, MaintenancePlan)
    assert found.plan.policy.place == "session.maintenance"
    assert [item.what for item in found.plan.items if item.action == "drop-entry"] == [STALE]
    (tmp_path / "state" / "openclaw.json").unlink()
    found = plan_of(look_of(folder), settings_with(pruneAfter="1d"), ENFORCE, NOW)
    assert isinstance(found.plan, MaintenancePlan)
    assert found.plan.policy.place == "agentbrief.maintenance"


def test_a_remote_gateway_is_said_to_be_one(tmp_path: Path) -> None:
    folder = usual(tmp_path)
    write(tmp_path / "state" / "openclaw.json", b"{ gateway: { mode: 'remote' } }")
    assert plan_of(look_of(folder), Settings(), ENFORCE, NOW).is_remote


def test_a_held_store_lock_stops_it_and_nothing_changes(tmp_path: Path) -> None:
    folder = usual(tmp_path)
    before = contents(folder)
    lock(folder, "sessions.json", os.getppid())
    with pytest.raises(Refused) as refusal:
        enforced(folder)
    assert refusal.value.what == "held-by"
    assert refusal.value.untouched == "nothing-changed"
    (folder / "sessions.json.lock").unlink()
    assert contents(folder) == before


def test_a_store_is_found_by_any_of_its_paths(tmp_path: Path) -> None:
    folder = usual(tmp_path)
    setup = SessionsSetup(FS(), (), Settings(), str(tmp_path), NOW)
    for path in (folder / "sessions.json", folder, tmp_path / "state"):
        place = store_at(setup, str(path))
        assert place.path == str(folder / "sessions.json")
        assert place.agent_id == "main"
