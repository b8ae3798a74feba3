"""How full a context is: of each format, as the file grows, and by which window."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentbrief.disk.seam import FS
from agentbrief.profiles.load import profile
from agentbrief.sessions.context_used import SessionStatus
from agentbrief.sessions.formats import claude_code
from agentbrief.sessions.live_context import GrowingContext
from agentbrief.tasks.sessions.read import SessionFile, session_file
from agentbrief.tasks.sessions.setup import SessionsSetup, readable_roots
from agentbrief.tasks.sessions.status import FollowedSession, status_of, used_now
from tests.sessions.claude_code.written import assistant, boundary, call, file_of, result, summary, user
from tests.tasks.homes import NOW_MS, Home, built, claude_session, codex_session, pi_session
from tests.tasks.watched import WatchedFS


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return built(tmp_path)


def found(setup: SessionsSetup, path: Path) -> SessionFile:
    file = session_file(setup.fs, str(path), readable_roots(setup))
    assert isinstance(file, SessionFile)
    return file


def status(setup: SessionsSetup, path: Path) -> SessionStatus:
    file = found(setup, path)
    return status_of(setup, file, used_now(setup, file), file.stamp)


@pytest.mark.parametrize(
    ("agent", "used", "reported", "window", "compacts_at"),
    [
        ("claw", 7, False, None, 10_000),
        ("claw-code", 14, False, None, 10_000),
        ("claude-code", 82_010, True, 1_000_000, 967_000),
        ("codex", 10_000, True, 272_000, None),
        ("openclaw", 4_420, True, 200_000, 180_000),
        ("pi", 4_420, True, None, None),
    ],
)
def test_each_format(
    home: Home, agent: str, used: int, reported: bool, window: int | None, compacts_at: int | None
) -> None:
    got = status(home.setup(), home.all[agent])
    assert (got.used, got.reported, got.window, got.compacts_at) == (used, reported, window, compacts_at)
    assert sum(tokens for _, tokens in got.by_kind) == used
    followed = FollowedSession(found(home.setup(), home.all[agent])).look(home.setup())
    assert followed is not None
    assert followed.status == got


def test_the_user_s_window_wins(home: Home) -> None:
    got = status(home.setup({"contextWindow": 100_000}), home.claude)
    assert (got.window, got.percent, got.is_near_compaction) == (100_000, 82, True)
    assert got.compacts_at == 67_000
    assert status(home.setup({"contextWindow": 100_000}), home.pi).compacts_at == 100_000 - 16_384


def test_what_the_agent_s_own_settings_say(home: Home) -> None:
    (home.home / ".claude" / "settings.json").write_text('{"env": {"CLAUDE_AUTOCOMPACT_PCT_OVERRIDE": "50"}}')
    assert status(home.setup(), home.claude).compacts_at == 500_000
    (home.workspace / ".claude").mkdir()
    (home.workspace / ".claude" / "settings.json").write_text(
        '{"env": {"CLAUDE_AUTOCOMPACT_PCT_OVERRIDE": "40"}}'
    )
    assert status(home.setup(), home.claude).compacts_at == 400_000
    assert status(home.setup(trusted=False), home.claude).compacts_at == 500_000, "an untrusted workspace"


def test_running_or_idle(home: Home) -> None:
    os.utime(home.claude, (NOW_MS / 1000 - 59, NOW_MS / 1000 - 59))
    followed = FollowedSession(found(home.setup(), home.claude))
    first = followed.look(home.setup())
    assert first is not None
    assert first.status.state == "running"
    os.utime(home.claude, (NOW_MS / 1000 - 61, NOW_MS / 1000 - 61))
    second = followed.look(home.setup())
    assert second is not None
    assert second.status.state == "idle"


def test_only_what_was_added_is_read(home: Home) -> None:
    filler = file_of(*(user(f"f{n}", "a2", "x" * 1000) for n in range(2000)))
    home.claude.write_bytes(claude_session(home.workspace) + filler)
    followed = FollowedSession(found(home.setup(), home.claude))
    assert followed.look(home.setup()) is not None
    added = file_of(assistant("a9", "f1999", "done", usage=(7, 0, 120_000, 1)))
    with home.claude.open("ab") as file:
        file.write(added)
    fs = WatchedFS()
    look = followed.look(home.setup(fs=fs))
    assert look is not None
    assert (look.status.used, len(look.added), look.from_start) == (120_007, 1, False)
    assert fs.bytes < len(added) + 6 * 4096
    fs = WatchedFS()
    assert followed.look(home.setup(fs=fs)) is not None
    assert fs.opened == [], "a file that is the same is not opened"


def test_a_line_that_is_still_being_written(home: Home) -> None:
    followed = FollowedSession(found(home.setup(), home.claude))
    assert followed.look(home.setup()) is not None
    line = file_of(assistant("a3", "a2", "more", usage=(1, 0, 90_000, 1)))
    for piece, used in ((line[:50], 82_010), (line[50:-1], 82_010), (line[-1:], 90_001)):
        with home.claude.open("ab") as file:
            file.write(piece)
        look = followed.look(home.setup())
        assert look is not None
        assert look.status.used == used


def test_a_file_that_was_written_anew(home: Home) -> None:
    followed = FollowedSession(found(home.setup(), home.claude))
    assert followed.look(home.setup()) is not None
    other = home.claude.with_suffix(".new")
    other.write_bytes(file_of(user("u", None, "x"), assistant("a", "u", "y", usage=(1, 0, 5, 1))))
    other.replace(home.claude)
    look = followed.look(home.setup())
    assert look is not None
    assert (look.status.used, look.from_start) == (6, True)
    home.claude.unlink()
    assert followed.look(home.setup()) is None


def test_a_session_of_the_workspace_is_read_again(home: Home) -> None:
    followed = FollowedSession(found(home.setup(), home.port))
    assert followed.look(home.setup()) is not None
    top = json.loads(home.port.read_text())
    top["messages"].append("x" * 400)
    home.port.write_text(json.dumps(top))
    look = followed.look(home.setup())
    assert look is not None
    assert look.status.used == 7 + 101


LONG = file_of(
    user("u1", None, "one"),
    assistant("a1", "u1", "I look", call("c1", "Bash", command="ls"), usage=(1, 2, 3, 4), message_id="m1"),
    result("r1", "a1", "c1", "x" * 300),
    user("s1", "r1", "aside", isSidechain=True),
    assistant("a2", "r1", "fine", usage=(10, 20, 3_000, 4)),
    user("u2", "a1", "a rewind"),
    assistant("a3", "u2", "other branch", usage=(5, 0, 700, 1)),
    boundary("b1", "a3", postTokens=900),
    summary("sum", "b1", "so far"),
    user("u3", "sum", "go on"),
    assistant("a4", "u3", "yes", usage=(3, 0, 950, 1)),
    assistant("a4b", "a4", call("c2", "Read", file_path="x"), usage=(3, 0, 950, 1), message_id="msg_a4"),
)


@settings(max_examples=80)
@given(cuts=st.lists(st.integers(0, len(LONG)), max_size=6))
def test_growing_in_pieces_is_reading_at_once(cuts: list[int]) -> None:
    agent = profile("claude-code")
    context = GrowingContext("claude-code", agent)
    done = 0
    for cut in (*sorted(cuts), len(LONG)):
        end = LONG.rfind(b"\n", 0, cut) + 1
        context.feed(LONG[done:end] if end > done else b"")
        done = max(end, done)
        whole = claude_code.context_of(claude_code.look(LONG[:done], "/w/x.jsonl").chain)
        assert context.used() == whole


@pytest.mark.parametrize(
    ("form", "data"),
    [("codex", codex_session(Path("/w/app"))), ("pi", pi_session("s", Path("/w/app")))],
)
def test_line_by_line_is_all_at_once(form: str, data: bytes) -> None:
    agent = profile(form)
    at_once, by_line = GrowingContext(form, agent), GrowingContext(form, agent)
    at_once.feed(data)
    for line in data.split(b"\n")[:-1]:
        by_line.feed(line + b"\n")
    assert by_line.used() == at_once.used()
    assert by_line.used().tokens


def test_a_compaction_of_pi(home: Home) -> None:
    data = pi_session("pi-1", home.workspace) + b"".join(
        json.dumps(each).encode() + b"\n"
        for each in (
            {
                "type": "compaction",
                "id": "c1",
                "parentId": "m2",
                "timestamp": "2026-09-20T11:00:00.000Z",
                "summary": "s" * 40,
                "firstKeptEntryId": "m2",
                "tokensBefore": 4420,
            },
        )
    )
    home.pi.write_bytes(data)
    got = status(home.setup(), home.pi)
    assert not got.reported
    assert dict(got.by_kind) == {"messages": 3, "summary": 10}
    assert FS().lstat(str(home.pi)).st_size == len(data)
