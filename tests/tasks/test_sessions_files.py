"""One session's file, of any size: found, checked, repaired as a copy, told as Markdown. It is only read."""

from __future__ import annotations

import hashlib
import json
import os
from functools import partial
from pathlib import Path

import pytest

from agentbrief.changes.apply import Site
from agentbrief.disk.lock import Caller
from agentbrief.disk.refusal import Refused
from agentbrief.disk.seam import FS
from agentbrief.history.log import HistoryEvent
from agentbrief.messages import say
from agentbrief.sessions.jsonl.records import read_records
from agentbrief.sessions.jsonl.repair import NO_HEADER
from agentbrief.tasks.sessions.check import all_checked, checked, list_findings
from agentbrief.tasks.sessions.history import (
    TellingOptions,
    as_unredacted,
    exported_to,
    free_name,
    history_of,
    preview_of,
    recent_history,
)
from agentbrief.tasks.sessions.list import sessions_of
from agentbrief.tasks.sessions.read import NotASession, SessionFile, session_file
from agentbrief.tasks.sessions.repair import copy_paths, free_paths, planned_repair, repaired
from agentbrief.tasks.sessions.setup import readable_roots
from agentbrief.tasks.sessions.show import shown
from tests.sessions.claude_code.written import assistant, file_of, user
from tests.sessions.damaged_files import Damaged, damaged_files
from tests.tasks.homes import NOW_MS, Home, built, claude_session, pi_session, put

FSYS = FS()
EN = partial(say, "en")


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return built(tmp_path)


def found(home: Home, path: Path) -> SessionFile:
    setup = home.setup()
    file = session_file(FSYS, str(path), readable_roots(setup) | {str(path.parent)})
    assert isinstance(file, SessionFile)
    return file


def site(folder: Path, tmp_path: Path) -> Site:
    store = tmp_path / "locks"
    store.mkdir(exist_ok=True)
    caller = Caller(1, lambda: NOW_MS * 1_000_000, lambda _: None)
    return Site(FSYS, str(store), caller, frozenset((str(folder),)))


def test_each_file_is_what_it_holds(home: Home) -> None:
    for agent, path in home.all.items():
        file = found(home, path)
        assert file.agent.id == agent
        assert file.is_live_foreign == (agent in ("claude-code", "codex"))


@pytest.mark.parametrize("agent", ["claw", "claw-code", "claude-code", "codex", "openclaw", "pi"])
def test_a_damaged_start_is_told_by_its_place(home: Home, agent: str) -> None:
    path = home.all[agent]
    path.write_bytes(bytes(5000))
    assert found(home, path).agent.id == agent
    assert checked(home.setup(), found(home, path)).parsed == 0


def test_what_is_no_session(home: Home) -> None:
    readable = readable_roots(home.setup())
    claude = str(home.home / ".claude")
    put(home.home / ".claude" / "settings.json", b"{}")
    assert session_file(FSYS, f"{claude}/none.jsonl", readable) == NotASession(
        f"{claude}/none.jsonl", "missing"
    )
    assert session_file(FSYS, f"{claude}/settings.json", readable) == NotASession(
        f"{claude}/settings.json", "unknown-format"
    )
    link = home.home / ".claude" / "projects" / "out.jsonl"
    link.symlink_to("/etc/hostname")
    got = session_file(FSYS, str(link), readable)
    assert isinstance(got, NotASession)
    assert got.why == "outside-roots"
    os.mkfifo(home.home / ".claude" / "pipe.jsonl")
    got = session_file(FSYS, f"{claude}/pipe.jsonl", readable)
    assert isinstance(got, NotASession)
    assert got.why == "not-a-file"


@pytest.mark.parametrize("case", damaged_files(), ids=str)
def test_a_repaired_copy(home: Home, tmp_path: Path, case: Damaged) -> None:
    path = put(home.pi.with_name("x_damaged.jsonl"), case.data)
    before = hashlib.sha256(case.data).hexdigest()
    repair = planned_repair(FSYS, found(home, path))
    expected = case.expected
    needed = bool(expected["bad"] or expected["torn_tail"] or "lone-surrogate" in expected["flags"])
    damage = [change for change in repair.plan.changes if change.code != NO_HEADER]
    assert bool(damage) == needed
    copy, bad = copy_paths(repair.file)
    assert (Path(copy).name, Path(bad).name) == ("x_damaged.repaired.jsonl", "x_damaged.bad.jsonl")
    if repair.is_needed:
        repaired(site(path.parent, tmp_path), repair, copy, bad)
        assert not planned_repair(FSYS, found(home, Path(copy))).is_needed, (
            "repairing it again changes nothing"
        )
        ids = [record.value.get("id") for record in read_records(Path(copy).read_bytes()).records]
        assert set(expected["ids"]) <= set(ids)
        assert set(expected["recovered_ids"]) <= set(ids)
        assert repair.broken_links == len(expected["orphans_after_repair"])
        lines = Path(bad).read_bytes().split(b"\n")[:-1]
        assert len(lines) == len(damage)
        assert Path(copy).stat().st_mode & 0o777 == 0o600
        with pytest.raises(Refused):
            repaired(site(path.parent, tmp_path), repair, copy, bad)
    assert hashlib.sha256(path.read_bytes()).hexdigest() == before


@pytest.mark.parametrize("agent", ["pi", "openclaw"])
@pytest.mark.parametrize(("bad_line", "is_torn"), [(b"", False), (b"{torn\n", True)])
def test_a_copy_gets_the_header_that_is_lost(
    home: Home, tmp_path: Path, agent: str, bad_line: bytes, is_torn: bool
) -> None:
    header, rest = home.all[agent].read_bytes().split(b"\n", 1)
    path = put(home.all[agent].with_name("lost_id.jsonl"), bad_line + rest)
    repair = planned_repair(FSYS, found(home, path))
    assert [change.code for change in repair.plan.changes] == ["no-header", *["not-json"] * is_torn]
    assert repair.plan.dropped_lines == is_torn
    copy, bad = copy_paths(repair.file)
    repaired(site(path.parent, tmp_path), repair, copy, bad)
    made, told = Path(copy).read_bytes().split(b"\n", 1)
    assert told == rest
    assert json.loads(made).keys() >= {"type", "version", "id", "timestamp"}
    assert json.loads(made)["id"] == "lost_id"
    assert Path(bad).read_bytes().count(b"\n") == is_torn
    assert not planned_repair(FSYS, found(home, Path(copy))).is_needed
    assert header not in path.read_bytes()


def test_names_that_are_free(home: Home, tmp_path: Path) -> None:
    file = found(home, home.claude)
    first = free_paths(FSYS, file, str(tmp_path))
    put(Path(first[1]), b"")
    second = free_paths(FSYS, file, str(tmp_path))
    assert second[0].endswith(".repaired-2.jsonl")
    put(tmp_path / "a.unredacted.md", b"")
    assert free_name(FSYS, str(tmp_path / "a.unredacted.md")) == str(tmp_path / "a-2.unredacted.md")


def test_a_check_names_lines_and_rules(home: Home) -> None:
    data = claude_session(home.workspace)
    lines = data.split(b"\n")
    lines[1] += lines[1]
    lines[2] = bytes(80)
    home.claude.write_bytes(b"\n".join(lines)[:-20])
    os.utime(home.claude, (NOW_MS / 1000 - 3600, NOW_MS / 1000 - 3600))
    got = checked(home.setup(), found(home, home.claude))
    assert [(each.line, each.code) for each in got.damage] == [
        (2, "two-records"),
        (3, "nul-run"),
        (6, "torn-tail"),
    ]
    assert {(each.line, each.code) for each in got.findings} >= {
        (2, "transcript-merged-line"),
        (3, "transcript-bad-line"),
        (6, "transcript-torn-tail"),
    }
    assert (got.lines, got.parsed, got.torn_tail) == (6, 3, True)
    quiet = home.setup(
        {"diagnostics.level": {"transcript-bad-line": "off", "transcript-merged-line": "hint"}}
    )
    codes = {each.code: each.severity for each in checked(quiet, found(home, home.claude)).findings}
    assert "transcript-bad-line" not in codes
    assert codes["transcript-merged-line"] == "hint"


def test_at_most_fifty_are_checked(home: Home) -> None:
    for number in range(60):
        name = f"{number:08d}-0000-4000-8000-000000000000.jsonl"
        put(home.claude.with_name(name), claude_session(home.workspace), hours_ago=30)
    setup = home.setup()
    assert len(list(all_checked(setup, sessions_of(setup, str(home.workspace))))) == 50


def test_what_only_the_list_shows(home: Home) -> None:
    old = NOW_MS / 1000 - 28 * 24 * 3600
    os.utime(home.claude, (old, old))
    setup = home.setup()
    found = list_findings(setup, sessions_of(setup, str(home.workspace)))
    assert [(each.code, each.path) for each in found] == [("session-expires-soon", str(home.claude))]
    none = home.setup({"sessions.expiringDays": 0})
    assert list_findings(none, sessions_of(none, str(home.workspace))) == ()


def test_the_history_of_each_format(home: Home) -> None:
    for agent, path in home.all.items():
        text = "".join(history_of(home.setup(), found(home, path), TellingOptions("everything", EN)))
        assert text.startswith("# ")
        assert (
            f"- Agent: {found(home, path).agent.title.replace('-', chr(92) + '-')}"
            in text.replace("\\-", "-")
            or agent
        )
        assert "End of the session" in text


def test_events_stand_before_the_messages(home: Home) -> None:
    record = HistoryEvent("Compaction", "`212` messages\n# no heading").record(NOW_MS)
    put(home.port.with_name("plan.history.jsonl"), record + b"\nnot json\n")
    live = ((NOW_MS + 1, HistoryEvent("Edit", "src/x.py")),)
    text = "".join(history_of(home.setup(), found(home, home.port), TellingOptions("messages", EN), live))
    assert "## What happened" in text
    assert text.index("Compaction") < text.index("src/x") < text.index("## User")
    assert "\n# no heading" not in text


def test_an_export_is_new_private_and_whole(home: Home, tmp_path: Path) -> None:
    target, roots = tmp_path / "out.md", frozenset((str(tmp_path),))
    options = TellingOptions("tools", EN)
    exported_to(home.setup(), found(home, home.claude), str(target), roots, options)
    assert target.stat().st_mode & 0o777 == 0o600
    assert target.read_text() == "".join(history_of(home.setup(), found(home, home.claude), options))
    before = target.read_bytes()
    with pytest.raises(Refused) as refusal:
        exported_to(home.setup(), found(home, home.claude), str(target), roots, options)
    assert refusal.value.what == "exists"
    assert target.read_bytes() == before
    with pytest.raises(Refused):
        exported_to(home.setup(), found(home, home.claude), "/etc/out.md", roots, options)


def test_secrets_are_masked_unless_asked_for(home: Home) -> None:
    secret = "ghp_" + "FAKE" * 9
    home.claude.write_bytes(file_of(user("u1", None, f"token is {secret}"), assistant("a", "u1", "ok")))
    file = found(home, home.claude)
    masked = "".join(history_of(home.setup(), file, TellingOptions("messages", EN)))
    assert secret not in masked
    assert "[redacted:github-token]" in masked
    assert "1 secret is masked." in masked
    plain = "".join(history_of(home.setup(), file, TellingOptions("messages", EN, redacts=False)))
    assert secret in plain
    assert "Secrets in this file are not masked." in plain
    assert preview_of(home.setup(), file, TellingOptions("messages", EN)).groups["tokens"] == 1
    assert as_unredacted("/w/a.md") == as_unredacted("/w/a.unredacted.md") == "/w/a.unredacted.md"


def test_damaged_lines_are_said_at_the_end(home: Home) -> None:
    home.claude.write_bytes(claude_session(home.workspace) + b"{broken\n")
    text = "".join(history_of(home.setup(), found(home, home.claude), TellingOptions("messages", EN)))
    assert text.rstrip().endswith("1 line of the session file could not be read.")


def test_an_editor_is_shown_the_end(home: Home) -> None:
    many = file_of(*(user(f"u{n}", None, f"message number {n}") for n in range(900)))
    home.claude.write_bytes(many)
    text = recent_history(home.setup(), found(home, home.claude), TellingOptions("messages", EN))
    assert "500 earlier messages are left out here" in text
    assert "message number 899" in text
    assert "message number 499\n" not in text


def test_a_file_of_more_than_half_a_gigabyte(home: Home, tmp_path: Path) -> None:
    """Listed, found by title, first and last message, and exported. Its middle is one sparse line."""
    path = home.claude.with_name("99999999-9999-4999-8999-999999999999.jsonl")
    first = file_of(user("u1", None, "The very first words", cwd=str(home.workspace)))
    last = file_of(assistant("a1", "u1", "The very last words", usage=(1, 2, 3, 4)))
    with path.open("wb") as file:
        file.write(first)
        file.write(b'{"type":"progress","data":"')
        file.seek(600 * 1024 * 1024)
        file.write(b'"}\n' + last)
    setup = home.setup()
    listed = sessions_of(setup, str(home.workspace))
    item = listed.at(str(path))
    assert item is not None
    assert (item.title, item.used_tokens, item.size > 512 * 1024 * 1024) == ("The very first words", 6, True)
    from agentbrief.tasks.sessions.facts import found_by

    for words in ("very first", "very last"):
        assert item.path in {each.path for each in found_by(setup, listed.items, listed.stores, words)}
    target = tmp_path / "large.md"
    exported_to(
        setup, found(home, path), str(target), frozenset((str(tmp_path),)), TellingOptions("messages", EN)
    )
    text = target.read_text()
    assert "The very first words" in text
    assert "The very last words" in text
    assert "The very last words" in recent_history(setup, found(home, path), TellingOptions("messages", EN))
    got = shown(setup, found(home, path))
    assert [message.text for message in got.messages()] == ["The very first words", "The very last words"]
    assert got.lines == 3


def test_a_long_port_session_is_refused_not_read(home: Home) -> None:
    with home.port.open("wb") as file:
        file.write(b'{"session_id": "plan", "messages": [')
        file.truncate(70 * 1024 * 1024)
    file_found = found(home, home.port)
    with pytest.raises(ValueError, match="too-large"):
        list(history_of(home.setup(), file_found, TellingOptions("messages", EN)))
    with pytest.raises(ValueError, match="too-large"):
        checked(home.setup(), file_found)


def test_shown_as_it_is(home: Home) -> None:
    got = shown(home.setup(), found(home, home.codex))
    assert (got.title, got.session_id, got.lines, got.parsed) == (
        "登录页重定向",
        found(home, home.codex).session_id,
        6,
        6,
    )
    assert [(each.role, each.text) for each in got.messages()] == [
        ("user", "登录页重定向"),
        ("assistant", "已修复。"),
    ]
    home.pi.write_bytes(pi_session("pi-1", home.workspace) + json.dumps({"type": "x"}).encode())
    assert [each.code for each in shown(home.setup(), found(home, home.pi)).damage] == ["no-id", "bad-time"]
