"""The sessions of a workspace over all formats, with the rules that say which ones belong to it."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from agentbrief.tasks.sessions.facts import found_by
from agentbrief.tasks.sessions.list import NO_SESSIONS, SessionList, sessions_of
from tests.tasks.homes import (
    CLAUDE_ID,
    CODEX_ID,
    NOW_MS,
    Home,
    built,
    claude_session,
    claw_session,
    codex_session,
    pi_session,
    put,
)
from tests.tasks.watched import WatchedFS

OTHER_ID = "33333333-3333-4333-8333-333333333333"


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return built(tmp_path)


def listed(home: Home, **more: object) -> SessionList:
    return sessions_of(home.setup(**more), str(home.workspace))  # type: ignore[arg-type]


def other_rollout(home: Home) -> Path:
    return home.codex.with_name(home.codex.name.replace(CODEX_ID, OTHER_ID))


def ids(found: SessionList) -> list[str]:
    return [item.session_id for item in found.items]


def test_every_format_is_listed(home: Home) -> None:
    found = {item.agent: item for item in listed(home).items}
    assert list(found) == ["claw", "claw-code", "claude-code", "codex", "openclaw", "pi"], "newest first"
    assert {agent: item.path for agent, item in found.items()} == {
        agent: str(path) for agent, path in home.all.items()
    }
    assert {agent: item.title for agent, item in found.items()} == {
        "claw": "Plan the release",
        "claw-code": "Rename the cache module",
        "claude-code": "Fix the login redirect",
        "codex": "登录页重定向",
        "openclaw": "Daily report",
        "pi": "Write the daily report",
    }
    assert {agent: item.turns for agent, item in found.items()} == {
        "claw": 2, "claw-code": 1, "claude-code": 2, "codex": 1, "openclaw": 1, "pi": 1,
    }  # fmt: skip
    assert {
        agent: (item.used_tokens, item.is_reported) for agent, item in found.items() if agent != "pi"
    } == {
        "claw": (7, False),
        "claw-code": (14, False),
        "claude-code": (82_010, True),
        "codex": (10_000, True),
        "openclaw": (found["pi"].used_tokens, True),
    }
    assert found["openclaw"].key == "agent:main:main"
    assert [agent for agent, item in found.items() if item.writable] == [
        "claw",
        "claw-code",
        "openclaw",
        "pi",
    ]
    assert {agent for agent, item in found.items() if item.is_own} == {"claw", "claw-code"}
    assert found["claude-code"].expires_in_days == 30
    assert found["codex"].branch == "dev"


def test_only_what_was_begun_in_the_folder_or_below_it(home: Home) -> None:
    below = home.workspace / "packages" / "api"
    sibling = home.workspace.with_name("shop-two")
    odd = Path(str(home.workspace).replace("shop", "s.hop"))
    put(home.claude_folder(below) / f"{OTHER_ID}.jsonl", claude_session(below), hours_ago=9)
    for number, folder in enumerate((sibling, odd)):
        name = f"4444444{number}-4444-4444-8444-444444444444.jsonl"
        put(home.claude_folder(folder) / name, claude_session(folder), hours_ago=9)
    put(other_rollout(home), codex_session(sibling))
    claude = [item.session_id for item in listed(home).items if item.agent == "claude-code"]
    assert claude == [CLAUDE_ID, OTHER_ID]
    assert [item.session_id for item in listed(home).items if item.agent == "codex"] == [CODEX_ID]
    every = sessions_of(home.setup(), None)
    assert len([item for item in every.items if item.agent == "claude-code"]) == 4
    assert len([item for item in every.items if item.agent == "codex"]) == 2


def test_a_folder_that_shares_its_slug_with_another(home: Home) -> None:
    other = home.workspace.parent / "sh.op"
    twin = home.workspace.parent / "sh-op"
    for number, folder in enumerate((other, twin)):
        put(
            home.claude_folder(folder) / f"5555555{number}-5555-4555-8555-555555555555.jsonl",
            claude_session(folder),
        )
    assert home.claude_folder(other) == home.claude_folder(twin)
    setup = replace(home.setup(), folders=(str(twin),))
    found = [item.cwd for item in sessions_of(setup, str(twin)).items]
    assert found == [str(twin)]


def test_a_session_without_a_folder_lies_in_its_own(home: Home) -> None:
    data = b'{"type":"summary","summary":"Old talk","leafUuid":"x"}\n'
    put(home.claude_folder(home.workspace) / f"{OTHER_ID}.jsonl", data)
    assert OTHER_ID in ids(listed(home))


def test_a_workspace_behind_a_link(home: Home) -> None:
    link = home.workspace.with_name("link")
    link.symlink_to(home.workspace)
    setup = replace(home.setup(), folders=(str(link),))
    assert {"claude-code", "codex", "claw"} <= {item.agent for item in sessions_of(setup, str(link)).items}


def test_nothing_is_opened_twice(home: Home) -> None:
    first = listed(home)
    fs = WatchedFS()
    again = sessions_of(home.setup(fs=fs), str(home.workspace), first)
    assert again.items == first.items
    assert not [name for name in fs.names_opened() if name.endswith((".jsonl", "plan.json"))]
    put(home.claude, home.claude.read_bytes() + claude_session(home.workspace), hours_ago=0.5)
    fs = WatchedFS()
    sessions_of(home.setup(fs=fs), str(home.workspace), again)
    assert {name for name in fs.names_opened() if name.endswith(".jsonl")} == {f"{CLAUDE_ID}.jsonl"}


def test_a_thousand_sessions_are_not_read_whole(home: Home, tmp_path: Path) -> None:
    folder = home.claude_folder(home.workspace)
    long = claude_session(home.workspace) + b'{"type":"progress","data":"' + b"x" * 400_000 + b'"}\n'
    last = b'{"type":"ai-title","aiTitle":"A title","sessionId":"x"}\n'
    for number in range(1000):
        put(folder / f"{number:08d}-0000-4000-8000-000000000000.jsonl", long + last)
    fs = WatchedFS()
    found = sessions_of(home.setup(fs=fs), str(home.workspace))
    assert len(found.items) == 1006
    assert len([name for name in fs.names_opened() if name.endswith("0000.jsonl")]) == 1000
    assert fs.bytes < 1010 * (4 + 64) * 1024 + 1_000_000


def test_other_people_s_folders_are_left_alone(home: Home) -> None:
    found = listed(home, settings={"readHomeSessions": False})
    assert {item.agent for item in found.items} == {"claw", "claw-code"}


def test_folders_that_the_user_names(home: Home, tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    put(mine / "projects" / "x" / f"{OTHER_ID}.jsonl", claude_session(home.workspace))
    put(mine / "sessions" / "2026" / "09" / "20" / home.codex.name, codex_session(home.workspace))
    put(mine / "direct.jsonl", pi_session("direct", home.workspace))
    put(mine / "0123456789abcdef" / "claw.jsonl", claw_session(home.workspace.with_name("elsewhere")))
    found = listed(home, settings={"sessions.roots": (str(mine),)})
    others = {item.session_id: item.agent for item in found.items if not item.is_own or item.is_foreign}
    assert others == {
        OTHER_ID: "claude-code",
        CODEX_ID: "codex",
        "direct": "pi",
        "session-1781234567890-1": "claw-code",
    }
    foreign = next(item for item in found.items if item.is_foreign)
    assert not foreign.writable


def test_openclaw_with_a_database_is_read_only(home: Home) -> None:
    put(home.openclaw.parents[1] / "agent" / "openclaw-agent.sqlite", b"SQLite format 3\0")
    found = listed(home)
    item = next(item for item in found.items if item.agent == "openclaw")
    assert not item.writable
    assert found.databases == (str(home.openclaw.parents[1] / "agent" / "openclaw-agent.sqlite"),)


def test_a_store_that_is_no_json_hides_nothing(home: Home) -> None:
    put(home.openclaw.with_name("sessions.json"), b"{")
    found = listed(home)
    assert found.problems == ((str(home.openclaw.with_name("sessions.json")), "store-not-json"),)
    item = next(item for item in found.items if item.agent == "openclaw")
    assert item.title == "Write the daily report"


def test_what_cannot_be_read_is_listed_with_the_reason(home: Home) -> None:
    put(home.port.with_name("bad.json"), b"{")
    put(
        home.codex.with_suffix(".jsonl.zst").with_name(home.codex.name.replace(CODEX_ID, OTHER_ID) + ".zst"),
        b"x",
    )
    problems = {item.session_id: item.problem for item in listed(home).items if item.problem}
    assert problems["bad"] == "bad-json"


def test_a_session_that_works_for_another_is_none_of_the_list(home: Home) -> None:
    data = codex_session(home.workspace)
    source = {"subagent": {"thread_spawn": {"parent_thread_id": CODEX_ID, "depth": 1}}}
    first, _, rest = data.partition(b"\n")
    meta = json.loads(first)
    meta["payload"] |= {"id": OTHER_ID, "source": source}
    put(
        home.codex.with_name(home.codex.name.replace(CODEX_ID, OTHER_ID)),
        json.dumps(meta).encode() + b"\n" + rest,
    )
    assert OTHER_ID not in ids(listed(home))


@pytest.mark.parametrize(
    ("words", "agents"),
    [
        ("LOGIN redirect", ["claude-code"]),
        ("已修复", ["codex"]),
        ("here it is", ["openclaw", "pi"]),
        ("dev", ["codex"]),
        ("renamed it", ["claw-code"]),
        ("agent:main", ["openclaw"]),
        ("not there", []),
    ],
)
def test_found_by_title_first_or_last_message_or_branch(home: Home, words: str, agents: list[str]) -> None:
    found = listed(home)
    assert [item.agent for item in found_by(home.setup(), found.items, found.stores, words)] == agents


def test_running_expiring_and_archived(home: Home) -> None:
    os.utime(home.claude, (NOW_MS / 1000 - 5, NOW_MS / 1000 - 5))
    old = NOW_MS / 1000 - 27 * 24 * 3600
    other = home.claude.with_name(f"{OTHER_ID}.jsonl")
    put(other, claude_session(home.workspace))
    os.utime(other, (old, old))
    put(
        home.home / ".codex" / "archived_sessions" / home.codex.name.replace(CODEX_ID, OTHER_ID),
        codex_session(home.workspace),
    )
    found = {(item.agent, item.session_id): item for item in listed(home).items}
    assert found["claude-code", CLAUDE_ID].state == "running"
    assert found["claude-code", OTHER_ID].expires_in_days == 3
    assert found["codex", OTHER_ID].state == "archived"


def test_no_home_and_no_workspace_folder(tmp_path: Path) -> None:
    home = Home(tmp_path / "w", tmp_path / "nobody")
    found = sessions_of(home.setup(), str(home.workspace))
    assert found.items == ()
    assert [Path(each).name for each in found.looked_in][:2] == [".port_sessions", "sessions"]
    assert found.problems == ()
    assert NO_SESSIONS.items == ()
