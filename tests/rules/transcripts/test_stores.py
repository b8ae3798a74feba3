"""Rules on where sessions are kept, and which profile has which rule."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from agentbrief.disk.seam import FS
from agentbrief.profiles.load import profile
from agentbrief.rules.registry import rule, rules
from agentbrief.rules.transcript_scene import SessionIndexFile
from agentbrief.tasks.sessions.agent import facts_of, store_of
from agentbrief.tasks.sessions.scene import Surroundings, agent_settings, judged, scene_of
from tests.rules.transcripts.scenes import NOW_MS, found, listed, scene
from tests.sessions.claude_code import written as claude
from tests.sessions.codex import written as codex

CLAUDE_ONLY = {
    "compaction-early",
    "instructions-injected-repeatedly",
    "lost-at-compaction",
    "session-expires-soon",
    "session-folder-shared",
    "session-index-stale",
    "transcript-forked-in-place",
    "transcript-rejected-block",
    "transcript-split-message",
    "unknown-model-window",
}
EVERYWHERE = {
    "transcript-bad-line",
    "transcript-lone-surrogate",
    "transcript-merged-line",
    "transcript-torn-tail",
}
TREES = {"transcript-broken-chain", "transcript-duplicate-id"}
HEADED = {"transcript-no-header", "transcript-odd-record"}
COMPACTED = {"session-over-budget"}
CODEX_TOO = {"session-not-listed", "transcript-bloat", "transcript-large-line", "transcript-unpaired-tool"}


@pytest.mark.parametrize(
    ("agent", "wanted"),
    [
        ("claude-code", CLAUDE_ONLY | EVERYWHERE | TREES | CODEX_TOO),
        ("codex", EVERYWHERE | CODEX_TOO),
        ("openclaw", EVERYWHERE | TREES | HEADED | COMPACTED),
        ("pi", EVERYWHERE | TREES | HEADED | COMPACTED),
        ("claw", COMPACTED),
        ("claw-code", COMPACTED),
    ],
)
def test_which_profile_has_which_rule(agent: str, wanted: set[str]) -> None:
    shown = profile(agent)
    assert {each.code for each in rules() if each.group == "transcripts" and each.holds_for(shown)} == wanted


def shared(*cwds: str | None) -> list[object]:
    sessions = tuple(listed(str(n), cwd) for n, cwd in enumerate(cwds))
    return [
        dict(each.arguments)["n"]
        for each in found(scene("claude-code", listed=sessions), "session-folder-shared")
    ]


def test_shared_folders() -> None:
    assert shared("/w/my_app", "/w/my-app") == [2]
    assert shared("/w/my-app", "/w/my-app", None) == []
    assert shared("/w/my-app", "/w/my-app/sub") == []
    assert shared("/w/my-app", "/w/my-app2") == [2]
    assert shared("/w", "/w/a", "/w/b") == []


def test_indexes() -> None:
    def stale(*missing: str) -> list[str]:
        given = scene("claude-code", index_files=(SessionIndexFile("/c/sessions-index.json", missing),))
        return [each.path for each in found(given, "session-index-stale")]

    assert stale("x") == ["/c/sessions-index.json"]
    assert stale() == []


def test_retention() -> None:
    def soon(age_days: float, days: int | None = 30, expiring: int = 7) -> list[object]:
        given = scene(
            "claude-code",
            listed=(listed("x", "/w", age_days=age_days),),
            retention_days=days,
            expiring_days=expiring,
        )
        return [dict(each.data)["days"] for each in found(given, "session-expires-soon")]

    assert soon(28) == [2]
    assert soon(23) == [7]
    assert soon(22.9) == []
    assert soon(40) == [0]
    assert soon(28, days=None) == []
    assert soon(28, expiring=0) == []
    fix = rule("session-expires-soon").fix
    assert fix is not None
    (offered,) = fix(
        found(
            scene("claude-code", listed=(listed("x", "/w", age_days=28),), retention_days=30),
            "session-expires-soon",
        )[0],
        "",
    )
    assert offered.command == "agentbrief.session.export"


def write(path: Path, data: bytes | str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path


def codes(root: Path, agent: str = "claude-code", **more: object) -> list[tuple[str, str | None, object]]:
    fs = FS()
    store = store_of(fs, profile(agent), str(root), {})
    around = Surroundings((str(root / "w/new"),), NOW_MS)
    return [
        (each.code, each.reason, dict(each.data).get("suggestion"))
        for each in judged(scene_of(fs, store, around, **more))  # type: ignore[arg-type]
    ]


def session(root: Path, cwd: str, place: str = f"projects/-w/{claude.SESSION}.jsonl") -> Path:
    line = {**claude.user("u1", None, "one"), "cwd": cwd}
    return write(root / ".claude" / place, claude.file_of(line))


def test_a_session_whose_folder_was_moved(tmp_path: Path) -> None:
    (tmp_path / "w/new/old").mkdir(parents=True)
    session(tmp_path, str(tmp_path / "w/old"))
    assert codes(tmp_path) == [("session-not-listed", "moved", str(tmp_path / "w/new/old"))]
    (tmp_path / "w/new/old").rename(tmp_path / "w/new/other")
    assert codes(tmp_path) == [("session-not-listed", "moved", "")]
    (tmp_path / "w/old").mkdir()
    assert codes(tmp_path) == []


@pytest.mark.parametrize("place", ["projects/{}", "projects/-x/deep/{}", "projects/-x/a/b/{}"])
def test_a_session_in_the_wrong_place(tmp_path: Path, place: str) -> None:
    name = f"{claude.SESSION}.jsonl"
    session(tmp_path, str(tmp_path), place.format(name))
    folder = "".join(char if char.isalnum() and char.isascii() else "-" for char in str(tmp_path))
    wanted = str(tmp_path / ".claude/projects" / folder / name)
    assert codes(tmp_path) == [("session-not-listed", "misplaced", wanted)]


def test_codex_sessions_whose_folder_is_gone(tmp_path: Path) -> None:
    name = os.path.basename(codex.PATH)
    write(tmp_path / f".codex/sessions/2026/05/01/{name}", codex.file_of(codex.meta(cwd="/gone/for/ever")))
    assert codes(tmp_path, "codex") == [("session-not-listed", "moved", "")]


def test_parents_in_other_transcripts_of_the_project(tmp_path: Path) -> None:
    folder = tmp_path / ".claude/projects/-w"
    lines = [{**claude.user("u2", "elsewhere", "two"), "cwd": str(tmp_path)}]
    path = write(folder / f"{claude.SESSION}.jsonl", claude.file_of(*lines))
    assert ("transcript-broken-chain", "dangling", None) in codes(tmp_path, paths=[str(path)])
    other = {**claude.user("elsewhere", None, "one"), "cwd": str(tmp_path)}
    write(folder / "22222222-2222-4222-8222-222222222222.jsonl", claude.file_of(other))
    assert codes(tmp_path, paths=[str(path)]) == []


def test_a_fork_of_codex_is_read_with_its_parent(tmp_path: Path) -> None:
    parent = "22222222-2222-4222-8222-222222222222"
    day = tmp_path / ".codex/sessions/2026/05/01"
    name = os.path.basename(codex.PATH)
    replay = [codex.tokens(1000, 1000, 1), codex.tokens(2500, 1500, 30)]
    write(day / name.replace(codex.SESSION, parent), codex.file_of(codex.meta(id=parent), *replay))
    fork = write(
        day / name, codex.file_of(codex.meta(forked_from_id=parent), *replay, codex.tokens(2600, 100, 60))
    )
    fs = FS()
    found_facts = facts_of(fs, store_of(fs, profile("codex"), str(tmp_path), {}), str(fork))
    assert found_facts is not None and found_facts.context is not None
    assert found_facts.context.tokens == 100


def test_only_the_named_settings_are_kept(tmp_path: Path) -> None:
    text = """{"cleanupPeriodDays": 90, "autoCompactWindow": "500k", "apiKeyHelper": "secret", "env":
      {"DISABLE_AUTO_COMPACT": "1", "ANTHROPIC_API_KEY": "secret"}}"""
    write(tmp_path / ".claude/settings.json", text)
    write(tmp_path / "w/new/.claude/settings.local.json", '{"cleanupPeriodDays": 60}')
    write(tmp_path / "w/new/.claude/settings.json", "{broken")
    fs = FS()
    store = store_of(fs, profile("claude-code"), str(tmp_path), {})
    assert agent_settings(fs, store, (str(tmp_path / "w/new"),)) == {
        "cleanupPeriodDays": 60,
        "autoCompactWindow": "500k",
        "env": {"DISABLE_AUTO_COMPACT": "1"},
    }
    assert scene_of(fs, store, Surroundings((), NOW_MS)).retention_days == 90
    assert agent_settings(fs, store_of(fs, profile("codex"), str(tmp_path), {}), ()) == {}


def test_an_agent_without_sessions_of_its_own() -> None:
    assert store_of(FS(), profile("claw"), "/nowhere", {}).sessions == ()
