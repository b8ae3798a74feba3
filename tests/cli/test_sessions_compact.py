"""``agentbrief sessions compact``, ``checkpoints``, ``restore``, ``steer`` and ``memory-flush``, for real."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.cli.shell import ROOT, Done, run
from tests.compaction.test_copies import conversation as claude_transcript
from tests.tasks.compactions import FORMATS, KEY, OWN, TREES, Sessions, long_data
from tests.tasks.test_session_migrate import OLD

CONTRACT = {
    "due", "reason", "config", "estimated_tokens", "removed_message_count", "kept", "summary",
    "formatted_summary", "compacted_estimated_tokens", "provider", "reinjected", "checkpoint",
}  # fmt: skip
BOUNDS = {
    **dict.fromkeys(OWN, ("--preserve", "2", "--max-tokens", "0")),
    **dict.fromkeys(TREES, ("--max-tokens", "40")),
}


@pytest.fixture
def sessions(tmp_path: Path, request: pytest.FixtureRequest) -> Sessions:
    kind = getattr(request, "param", "claw-jsonl")
    return Sessions(tmp_path.resolve(), kind, long_data(kind))


def call(sessions: Sessions, *words: str, **more: Any) -> Done:
    return run("sessions", *words, cwd=sessions.workspace, home=sessions.home, **more)


def without_ids(record: Any) -> Any:
    """What a record says, without the new names in it."""
    record = dict(record)
    record.pop("applied")
    record["checkpoint"] = bool(record["checkpoint"])
    record["steps"] = [
        (step["step"], step["path"] if ".agentbrief" not in step["path"] else "") for step in record["steps"]
    ]
    if record["notes"] is not None:
        record["notes"] = record["notes"]["path"]
    return record


@pytest.mark.parametrize("sessions", FORMATS, indirect=True)
def test_a_dry_run_says_what_is_done_then(sessions: Sessions) -> None:
    words = ("compact", str(sessions.path), *BOUNDS[sessions.kind], "--json")
    before = sessions.files(with_own=True)
    shown = call(sessions, *words, "--dry-run")
    assert shown.code == 1, shown.err
    assert set(shown.json) >= CONTRACT
    assert sessions.files(with_own=True) == before
    done = call(sessions, *words)
    assert (done.code, done.json["applied"], shown.json["applied"]) == (0, True, False)
    assert without_ids(done.json) == without_ids(shown.json)
    assert sessions.path.read_bytes() != long_data(sessions.kind)
    assert Path(done.json["checkpoint"]).read_bytes() == long_data(sessions.kind)
    listed = call(sessions, "checkpoints", str(sessions.path), "--json").json["checkpoints"]
    assert [(each["messages"], each["bytes"], each["reason"]) for each in listed] == [
        (12, len(long_data(sessions.kind)), "compaction")
    ]
    restored = call(sessions, "restore", str(sessions.path), "latest", "--json")
    assert restored.code == 0, restored.err
    made = Path(restored.json["path"])
    assert (made == sessions.path) == (sessions.kind in OWN)
    if sessions.kind in OWN:
        assert made.read_bytes() == long_data(sessions.kind)
    assert made.read_bytes().partition(b"\n")[2] == long_data(sessions.kind).partition(b"\n")[2]


def test_a_terminal_is_told_what_goes_and_what_stays(sessions: Sessions) -> None:
    shown = call(sessions, "compact", str(sessions.path), "--dry-run", *BOUNDS["claw-jsonl"])
    assert shown.code == 1
    assert "12 messages → 1 summary + 2 kept" in shown.out
    assert "Checkpoint first" in shown.out
    chinese = call(
        sessions, "compact", str(sessions.path), "--dry-run", *BOUNDS["claw-jsonl"], "--locale", "zh-cn"
    )
    assert "先建检查点" in chinese.out
    done = call(sessions, "compact", str(sessions.path), *BOUNDS["claw-jsonl"])
    assert (done.code, "agentbrief sessions restore" in done.out) == (0, True)


def test_what_is_not_due_is_left_alone(sessions: Sessions) -> None:
    before = sessions.files(with_own=True)
    for words in ((), ("--dry-run",), ("--trigger", "near-window")):
        done = call(sessions, "compact", str(sessions.path), "--max-tokens", "900000", *words, "--json")
        assert (done.code, done.json["due"], done.json["reason"]) == (0, False, "not-due")
    assert sessions.files(with_own=True) == before


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("nothing.jsonl",), 3),
        (("FILE", "--preserve", "-1"), 2),
        (("FILE", "--max-tokens", "many"), 2),
        (("FILE", "--output", "FILE"), 2),
        (("FILE", "--trigger", "sometime"), 2),
        ((), 2),
    ],
)
def test_wrong_usage(words: tuple[str, ...], code: int, sessions: Sessions) -> None:
    before = sessions.files(with_own=True)
    given = [str(sessions.path) if word == "FILE" else word for word in words]
    assert call(sessions, "compact", *given).code == code
    assert sessions.files(with_own=True) == before


def test_a_foreign_transcript_needs_a_new_file(sessions: Sessions) -> None:
    path = sessions.home / ".claude" / "projects" / "-w" / "s.jsonl"
    path.parent.mkdir(parents=True)
    path.write_bytes(claude_transcript())
    bounds = BOUNDS["claw-jsonl"]
    refused = call(sessions, "compact", str(path), *bounds)
    assert (refused.code, refused.err.count("\n"), "--output" in refused.err) == (2, 1, True)
    shown = call(sessions, "compact", str(path), *bounds, "--dry-run", "--json")
    assert (shown.code, shown.json["checkpoint"]) == (1, None)
    done = call(sessions, "compact", str(path), *bounds, "--output", str(sessions.workspace), "--json")
    copy = sessions.workspace / "s.compacted.jsonl"
    assert (done.code, done.json["path"]) == (0, str(copy))
    assert path.read_bytes() == claude_transcript()
    assert copy.read_bytes().count(b"\n") == claude_transcript().count(b"\n") + 2
    assert sorted(each.name for each in sessions.workspace.iterdir()) == [".claw", "s.compacted.jsonl"]
    again = call(sessions, "compact", str(path), *bounds, "--output", str(copy))
    assert again.code == 3


@pytest.mark.parametrize("sessions", ["openclaw"], indirect=True)
def test_a_session_in_use_is_refused_in_one_sentence(sessions: Sessions) -> None:
    sessions.path.with_name("s-1.jsonl.lock").write_text(json.dumps({"pid": os.getpid()}))
    before = sessions.files(with_own=True)
    for words in (
        ("compact", str(sessions.path), "--max-tokens", "40"),
        ("memory-flush", str(sessions.path)),
    ):
        done = call(sessions, *words)
        assert (done.code, done.err.count("\n")) == (3, 1)
    assert sessions.files(with_own=True) == before


def test_a_program_of_the_user_writes_the_summary(sessions: Sessions) -> None:
    script = sessions.root / "summary.py"
    script.write_text("import sys\nsys.stdin.read()\nprint('- all of it is done')\n")
    config = sessions.root / "config.json"
    config.write_text(json.dumps({"compaction": {"command": [sys.executable, str(script)]}}))
    words = ("compact", str(sessions.path), *BOUNDS["claw-jsonl"], "--provider", "command", "--json")
    done = call(sessions, *words, "--config", str(config), "--dry-run")
    assert (done.json["provider"], "all of it is done" in done.json["summary"]) == ("command", True)
    nobody = call(sessions, *words, "--dry-run")
    assert nobody.json["provider"] == "extractive"
    assert nobody.json["warnings"][0] == {"code": "provider-unknown", "subject": "command"}


def test_an_interruption_leaves_nothing_half_done(sessions: Sessions) -> None:
    script = sessions.root / "slow.py"
    begun = sessions.root / "begun"
    script.write_text(f"import pathlib, time\npathlib.Path({str(begun)!r}).touch()\ntime.sleep(60)\n")
    config = sessions.root / "config.json"
    config.write_text(json.dumps({"compaction": {"command": [sys.executable, str(script)]}}))
    before = sessions.files(with_own=True)
    environment = {
        "HOME": str(sessions.home), "PATH": os.environ["PATH"], "LANG": "C.UTF-8",
        "PYTHONPATH": os.pathsep.join((str(ROOT / "server"), str(ROOT / "features"))),
    }  # fmt: skip
    process = subprocess.Popen(
        [sys.executable, "-m", "agentbrief_server", "sessions", "compact", str(sessions.path),
         *BOUNDS["claw-jsonl"], "--provider", "command", "--config", str(config)],
        cwd=sessions.workspace, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    for _ in range(600):
        if begun.exists():
            break
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    begun.unlink()
    assert process.returncode == 130, errors
    assert sessions.files(with_own=True) == before


def test_automatic_use_does_nothing_that_makes_nothing_smaller(sessions: Sessions) -> None:
    sessions.path.write_bytes(long_data("claw-jsonl", 4, 2))
    words = ("compact", str(sessions.path), *BOUNDS["claw-jsonl"], "--trigger", "near-window")
    before = sessions.files(with_own=True)
    refused = call(sessions, *words)
    assert (refused.code, "--yes" in refused.err) == (3, True)
    assert sessions.files(with_own=True) == before
    assert call(sessions, *words, "--yes").code == 0


def test_restore_says_what_it_would_do(sessions: Sessions) -> None:
    path = str(sessions.path)
    none = call(sessions, "checkpoints", path)
    assert (none.code, "no checkpoint yet" in none.out) == (0, True)
    assert call(sessions, "restore", path, "latest").code == 3
    call(sessions, "compact", path, *BOUNDS["claw-jsonl"])
    compacted = sessions.path.read_bytes()
    shown = call(sessions, "restore", path, "latest", "--dry-run")
    assert (shown.code, "−1 +10 messages" in shown.out) == (1, True)
    assert sessions.path.read_bytes() == compacted
    (row,) = call(sessions, "checkpoints", path, "--json").json["checkpoints"]
    done = call(sessions, "restore", path, row["id"][:8], "--json")
    assert (done.code, done.json["removed"], done.json["added"]) == (0, 1, 10)
    assert sessions.path.read_bytes() == long_data("claw-jsonl")
    assert Path(done.json["present_checkpoint"]).read_bytes() == compacted
    assert call(sessions, "restore", path, "nobody").code == 3
    same = call(sessions, "restore", path, row["id"])
    assert (same.code, "already" in same.out) == (0, True)


@pytest.mark.parametrize("sessions", ["port", "claw-jsonl"], indirect=True)
def test_steer(sessions: Sessions) -> None:
    before = sessions.files(with_own=True)
    shown = call(sessions, "steer", "s", "--text", "use B", "--dry-run")
    assert (shown.code, sessions.files(with_own=True)) == (1, before)
    done = call(sessions, "steer", "s", "--text", "-", "--json", given="规则 B".encode())
    assert (done.code, done.json["end"], done.json["written"]) == (0, "appended", True)
    assert "规则 B".encode() in sessions.path.read_bytes().replace(b"\\u89c4\\u5219", "规则".encode())
    assert call(sessions, "steer", "s", "--text", "x", "--mode", "someday").code == 2
    assert call(sessions, "steer", "s", "--text", " ").code == 2
    assert call(sessions, "steer", "nobody", "--text", "x").code == 3


@pytest.mark.parametrize("sessions", ["openclaw"], indirect=True)
def test_steer_hands_a_text_back(sessions: Sessions) -> None:
    before = sessions.files(with_own=True)
    done = call(sessions, "steer", str(sessions.path), "--text", "use B")
    assert (done.code, done.out) == (3, "use B\n")
    assert sessions.files(with_own=True) == before


@pytest.mark.parametrize("sessions", ["openclaw"], indirect=True)
def test_memory_flush(sessions: Sessions) -> None:
    path = str(sessions.path)
    before = sessions.files(with_own=True)
    shown = call(sessions, "memory-flush", path, "--dry-run", "--json")
    assert (shown.code, shown.json["due"], shown.json["source"]) == (1, "tokens", "facts")
    assert sessions.files(with_own=True) == before
    done = call(sessions, "memory-flush", path, "--notes", "never push", "--json")
    assert done.code == 0
    notes = Path(done.json["path"])
    assert notes.parent == sessions.home / ".openclaw" / "workspace" / "memory"
    assert "never push" in notes.read_text()
    assert json.loads(sessions.store.read_bytes())[KEY]["memoryFlushCompactionCount"] == 2
    once = call(sessions, "memory-flush", path)
    assert (once.code, "once before each compaction" in once.out) == (0, True)


def test_memory_flush_of_another_agent(sessions: Sessions) -> None:
    done = call(sessions, "memory-flush", str(sessions.path))
    assert (done.code, "OpenClaw" in done.err) == (3, True)


@pytest.mark.parametrize("sessions", ["pi"], indirect=True)
def test_an_old_transcript_is_migrated(sessions: Sessions) -> None:
    sessions.path.write_bytes(OLD)
    shown = call(sessions, "migrate", str(sessions.path), "--dry-run", "--json")
    assert (shown.code, shown.json["version"], shown.json["applied"]) == (1, 1, False)
    assert sessions.path.read_bytes() == OLD
    done = call(sessions, "migrate", str(sessions.path))
    assert done.code == 0 and "is now of version 3" in done.out
    assert sessions.path.read_bytes() != OLD
    again = call(sessions, "migrate", str(sessions.path))
    assert (again.code, "nothing has to be changed" in again.out) == (0, True)


def test_other_sessions_have_no_version_to_migrate_from(sessions: Sessions) -> None:
    refused = call(sessions, "migrate", str(sessions.path))
    assert (refused.code, "only transcripts of pi and OpenClaw" in refused.err) == (2, True)
