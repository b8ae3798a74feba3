"""Lists of sessions: where they are found, what is read of them, what they are called."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from agentbrief.disk.read import real_roots
from agentbrief.disk.seam import FS
from agentbrief.profiles.load import profile
from agentbrief.profiles.sessions_data import SessionsData
from agentbrief.sessions.listing import (
    HEAD_BYTES,
    MOST_HEAD_BYTES,
    TAIL_BYTES,
    ListedSession,
    by_cwd,
    days_left,
    given_names,
    listed_sessions,
)
from agentbrief.sessions.locations import index_files, misplaced, subagents, transcripts
from tests.sessions.claude_code import written as claude
from tests.sessions.codex import written as codex
from tests.sessions.test_tail import Counting

OTHER = "22222222-2222-4222-8222-222222222222"


def data_of(agent: str) -> SessionsData:
    found = profile(agent).sessions
    assert found is not None
    return found


def write(root: Path, name: str, data: bytes = b"") -> Path:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def listed(
    root: Path,
    agent: str = "claude-code",
    fs: FS | None = None,
    known: tuple[ListedSession, ...] = (),
    **more: Any,
) -> tuple[ListedSession, ...]:
    fs = fs or FS()
    data = data_of(agent)
    places = transcripts(fs, (str(root),), data)
    before = {each.path: each for each in known}
    return listed_sessions(fs, places, real_roots(fs, (str(root),)), data.adapter or "", before, **more)


def claude_session(root: Path, *lines: claude.Record | str, session: str = claude.SESSION) -> Path:
    return write(root, f"projects/-w-app/{session}.jsonl", claude.file_of(*lines))


def only(root: Path, agent: str = "claude-code") -> ListedSession:
    (found,) = listed(root, agent)
    return found


def test_only_names_that_are_identifiers_are_sessions(tmp_path: Path) -> None:
    claude_session(tmp_path, claude.user("u1", None, "one"))
    for name in (
        "projects/-w-app/notes.jsonl",
        "projects/-w-app/memory/MEMORY.md",
        f"projects/-w-app/{claude.SESSION}.jsonl.bak",
        f"projects/-w-app/{claude.SESSION}/subagents/agent-a.jsonl",
        f"projects/{OTHER}.jsonl",
        f"projects/-w-app/deep/{OTHER}.jsonl",
        "projects/-w-app/sessions-index.json",
    ):
        write(tmp_path, name, b"{}\n")
    fs, data, roots = FS(), data_of("claude-code"), (str(tmp_path), str(tmp_path / "none"))
    assert [each.session_id for each in transcripts(fs, roots, data)] == [claude.SESSION]
    assert [Path(each).name for each in subagents(fs, roots, data)] == ["agent-a.jsonl"]
    assert [Path(each).name for each in index_files(fs, roots, data)] == ["sessions-index.json"]
    found = [os.path.relpath(each.path, tmp_path) for each in misplaced(fs, roots, data)]
    assert found == [f"projects/-w-app/deep/{OTHER}.jsonl", f"projects/{OTHER}.jsonl"]


def test_a_rollout_in_use_wins_over_an_archived_one_and_a_plain_one_over_a_packed_one(tmp_path: Path) -> None:
    name = os.path.basename(codex.PATH)
    day = "sessions/2026/05/01"
    write(tmp_path, f"{day}/{name}", codex.file_of(codex.meta(), codex.message("user", "plain")))
    write(tmp_path, f"{day}/{name}.zst", b"\x28\xb5\x2f\xfd")
    write(tmp_path, f"archived_sessions/{name}", codex.file_of(codex.meta(), codex.message("user", "old")))
    packed = name.replace(codex.SESSION, OTHER)
    write(tmp_path, f"archived_sessions/{packed}.zst", b"\x28\xb5\x2f\xfd")
    found = {each.session_id: each for each in listed(tmp_path, "codex")}
    assert set(found) == {codex.SESSION, OTHER}
    assert (found[codex.SESSION].title, found[codex.SESSION].is_archived) == ("plain", False)
    assert (found[OTHER].problem, found[OTHER].is_archived, found[OTHER].title) == ("compressed", True, "")


def test_the_second_time_nothing_is_opened(tmp_path: Path) -> None:
    claude_session(tmp_path, claude.user("u1", None, "one"))
    path = claude_session(tmp_path, claude.user("u1", None, "two"), session=OTHER)
    fs = Counting()
    first = listed(tmp_path, fs=fs)
    assert fs.opened == 2
    fs.opened = 0
    assert listed(tmp_path, fs=fs, known=first) == first
    assert fs.opened == 0
    with path.open("ab") as file:
        file.write(claude.file_of({"type": "custom-title", "customTitle": "Named", "sessionId": OTHER}))
    again = {each.session_id: each.title for each in listed(tmp_path, fs=fs, known=first)}
    assert fs.opened == 1
    assert again == {claude.SESSION: "one", OTHER: "Named"}


def test_newest_first(tmp_path: Path) -> None:
    for number, session in enumerate((claude.SESSION, OTHER)):
        path = claude_session(tmp_path, claude.user("u1", None, "x"), session=session)
        os.utime(path, (1000 + number, 1000 + number))
    assert [each.session_id for each in listed(tmp_path)] == [OTHER, claude.SESSION]


def test_what_a_row_says(tmp_path: Path) -> None:
    claude_session(
        tmp_path,
        claude.record("file-history-snapshot", "f", None),
        claude.user("u0", None, "<command-name>/clear</command-name>", 1),
        claude.user("u1", "u0", "hi", 2, isMeta=True),
        claude.user("u2", "u1", "fix the login", 3),
        claude.assistant("a1", "u2", "ok", second=4, usage=(1, 2, 3, 9)),
    )
    found = only(tmp_path)
    sketch = found.sketch
    assert (found.title, found.cwd, sketch.version, sketch.branch) == (
        "fix the login",
        "/w/app",
        "2.1.281",
        "main",
    )
    assert (sketch.session_id, sketch.model, sketch.used_tokens) == (claude.SESSION, "claude-opus-5", 6)
    assert sketch.first_time == "2026-09-01T10:00:00.000Z"
    assert sketch.last_time == "2026-09-01T10:00:04.000Z"
    assert by_cwd(listed(tmp_path)) == {"/w/app": (found,)}


FILLER = [claude.assistant(f"f{n}", None, "x" * 3000, usage=(n, 0, 0, 1)) for n in range(60)]


@pytest.mark.parametrize(
    ("lines", "wanted"),
    [
        ([claude.user("u1", None, "你好"), claude.user("u2", "u1", "修复登录")], "修复登录"),
        (
            [claude.user("u1", None, "hi"), *FILLER, claude.user("u2", "u1", "deep prompt"), *FILLER],
            "deep prompt",
        ),
        ([*FILLER, claude.user("u1", None, "deep prompt"), *FILLER], "deep prompt"),
        ([claude.user("u1", None, "hi"), *FILLER], "hi"),
        ([*FILLER, {"type": "ai-title", "aiTitle": "Made", "sessionId": "s"}], "Made"),
        ([{"type": "summary", "summary": "Old summary", "leafUuid": "x"}, *FILLER], "Old summary"),
        (
            [
                *FILLER,
                {"type": "custom-title", "customTitle": "First", "sessionId": "s"},
                {"type": "custom-title", "customTitle": "Last", "sessionId": "s"},
                {"type": "ai-title", "aiTitle": "Made", "sessionId": "s"},
            ],
            "Last",
        ),
        ([*FILLER, {"type": "agent-name", "agentName": "Agent", "sessionId": "s"}], "Agent"),
        (
            [*FILLER, claude.user("u1", None, 'say "custom-title": {"customTitle": "no"}')],
            'say "custom-title": {"customTitle": "no"}',
        ),
        ([*FILLER], "2026-09-01"),
        ([claude.result("r1", None, "t1"), *FILLER], "2026-09-01"),
        (
            [claude.user("s", None, "for a subagent", isSidechain=True), claude.user("u", None, "mine")],
            "mine",
        ),
    ],
    ids=range(12),
)
def test_titles(tmp_path: Path, lines: list[Any], wanted: str) -> None:
    claude_session(tmp_path, *lines)
    assert only(tmp_path).title == wanted


def test_a_prompt_behind_the_first_mebibyte_is_not_looked_for(tmp_path: Path) -> None:
    big = [claude.assistant(f"f{n}", None, "x" * 30_000) for n in range(40)]
    path = claude_session(tmp_path, *big, claude.user("u1", None, "too deep"), *big)
    fs = Counting()
    assert listed(tmp_path, fs=fs)[0].title == "2026-09-01"
    assert path.stat().st_size > 2 * MOST_HEAD_BYTES
    assert fs.read_bytes <= MOST_HEAD_BYTES + TAIL_BYTES


class Shrinking(FS):
    """Files of which only the first ``left`` bytes are there when they are read."""

    left = 1 << 30

    def pread(self, descriptor: int, size: int, offset: int) -> bytes:
        return super().pread(descriptor, max(0, min(size, self.left - offset)), offset)


def pi_session(root: Path, *texts: tuple[str, str]) -> Path:
    """A session of pi with messages of these roles and texts."""
    header = {
        "type": "session",
        "version": 3,
        "id": "s",
        "timestamp": "2026-09-01T00:00:00.000Z",
        "cwd": "/w",
    }
    entries = [
        {"type": "message", "id": f"{n:08x}", "parentId": None, "message": {"role": role, "content": text}}
        for n, (role, text) in enumerate(texts)
    ]
    lines = [json.dumps(entry, separators=(",", ":")) + "\n" for entry in (header, *entries)]
    return write(root, "sessions/--w--/2026-09-01T00-00-00-000Z_s.jsonl", "".join(lines).encode())


@pytest.mark.parametrize("length", [300, 3_900, 20_000, 61_300, 61_440, 65_400, 65_536, 70_000, 200_000])
def test_a_prompt_is_found_wherever_its_line_lies_in_what_is_read_at_once(
    tmp_path: Path, length: int
) -> None:
    for typed in ("short", "long " * 30_000):
        pi_session(
            tmp_path, ("assistant", "user " * (length // 5)), ("user", typed), ("toolResult", "x" * 200_000)
        )
        assert only(tmp_path, "pi").title.startswith(typed[:5])


def test_a_file_that_shrinks_while_it_is_read_still_tells_its_prompt(tmp_path: Path) -> None:
    path = pi_session(
        tmp_path, ("assistant", "x" * 80_000), ("user", "fix it"), ("toolResult", "x" * 200_000)
    )
    fs = Shrinking()
    fs.left = path.read_bytes().index(b"fix it") + len(b'fix it"}}')
    assert listed(tmp_path, "pi", fs)[0].title == "fix it"


def test_a_folder_that_is_named_twice_is_listed_once(tmp_path: Path) -> None:
    pi_session(tmp_path, ("user", "fix it"))
    assert len(transcripts(FS(), (str(tmp_path), str(tmp_path)), data_of("pi"))) == 1


def test_little_is_read_of_a_file_with_a_prompt_at_its_head(tmp_path: Path) -> None:
    claude_session(tmp_path, claude.user("u1", None, "fix it"), *FILLER)
    fs = Counting()
    assert listed(tmp_path, fs=fs)[0].title == "fix it"
    assert fs.read_bytes <= HEAD_BYTES + TAIL_BYTES


def test_damage_does_not_hide_a_session(tmp_path: Path) -> None:
    claude_session(
        tmp_path, "\x00" * 50, "{cut", claude.user("u1", None, "still there"), '{"type":"user","mess'
    )
    write(tmp_path, f"projects/-w-app/{OTHER}.jsonl")
    found = {each.session_id: (each.title, each.problem) for each in listed(tmp_path)}
    assert found == {claude.SESSION: ("still there", None), OTHER: ("", None)}


def test_links_lead_nowhere_else(tmp_path: Path) -> None:
    secret = write(tmp_path, "outside/secret.jsonl", claude.file_of(claude.user("u1", None, "secret")))
    root = tmp_path / "root"
    folder = root / "projects" / "-w-app"
    folder.mkdir(parents=True)
    (folder / f"{claude.SESSION}.jsonl").symlink_to(secret)
    (folder / f"{OTHER}.jsonl").symlink_to(
        write(root, "inside.jsonl", claude.file_of(claude.user("u", None, "ours")))
    )
    os.mkfifo(folder / "33333333-3333-4333-8333-333333333333.jsonl")
    found = {each.session_id[:1]: (each.title, each.problem) for each in listed(root)}
    assert found == {"1": ("", "outside-roots"), "2": ("ours", None), "3": ("", "not-a-file")}


def test_codex_rows(tmp_path: Path) -> None:
    lines = [
        codex.meta(base_instructions={"text": "y" * 30_000}, git={"branch": "dev"}, forked_from_id=OTHER),
        codex.turn(),
        codex.message("user", "# AGENTS.md instructions for /w/app\n\nuse tabs"),
        codex.event("user_message", message="hello"),
        codex.event("user_message", message="fix the build"),
        codex.tokens(2200, 2200, 9),
    ]
    write(tmp_path, f"sessions/2026/05/01/{os.path.basename(codex.PATH)}", codex.file_of(*lines))
    found = only(tmp_path, "codex")
    sketch = found.sketch
    assert (found.title, found.cwd, sketch.version, sketch.branch) == (
        "fix the build",
        "/w/app",
        "0.137.0",
        "dev",
    )
    assert (sketch.parent_id, sketch.model, sketch.used_tokens) == (OTHER, "gpt-5-codex", 2200)
    assert sketch.window_tokens == 272_000
    index = write(
        tmp_path, "session_index.jsonl", json.dumps({"id": codex.SESSION, "thread_name": "Build"}).encode()
    )
    names = given_names(FS(), str(index), real_roots(FS(), (str(tmp_path),)))
    assert listed(tmp_path, "codex", names=names)[0].title == "Build"
    assert given_names(FS(), str(tmp_path / "none"), frozenset()) == {}


TIME = "2026-01-01T00:00:03.000Z"
ENDS: list[tuple[str, str | None]] = [
    ('{"type":"message","id":"a1","parentId":null,"timestamp":"%s","message":{"role":"user"}}', TIME),
    ('{"type":"message","id":"a1","parentId":"b-2","timestamp":"%s","message":{"timestamp":7}}', TIME),
    ('{"timestamp":"%s","type":"message","id":"a1","parentId":null,"message":{"role":"user"}}', TIME),
    ('{ "type": "message", "id": "a1", "parentId": null, "timestamp": "%s", "message": {} }', TIME),
    ('{"type":"message","id":"a\\u0031","parentId":null,"timestamp":"%s","message":{}}', TIME),
    ('{"type":"compaction","id":"a1","parentId":null,"timestamp":"%s","summary":"x"}', TIME),
    # Torn while it was written: when it was begun stands there all the same.
    ('{"type":"message","id":"a1","parentId":null,"timestamp":"%s","message":{"role":"us', TIME),
    # Only a whole record tells that a text in it is none of its own keys.
    ('{"type":"message","id":"a1","parentId":null,"message":{"content":"\\"timestamp\\":\\"%s\\""}}', None),
    ('{"type":"message","id":"a1","parentId":null,"timestamp":["%s"],"message":{}}', None),
]


@pytest.mark.parametrize(("line", "time"), ENDS)
def test_the_last_time_in_a_pi_session(tmp_path: Path, line: str, time: str | None) -> None:
    header = {"type": "session", "version": 3, "id": OTHER, "cwd": "/w"}
    write(
        tmp_path,
        "sessions/--w--/2026-01-01T00-00-00-000Z_s-1.jsonl",
        claude.file_of(header) + (line % TIME).encode() + b"\n",
    )
    assert only(tmp_path, "pi").sketch.last_time == time


def reply(used: int, **changes: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": [], "model": f"m{used}", "usage": {"input": used}, **changes}


CALLS: list[tuple[list[dict[str, Any]], int | None]] = [
    ([reply(1), reply(2)], 2),
    ([reply(1), {"role": "toolResult", "content": [{"type": "text", "text": '"role":"assistant"'}]}], 1),
    ([reply(1), reply(2, stopReason="error"), reply(3, stopReason="aborted")], 1),
    ([reply(1), reply(2, usage=None)], 1),
    ([reply(1), {"role": "assistant", "content": "no usage"}], 1),
    # Whose words they are stands behind them here.
    ([reply(1), {"content": "x" * 3000, "usage": {"input": 2}, "role": "assistant"}], 2),
    ([reply(1), {"content": [{"role": "assistant", "usage": {"input": 9}}], "role": "user"}], 1),
    ([{"role": "user", "content": "hello"}], None),
]


@pytest.mark.parametrize(("messages", "used"), CALLS)
@pytest.mark.parametrize("order", ["as pi writes them", "another"])
def test_the_last_reply_in_a_pi_session(
    tmp_path: Path, messages: list[dict[str, Any]], used: int | None, order: str
) -> None:
    header = {"type": "session", "version": 3, "id": OTHER, "cwd": "/w"}
    lines = [
        {"type": "message", "id": f"{at}", "parentId": None, "timestamp": TIME, "message": message}
        for at, message in enumerate(messages)
    ]
    if order == "another":
        lines = [dict(reversed(line.items())) for line in lines]
    write(tmp_path, "sessions/--w--/2026-01-01T00-00-00-000Z_s-1.jsonl", claude.file_of(header, *lines))
    sketch = only(tmp_path, "pi").sketch
    assert (sketch.used_tokens, sketch.last_time) == (used, TIME)


def test_pi_rows(tmp_path: Path) -> None:
    usage = {"input": 5, "output": 9, "cacheRead": 10, "cacheWrite": 20}
    header = {
        "type": "session",
        "version": 3,
        "id": "s-1",
        "timestamp": "2026-01-01T00:00:00.000Z",
        "cwd": "/w",
    }
    lines = [
        header,
        {"type": "message", "id": "1", "parentId": None, "timestamp": "2026-01-01T00:00:01.000Z",
         "message": {"role": "user", "content": [{"type": "text", "text": "thanks"}]}},
        {"type": "message", "id": "2", "parentId": "1", "timestamp": "2026-01-01T00:00:02.000Z",
         "message": {"role": "assistant", "content": [], "model": "m", "usage": usage, "stopReason": "stop"}},
        {"type": "message", "id": "3", "parentId": "2", "timestamp": "2026-01-01T00:00:03.000Z",
         "message": {"role": "user", "content": "rename it"}},
    ]  # fmt: skip
    path = "sessions/--w--/2026-01-01T00-00-00-000Z_s-1.jsonl"
    write(tmp_path, path, claude.file_of(*lines))
    found = only(tmp_path, "pi")
    assert (found.session_id, found.title, found.cwd, found.sketch.used_tokens) == (
        "s-1",
        "rename it",
        "/w",
        35,
    )
    assert found.sketch.last_time == "2026-01-01T00:00:03.000Z"
    write(tmp_path, path, claude.file_of(*lines, {"type": "session_info", "id": "4", "name": "Given"}))
    assert only(tmp_path, "pi").title == "Given"


def test_a_pause_after_each_file(tmp_path: Path) -> None:
    claude_session(tmp_path, claude.user("u1", None, "one"))
    pauses: list[None] = []
    listed(tmp_path, pause=lambda: pauses.append(None))
    assert len(pauses) == 1


@pytest.mark.parametrize(
    ("age_hours", "wanted"),
    [(28 * 24, 2), (28 * 24 + 1, 2), (29 * 24 + 1, 1), (30 * 24, 0), (90 * 24, 0), (0, 30)],
)
def test_days_left(age_hours: int, wanted: int) -> None:
    now = 1_800_000_000_000
    assert days_left(now - age_hours * 3_600_000, 30, now) == wanted
