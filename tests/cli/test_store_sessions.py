"""``agentbrief sessions reset`` and ``sessions fork``: what they change, what they refuse, dry runs."""

from __future__ import annotations

import json
import os
import uuid
from pathlib import Path

import pytest

from tests.cli.shell import Done, run
from tests.cli.test_store_cleanup import home as home
from tests.cli.test_store_cleanup import now_ms, store_in
from tests.maintenance.folders import HOUR
from tests.maintenance.real_folders import contents, transcript, write


def sessions(home: Path, *words: str) -> Done:
    return run("sessions", *words, cwd=home / "work", home=home)


def test_a_reset_begins_a_session_and_keeps_the_old_transcript(home: Path) -> None:
    folder = store_in(home, new=HOUR, old=2 * HOUR)
    value = json.loads((folder / "sessions.json").read_bytes())
    value["agent:main:old"] |= {"label": "Work", "inputTokens": 5, "own": [1]}
    write(folder / "sessions.json", json.dumps(value).encode())
    before = contents(folder)
    shown = sessions(home, "reset", "agent:main:OLD", "--dry-run", "--json")
    assert (shown.code, shown.json["applied"]) == (1, False)
    assert contents(folder) == before
    done = sessions(home, "reset", "agent:main:OLD", "--json")
    assert done.code == 0
    entry = json.loads((folder / "sessions.json").read_bytes())["agent:main:old"]
    assert uuid.UUID(entry["sessionId"])
    assert entry["sessionId"] == done.json["sessionId"]
    assert done.json["previousSessionId"] == "old"
    assert (entry["label"], entry["own"], "inputTokens" in entry) == ("Work", [1], False)
    (away,) = [path for path in folder.iterdir() if path.name.startswith("old.jsonl.reset.")]
    assert away.read_bytes() == before["old.jsonl"]
    assert not (folder / "old.jsonl").exists()
    assert b'"sessionId": "new"' in (folder / "sessions.json").read_bytes()


@pytest.mark.parametrize("why", ["running", "locked", "no session", "no store", "database", "no json"])
def test_a_reset_that_must_not_be_is_one_message(why: str, home: Path) -> None:
    folder = store_in(home, old=HOUR) if why != "no store" else home
    if why == "running":
        value = json.loads((folder / "sessions.json").read_bytes())
        value["agent:main:old"]["status"] = "running"
        write(folder / "sessions.json", json.dumps(value).encode())
    elif why == "locked":
        (folder / "old.jsonl.lock").write_text(json.dumps({"pid": os.getpid()}))
    elif why == "database":
        write(folder.parent / "agent" / "openclaw-agent.sqlite", b"x")
    elif why == "no json":
        (folder / "sessions.json").write_bytes(b"{")
    before = contents(folder)
    done = sessions(home, "reset", "agent:main:nobody" if why == "no session" else "agent:main:old")
    assert done.code == 3
    assert done.err.count("\n") == 1
    assert contents(folder) == before


def test_a_fork_is_a_new_file_beside_it(home: Path) -> None:
    folder = store_in(home, old=HOUR)
    before = contents(folder)
    path = folder / "old.jsonl"
    shown = sessions(home, "fork", str(path), "--dry-run", "--json")
    assert (shown.code, contents(folder)) == (1, before)
    done = sessions(home, "fork", str(path), "--json")
    assert done.code == 0
    made = Path(done.json["path"])
    header, message = made.read_bytes().rstrip(b"\n").split(b"\n")
    assert json.loads(header)["parentSession"] == str(path)
    assert json.loads(header)["id"] == done.json["sessionId"]
    assert json.loads(message)["message"] == json.loads(transcript("old").split(b"\n")[1])["message"]
    assert contents(folder) == {**before, made.name: made.read_bytes()}


def test_a_fork_can_get_an_entry(home: Path) -> None:
    folder = store_in(home, old=HOUR)
    done = sessions(home, "fork", str(folder / "old.jsonl"), "--key", "agent:main:copy", "--json")
    store = json.loads((folder / "sessions.json").read_bytes())
    assert store["agent:main:copy"]["sessionId"] == done.json["sessionId"]
    assert store["agent:main:copy"]["sessionFile"] == done.json["path"]
    again = sessions(home, "fork", str(folder / "old.jsonl"), "--key", "agent:main:COPY")
    assert again.code == 3


def test_what_cannot_be_forked_is_said(home: Path) -> None:
    folder = store_in(home, old=HOUR)
    before = contents(folder)
    assert sessions(home, "fork", str(folder / "old.jsonl"), "--leaf", "nothing").code == 2
    assert sessions(home, "fork", str(folder / "nothing.jsonl")).code == 3
    write(folder / "broken.jsonl", b'{"type":"message","id":"a"}\n', HOUR, now_ms())
    assert sessions(home, "fork", str(folder / "broken.jsonl")).code == 3
    (folder / "broken.jsonl").unlink()
    assert contents(folder) == before
