"""``agentbrief store cleanup`` and ``store trash``: the JSON contract, exit codes, unwilling stores."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.cli.shell import ROOT, Done, run
from tests.maintenance.folders import DAY, HOUR
from tests.maintenance.real_folders import aged_store, contents, transcript, write

KEYS = {"mode", "applied", "items", "bytes_before", "bytes_after", "protected"}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    found = Path(os.path.realpath(tmp_path)) / "home"
    (found / "work").mkdir(parents=True)
    return found


def now_ms() -> int:
    return time.time_ns() // 1_000_000


def store_in(home: Path, agent: str = "main", **sessions: int) -> Path:
    """A store whose sessions have these ages in ms, each with a transcript as old."""
    return aged_store(home, now_ms(), agent, **sessions)


def store(home: Path, *words: str) -> Done:
    return run("store", *words, cwd=home / "work", home=home)


def test_preview_and_enforcement_list_the_same_items(home: Path) -> None:
    folder = store_in(home, new=HOUR, old=40 * DAY, older=50 * DAY)
    before = contents(folder)
    shown = store(home, "cleanup", "--dry-run", "--json")
    assert shown.code == 1
    assert contents(folder) == before
    done = store(home, "cleanup", "--enforce", "--json")
    assert done.code == 0
    assert shown.json.keys() >= KEYS
    assert done.json.keys() >= KEYS
    assert done.json["items"] == shown.json["items"]
    assert [each["kind"] for each in shown.json["items"]] == [
        "drop-entry",
        "drop-entry",
        "archive",
        "archive",
    ]
    assert shown.json["items"][0] == {
        "kind": "drop-entry",
        "key": "agent:main:old",
        "reason": "prune-stale",
        "bytes": shown.json["items"][0]["bytes"],
    }
    assert shown.json["items"][2]["path"] == str(folder / "old.jsonl")
    assert (shown.json["applied"], done.json["applied"]) == (False, True)
    assert done.json["leftOut"] == []
    assert (done.json["beforeCount"], done.json["afterCount"], done.json["appliedCount"]) == (3, 1, 1)
    again = store(home, "cleanup", "--dry-run")
    assert again.code == 0
    assert "There is nothing to clean up." in again.out


def test_the_text_lists_the_same_items_too(home: Path) -> None:
    store_in(home, new=HOUR, old=40 * DAY)
    shown = store(home, "cleanup", "--dry-run").out.split("\n")
    done = store(home, "cleanup", "--enforce").out.split("\n")
    assert [line for line in shown if line.startswith("  ")] == [
        line for line in done if line.startswith("  ")
    ]
    assert "nothing has been changed" in shown[0]
    assert "Cleaned up" in done[0]


def test_everything_comes_back(home: Path) -> None:
    folder = store_in(home, new=HOUR, old=40 * DAY)
    write(folder / "x.jsonl.deleted.2020-01-01T00-00-00Z", b"x", 90 * DAY, now_ms())
    before = contents(folder)
    store(home, "cleanup", "--enforce")
    listed = store(home, "trash", "list", "--json").json["stores"][0]
    assert [each["sessions"] for each in listed["cleanups"]] == [1]
    assert [each["title"] for each in listed["cleanups"]] == [
        "Cleanup: 1 session · 1 file put away · 1 file in the trash"
    ]
    assert [each["reason"] for each in listed["items"]] == ["archive-expired"]
    would = store(home, "trash", "restore", "--dry-run")
    assert would.code == 1
    came = "2 files in their old places · 1 session in the store"
    assert would.out == f"Would come back: {came}. Nothing was changed.\n"
    done = store(home, "trash", "restore", str(folder))
    assert (done.code, done.out) == (0, f"Back again: {came}.\n")
    assert contents(folder) == before
    assert store(home, "trash", "restore", "--dry-run").code == 0
    assert "The trash is empty".lower() in store(home, "trash", "list").out.lower()


def test_one_file_comes_back_by_its_id(home: Path) -> None:
    folder = store_in(home, new=HOUR)
    for name in "xy":
        write(folder / f"{name}.jsonl.deleted.2020-01-01T00-00-00Z", name.encode(), 90 * DAY, now_ms())
    store(home, "cleanup", "--enforce")
    wanted = next(
        each["id"]
        for each in store(home, "trash", "list", "--json").json["stores"][0]["items"]
        if each["path"].endswith("x.jsonl.deleted.2020-01-01T00-00-00Z")
    )
    assert store(home, "trash", "restore", "--id", wanted).code == 0
    names = set(contents(folder))
    assert "x.jsonl.deleted.2020-01-01T00-00-00Z" in names
    assert "y.jsonl.deleted.2020-01-01T00-00-00Z" not in names
    assert store(home, "trash", "restore", "--id", "2020-01-01/nothing").code == 2


def test_without_a_choice_the_mode_of_the_settings_counts(home: Path) -> None:
    folder = store_in(home, new=HOUR, old=40 * DAY)
    before = contents(folder)
    warned = store(home, "cleanup", "--json")
    assert (warned.code, warned.json["mode"], warned.json["applied"]) == (0, "warn", False)
    assert contents(folder) == before
    config = home / ".openclaw" / "openclaw.json"
    config.write_text("{ session: { maintenance: { mode: 'enforce', pruneAfter: '45d' } } }")
    kept = store(home, "cleanup", "--json")
    assert (kept.code, kept.json["items"], kept.json["settings"]) == (0, [], "session.maintenance")
    config.write_text("{ session: { maintenance: { mode: 'enforce' } } }")
    assert store(home, "cleanup", "--json").json["applied"] is True
    assert "old.jsonl" not in contents(folder)


def test_settings_of_ours_count_where_openclaw_has_none(home: Path) -> None:
    store_in(home, new=HOUR, old=40 * DAY)
    (home / "mine.json").write_text(json.dumps({"maintenance": {"pruneAfter": "50d"}}))
    found = store(home, "cleanup", "--dry-run", "--json", "--config", str(home / "mine.json"))
    assert (found.code, found.json["items"], found.json["settings"]) == (0, [], "agentbrief.maintenance")


def test_several_stores_are_reported_together_and_one_bad_one_hides_no_other(home: Path) -> None:
    store_in(home, new=HOUR, old=40 * DAY)
    other = store_in(home, "work", older=50 * DAY)
    found = store(home, "cleanup", "--dry-run", "--json")
    assert found.code == 1
    assert [each["agentId"] for each in found.json["stores"]] == ["main", "work"]
    (other / "sessions.json").write_bytes(b"{")
    found = store(home, "cleanup", "--dry-run", "--json")
    assert found.code == 3
    assert [each.get("problems", [{}])[0].get("code") for each in found.json["stores"]] == [
        None,
        "store-not-json",
    ]


def test_the_active_session_stays(home: Path) -> None:
    folder = store_in(home, new=HOUR, old=40 * DAY)
    found = store(home, "cleanup", "--enforce", "--active-key", "agent:main:OLD", "--json")
    assert found.json["items"] == []
    assert found.json["protected"] == [{"key": "agent:main:old", "why": "active", "reason": "prune-stale"}]
    assert (folder / "old.jsonl").exists()


def test_a_clock_that_seems_wrong_is_asked_about(home: Path) -> None:
    folder = store_in(home, old=40 * DAY)
    stamp = now_ms() - 40 * DAY
    os.utime(folder / "sessions.json", ns=(stamp * 1_000_000, stamp * 1_000_000))
    before = contents(folder)
    assert store(home, "cleanup", "--dry-run", "--json").json["asksFirst"] is True
    refused = store(home, "cleanup", "--enforce")
    assert refused.code == 3
    assert "--yes" in refused.err
    assert contents(folder) == before
    assert store(home, "cleanup", "--enforce", "--yes").code == 0
    assert contents(folder) != before


UNWILLING: dict[str, tuple[bytes | None, str]] = {
    "unparsable": (b'{"agent:main:old": ', "is not valid JSON"),
    "an array": (b"[]", "holds no object"),
    "empty": (b"", "is blank"),
    "blank": (b" \n", "is blank"),
}


@pytest.mark.parametrize("name", UNWILLING)
@pytest.mark.parametrize("choice", ["--dry-run", "--enforce"])
def test_a_store_that_is_none_is_one_clear_message(name: str, choice: str, home: Path) -> None:
    data, message = UNWILLING[name]
    folder = store_in(home, new=HOUR, old=40 * DAY)
    assert data is not None
    (folder / "sessions.json").write_bytes(data)
    before = contents(folder)
    done = store(home, "cleanup", choice)
    assert done.code == 3
    assert done.err.count("\n") == 1
    assert message in done.err
    assert str(folder / "sessions.json") in done.err
    assert contents(folder) == before
    assert store(home, "cleanup", choice, "--json").json["problems"][0]["path"] == str(
        folder / "sessions.json"
    )


def test_a_locked_store_is_one_clear_message(home: Path) -> None:
    folder = store_in(home, new=HOUR, old=40 * DAY)
    lock = folder / "sessions.json.lock"
    lock.write_text(json.dumps({"pid": os.getpid(), "createdAt": "2020-01-01T00:00:00.000Z"}))
    before = contents(folder)
    done = store(home, "cleanup", "--enforce")
    assert done.code == 3
    assert str(os.getpid()) in done.err
    assert "nothing was changed" in done.err
    assert contents(folder) == before


def test_a_folder_that_is_not_there_is_one_clear_message(home: Path) -> None:
    done = store(home, "cleanup", str(home / "nowhere" / "sessions.json"), "--enforce")
    assert done.code == 3
    assert "does not exist" in done.err


def test_no_store_at_all_is_no_failure(home: Path) -> None:
    done = store(home, "cleanup", "--dry-run")
    assert done.code == 0
    assert str(home / ".openclaw") in done.err


def test_a_database_beside_it_makes_it_read_only(home: Path) -> None:
    folder = store_in(home, new=HOUR, old=40 * DAY)
    write(folder.parent / "agent" / "openclaw-agent.sqlite", b"x")
    before = contents(folder)
    shown = store(home, "cleanup", "--dry-run")
    assert "SQLite" in shown.out
    done = store(home, "cleanup", "--enforce")
    assert (done.code, done.err.count("SQLite")) == (3, 1)
    assert contents(folder) == before


def test_a_full_disk_is_one_clear_message(home: Path) -> None:
    folder = store_in(home, new=HOUR, old=40 * DAY)
    before = contents(folder)
    done = limited(home, "store", "cleanup", "--enforce")
    assert done.returncode == 3
    assert b"The disk is full" in done.stderr
    assert contents(folder) == before


def limited(home: Path, *words: str) -> subprocess.CompletedProcess[bytes]:
    """The command in a process that may write no file."""
    paths = [str(ROOT / "server"), str(ROOT / "features")]
    env: dict[str, Any] = {
        "HOME": str(home), "PATH": os.environ["PATH"], "PYTHONPATH": os.pathsep.join(paths),
        "PYTHONDONTWRITEBYTECODE": "1",
    }  # fmt: skip
    return subprocess.run(
        [sys.executable, "-m", "agentbrief_server", *words],
        cwd=home / "work",
        env=env,
        capture_output=True,
        check=False,
        timeout=60,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (40, 40)),
    )


@pytest.mark.parametrize("locale", ["en", "zh-cn", "zh-tw"])
def test_each_language_says_it(locale: str, home: Path) -> None:
    store_in(home, new=HOUR, old=40 * DAY)
    done = store(home, "cleanup", "--dry-run", "--locale", locale)
    assert done.code == 1
    assert "agent:main:old" in done.out


def test_nothing_is_written_by_looking(home: Path) -> None:
    store_in(home, new=HOUR, old=40 * DAY)
    before = set(home.rglob("*"))
    for words in (
        ["cleanup", "--dry-run"],
        ["cleanup"],
        ["trash", "list"],
        ["trash", "restore", "--dry-run"],
    ):
        store(home, *words)
    assert set(home.rglob("*")) == before


def test_what_scheduled_jobs_leave(home: Path) -> None:
    folder = store_in(home, new=HOUR)
    entries = json.loads((folder / "sessions.json").read_bytes())
    entries["agent:main:cron:daily:run:1"] = {"sessionId": "run1", "updatedAt": now_ms() - 3 * DAY}
    write(folder / "sessions.json", json.dumps(entries).encode(), HOUR, now_ms())
    write(folder / "run1.jsonl", transcript("run1"), 3 * DAY, now_ms())
    write(home / ".openclaw" / "openclaw.json", b'{"cron": {"runLog": {"maxBytes": 100, "keepLines": 2}}}')
    log = home / ".openclaw" / "cron" / "runs" / "daily.jsonl"
    write(log, b'{"a": 1}\n' * 40)
    assert store(home, "cleanup", "--dry-run").code == 0
    shown = store(home, "cleanup", "--dry-run", "--cron", "--json")
    assert shown.code == 1
    assert [each["reason"] for each in shown.json["items"]] == ["cron-expired"] * 2
    assert shown.json["runLogs"] == [{"path": str(log), "bytes": 360, "bytesAfter": 18}]
    assert "daily.jsonl" in store(home, "cleanup", "--dry-run", "--cron").out
    done = store(home, "cleanup", "--enforce", "--cron", "--json")
    assert (done.code, done.json["items"]) == (0, shown.json["items"])
    assert log.read_bytes() == b'{"a": 1}\n' * 2
    assert not (folder / "run1.jsonl").exists()
    assert store(home, "cleanup", "--dry-run", "--cron").code == 0
