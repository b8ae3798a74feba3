"""How a session stands, and what sessions cost over a project."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from agentbrief.disk.seam import FS
from agentbrief.profiles.load import profile
from agentbrief.sessions.context_used import SessionStatus
from agentbrief.sessions.formats.claude_index import CLAUDE_INDEX
from agentbrief.sessions.jsonl.index import TranscriptIndex
from agentbrief.sessions.model import Usage
from agentbrief.tasks.sessions.agent import AgentStore, store_of
from agentbrief.tasks.sessions.context import costs, status_of
from tests.sessions.claude_code import written as claude
from tests.sessions.codex import written as codex
from tests.sessions.test_listing import OTHER, write
from tests.sessions.test_tail import Counting

NOW_MS = 2_000_000_000_000


def store(home: Path, agent: str = "claude-code", fs: FS | None = None) -> AgentStore:
    return store_of(fs or FS(), profile(agent), str(home), {})


def claude_file(home: Path, *lines: Any, session: str = claude.SESSION) -> Path:
    return write(home, f".claude/projects/-w-app/{session}.jsonl", claude.file_of(*lines))


def status(home: Path, agent: str = "claude-code", **more: Any) -> SessionStatus:
    found = store(home, agent)
    result = status_of(FS(), found, found.sessions[0], NOW_MS, **more)
    assert result is not None
    return result


TALK = [
    claude.user("u1", None, "x" * 400),
    claude.assistant("a1", "u1", "y", usage=(100_000, 20_000, 30_000, 999), model="claude-opus-4-6"),
]


def test_a_session_of_claude_code(tmp_path: Path) -> None:
    path = claude_file(tmp_path, *TALK)
    found = status(tmp_path)
    assert (found.path, found.session_id, found.used, found.reported) == (
        str(path),
        claude.SESSION,
        150_000,
        True,
    )
    assert (found.window, found.compacts_at, found.percent, found.is_near_compaction) == (
        200_000,
        167_000,
        75,
        False,
    )
    assert (found.state, dict(found.by_kind)) == ("idle", {"system": 149_900, "messages": 100})
    env = {"CLAUDE_CODE_AUTO_COMPACT_WINDOW": "150000"}
    assert status(tmp_path, env=env).compacts_at == 117_000
    os.utime(path, (NOW_MS / 1000 - 30, NOW_MS / 1000 - 30))
    assert status(tmp_path).state == "running"


def test_near_compaction(tmp_path: Path) -> None:
    last = claude.assistant("a2", "a1", "z", usage=(160_000, 0, 0, 1), model="claude-opus-4-6")
    claude_file(tmp_path, *TALK, last)
    assert status(tmp_path).is_near_compaction


def test_with_an_index_only_what_follows_the_last_compaction_is_read(tmp_path: Path) -> None:
    filler = [claude.assistant(f"f{n}", f"f{n - 1}" if n else "a1", "x" * 4000) for n in range(300)]
    after = [claude.boundary("b", "f299", postTokens=9_000), claude.summary("s", "b")]
    path = claude_file(tmp_path, *TALK, *filler, *after)
    index = TranscriptIndex(CLAUDE_INDEX)
    index.feed(path.read_bytes())
    fs = Counting()
    found = store(tmp_path, fs=fs)
    fs.read_bytes = 0
    result = status_of(fs, found, found.sessions[0], NOW_MS, index=index)  # type: ignore[arg-type]
    assert result is not None
    assert (result.used, result.reported, fs.read_bytes < 10_000) == (9_000, True, True)
    assert status(tmp_path).used == 9_000


def test_a_session_of_codex(tmp_path: Path) -> None:
    lines = [codex.meta(), codex.turn(), codex.tokens(133_000, 133_000, 1)]
    write(tmp_path, f".codex/sessions/2026/05/01/{os.path.basename(codex.PATH)}", codex.file_of(*lines))
    found = status(tmp_path, "codex")
    assert (found.used, found.window, found.compacts_at) == (133_000, 272_000, None)
    assert found.percent == round(100 * (133_000 - 12_000) / (272_000 - 12_000))


def test_what_a_project_cost(tmp_path: Path) -> None:
    parent = {"sessionId": OTHER}
    copied = [{**claude.user("u0", None, "go"), **parent}]
    copied += [{**claude.assistant("a0", "u0", "x", usage=(5, 0, 0, 5)), **parent}]
    claude_file(tmp_path, *copied, session=OTHER)
    claude_file(tmp_path, *copied, claude.assistant("a1", "a0", "own", usage=(1, 0, 0, 1)))
    side = claude.assistant("s1", None, "for it", usage=(100, 0, 0, 0), isSidechain=True, agentId="1")
    folder = f".claude/projects/-w-app/{claude.SESSION}/subagents"
    write(tmp_path, f"{folder}/agent-1.jsonl", claude.file_of(side, side))
    found = store(tmp_path)
    result = costs(FS(), found, found.sessions)
    assert result.total == Usage(106, 6, 0, 0)
    assert dict(result.by_session) == {claude.SESSION: Usage(1, 1), OTHER: Usage(5, 5)}


def test_what_a_fork_of_codex_cost(tmp_path: Path) -> None:
    name = os.path.basename(codex.PATH)
    replay = [codex.tokens(1000, 1000, 1), codex.tokens(2500, 1500, 30)]
    day = ".codex/sessions/2026/05/01"
    write(
        tmp_path, f"{day}/{name.replace(codex.SESSION, OTHER)}", codex.file_of(codex.meta(id=OTHER), *replay)
    )
    fork = [codex.meta(forked_from_id=OTHER), *replay, codex.tokens(2600, 100, 60)]
    write(tmp_path, f"{day}/{name}", codex.file_of(*fork))
    found = store(tmp_path, "codex")
    result = costs(FS(), found, found.sessions)
    assert result.total.total == 2600
    assert {key: usage.total for key, usage in result.by_session} == {codex.SESSION: 100, OTHER: 2500}
