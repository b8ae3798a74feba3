"""``agentbrief store status`` and ``store doctor`` in real processes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.test_store_cleanup import home as home
from tests.cli.test_store_cleanup import store, store_in
from tests.maintenance.folders import DAY, HOUR


def test_status_lists_every_store(home: Path) -> None:
    store_in(home, new=HOUR, old=40 * DAY)
    store_in(home, "work", other=HOUR)
    done = store(home, "status", "--json")
    assert done.code == 0
    assert [(each["agentId"], each["count"]) for each in done.json["stores"]] == [("main", 2), ("work", 1)]
    assert "agent:main:old" in store(home, "status").out
    active = store(home, "status", "--active", "120", "--json").json["stores"][0]["sessions"]
    assert [each["key"] for each in active] == ["agent:main:new"]


def test_status_of_one_session(home: Path) -> None:
    store_in(home, new=HOUR)
    store_in(home, "work", other=HOUR)
    done = store(home, "status", "--key", "agent:work:other", "--json")
    (found,) = done.json["stores"]
    assert found["sessions"][0]["transcript"]["entries"] == 1
    assert store(home, "status", "--key", "agent:work:nothing").code == 3
    assert store(home, "status", "--active", "0").code == 2


def test_status_of_a_store_that_is_none(home: Path) -> None:
    folder = store_in(home, new=HOUR)
    (folder / "sessions.json").write_bytes(b"{")
    done = store(home, "status", "--json")
    assert (done.code, done.json["stores"][0]["problem"]) == (3, "store-not-json")


@pytest.mark.parametrize(("fail_on", "code"), [("warning", 0), ("information", 1), ("never", 0)])
def test_doctor_ends_by_the_severity(fail_on: str, code: int, home: Path) -> None:
    folder = store_in(home, new=HOUR)
    (folder / "loose.jsonl").write_bytes((folder / "new.jsonl").read_bytes())
    done = store(home, "doctor", "--fail-on", fail_on, "--json")
    assert done.code == code
    assert [each["code"] for each in done.json["stores"][0]["findings"]] == ["transcript-unreferenced"]


def test_doctor_finds_what_is_wrong_and_says_what_helps(home: Path) -> None:
    folder = store_in(home, new=HOUR)
    value = json.loads((folder / "sessions.json").read_bytes())
    value["agent:main:new"]["updatedAt"] = "soon"
    (folder / "sessions.json").write_text(json.dumps(value))
    done = store(home, "doctor")
    assert done.code == 1
    assert "warning[store-odd-entry]" in done.out
    assert "→" in done.out


def test_no_store_is_no_failure(home: Path) -> None:
    assert store(home, "doctor").code == 0
    assert store(home, "status", "--json").json == {"stores": []}
