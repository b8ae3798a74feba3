"""Sessions of old runs and long logs of scheduled jobs: previewed, done, taken back."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from agentbrief.changes.apply import Site, undo
from agentbrief.disk.seam import FS
from agentbrief.maintenance.values import MaintenancePlan
from agentbrief.tasks.store.cleanup import clean_up
from agentbrief.tasks.store.cron import long_logs, runs_folder, shorten_logs, swept
from agentbrief.tasks.store.plan import StorePlan, plan_of
from agentbrief.tasks.store.trash import undo_cleanup
from tests.maintenance.folders import DAY, HOUR, MINUTE, NOW
from tests.maintenance.real_folders import (
    ENFORCE,
    contents,
    look_of,
    place_of,
    sessions_folder,
    settings_with,
    someone,
    transcript,
    write,
)

JOB = "agent:main:cron:daily"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return Path(os.path.realpath(tmp_path))


def laid_out(root: Path, config: dict[str, Any] | None = None) -> Path:
    """The base session of a job and three runs, two of which are older than a day."""
    folder = sessions_folder(root)
    ages = {JOB: 5 * DAY, f"{JOB}:run:1": 3 * DAY, f"{JOB}:run:2": 2 * DAY, f"{JOB}:run:3": HOUR}
    store = {key: {"sessionId": f"s{n}", "updatedAt": NOW - age} for n, (key, age) in enumerate(ages.items())}
    write(folder / "sessions.json", json.dumps(store, indent=1).encode())
    for number, age in enumerate(ages.values()):
        write(folder / f"s{number}.jsonl", transcript(f"s{number}"), max(age, 10 * MINUTE))
    write(root / "state" / "openclaw.json", json.dumps(config or {}).encode())
    return folder


def plan(folder: Path) -> tuple[StorePlan, MaintenancePlan]:
    found = swept(plan_of(look_of(folder), settings_with(), ENFORCE, NOW), NOW)
    assert isinstance(found.plan, MaintenancePlan)
    return found, found.plan


def test_old_runs_go_and_the_job_stays(root: Path) -> None:
    folder = laid_out(root)
    before = contents(folder)
    found, made = plan(folder)
    assert [(item.action, item.what) for item in made.items] == [
        ("drop-entry", f"{JOB}:run:1"),
        ("drop-entry", f"{JOB}:run:2"),
        ("archive", "s1.jsonl"),
        ("archive", "s2.jsonl"),
    ]
    assert {item.reason for item in made.items} == {"cron-expired"}
    assert (made.before_count, made.after_count) == (4, 2)
    cleaned = clean_up(FS(), found.look, made, someone(), trash_days=14)
    assert cleaned.done == made.items
    assert set(json.loads((folder / "sessions.json").read_bytes())) == {JOB, f"{JOB}:run:3"}
    undo_cleanup(FS(), place_of(folder), cleaned, someone())
    assert contents(folder) == before


def test_a_sweep_that_is_switched_off(root: Path) -> None:
    folder = laid_out(root, {"cron": {"sessionRetention": False}})
    assert plan(folder)[1].items == ()


def test_what_the_cleanup_does_already_is_done_once(root: Path) -> None:
    folder = laid_out(root)
    found = plan_of(look_of(folder), settings_with(pruneAfter="60h"), ENFORCE, NOW)
    both = swept(found, NOW).plan
    assert isinstance(both, MaintenancePlan)
    names = [(item.action, item.what) for item in both.items]
    assert len(names) == len(set(names))
    reasons = {item.what: item.reason for item in both.items if item.action == "drop-entry"}
    assert reasons == {
        JOB: "prune-stale",
        f"{JOB}:run:1": "prune-stale",
        f"{JOB}:run:2": "cron-expired",
    }


LINES = b"".join(json.dumps({"run": number}).encode() + b"\n" for number in range(50))


def logs_laid_out(root: Path) -> tuple[Path, Path]:
    folder = laid_out(root, {"cron": {"runLog": {"maxBytes": "300b", "keepLines": 3}}})
    runs = root / "state" / "cron" / "runs"
    write(runs / "daily.jsonl", LINES)
    write(runs / "short.jsonl", LINES[:100])
    write(runs / "notes.txt", LINES)
    return folder, runs


def test_long_logs_keep_their_last_lines(root: Path) -> None:
    folder, runs = logs_laid_out(root)
    place = place_of(folder)
    assert runs_folder(place) == str(runs)
    before = contents(runs)
    [log] = long_logs(FS(), place)
    assert os.path.basename(log.path) == "daily.jsonl"
    receipt = shorten_logs(FS(), place, [log], someone())
    assert receipt is not None
    assert (runs / "daily.jsonl").read_bytes() == b'{"run": 47}\n{"run": 48}\n{"run": 49}\n'
    [copy] = (runs / ".agentbrief" / "trash").rglob("*daily.jsonl")
    assert copy.read_bytes() == LINES
    assert long_logs(FS(), place) == ()
    undo(Site(FS(), str(runs), someone()), receipt)
    assert contents(runs) == before


def test_a_log_that_was_written_to_meanwhile_stays(root: Path) -> None:
    folder, runs = logs_laid_out(root)
    found = long_logs(FS(), place_of(folder))
    with (runs / "daily.jsonl").open("ab") as log:
        log.write(b'{"run": 50}\n')
    now = contents(runs)
    receipt = shorten_logs(FS(), place_of(folder), found, someone())
    assert receipt is not None
    assert len(receipt.left_out) == 2
    assert contents(runs) == now


def test_no_logs_at_all(root: Path) -> None:
    folder = laid_out(root)
    assert long_logs(FS(), place_of(folder)) == ()
    assert shorten_logs(FS(), place_of(folder), (), someone()) is None
