"""Gates, roots, slugs, windows and points of compaction: the parts of a profile that concern sessions."""

from __future__ import annotations

import pytest

from agentbrief.jsonio import JsonValue
from agentbrief.profiles.gates import GateError, gated, is_before, newest
from agentbrief.profiles.load import ProfileError, parse, profile, profile_ids
from agentbrief.profiles.roots import root_folders
from agentbrief.profiles.sessions_data import Slug, identifier_in
from agentbrief.profiles.strategies.claude import claude_slug, is_folder_of
from agentbrief.profiles.windows import (
    CompactionPoint,
    Window,
    compaction_point,
    is_on,
    tokens_of_setting,
    window_of,
)

CLAUDE = profile("claude-code")
WINDOWS = CLAUDE.windows


def slug() -> Slug:
    assert CLAUDE.sessions is not None and CLAUDE.sessions.slug is not None
    return CLAUDE.sessions.slug


@pytest.mark.parametrize(
    ("version", "other", "wanted"),
    [
        ("2.1.9", "2.1.10", True),
        ("2.1.10", "2.1.9", False),
        ("2.1", "2.1.0", False),
        ("2.1", "2.1.1", True),
        ("2.1.100-beta.3", "2.1.100", False),
        ("1.9.9", "2.0.0", True),
    ],
)
def test_versions(version: str, other: str, wanted: bool) -> None:
    assert is_before(version, other) is wanted


def test_the_newest() -> None:
    assert newest(["2.1.9", "2.1.10", "2.0.99"]) == "2.1.10"
    assert newest([]) is None


BASE: dict[str, JsonValue] = {
    "a": {"b": [1, 2]},
    "gates": [
        {"before": "1.0", "set": {"/a/b/0": 10, "/a/new": True}},
        {"before": "2.0", "set": {"/a/b/0": 20}},
    ],
}


@pytest.mark.parametrize(
    ("version", "wanted"),
    [
        (None, {"b": [1, 2]}),
        ("2.0", {"b": [1, 2]}),
        ("3", {"b": [1, 2]}),
        ("1.5", {"b": [20, 2]}),
        ("0.9", {"b": [10, 2], "new": True}),
    ],
)
def test_gates_put_back_what_held_before(version: str | None, wanted: JsonValue) -> None:
    assert gated(BASE, version)["a"] == wanted
    assert BASE["a"] == {"b": [1, 2]}


@pytest.mark.parametrize("pointer", ["/none/x", "/a/b/7", "/a/b/x", "/a/b/0/c/d"])
def test_a_pointer_to_nothing(pointer: str) -> None:
    data: dict[str, JsonValue] = {"a": {"b": [1]}, "gates": [{"before": "1", "set": {pointer: 1}}]}
    with pytest.raises(GateError):
        gated(data, "0")
    with pytest.raises(ProfileError, match="x: gates"):
        parse("x", data, "0")


@pytest.mark.parametrize("identifier", profile_ids())
def test_the_gates_of_each_profile_lead_somewhere(identifier: str) -> None:
    for gate in profile(identifier).gates:
        below = f"{gate.before}".rsplit(".", 1)[0] + ".-1"
        assert gate.why and gate.source
        assert profile(identifier, below) is not None
        assert profile(identifier, gate.before).gates == profile(identifier).gates


@pytest.mark.parametrize(
    ("version", "collides", "enforced", "bad_line"),
    [
        (None, False, True, "skipped"),
        ("2.1.224", False, True, "skipped"),
        ("2.1.223", True, True, "skipped"),
        ("2.1.222", True, False, "skipped"),
        ("2.1.121", True, False, "skipped"),
        ("2.1.120", True, False, "stops-resume"),
        ("9.9", False, True, "skipped"),
    ],
)
def test_gates_of_claude_code(version: str | None, collides: bool, enforced: bool, bad_line: str) -> None:
    found = profile("claude-code", version)
    assert found.sessions is not None and found.sessions.slug is not None and found.windows is not None
    assert found.sessions.slug.long_path_collision is collides
    assert found.windows.unknown_enforced is enforced
    assert found.sessions.bad_line == bad_line


@pytest.mark.parametrize(
    ("env", "wanted"),
    [
        ({}, ("/h/.claude",)),
        ({"XDG_CONFIG_HOME": "/x"}, ("/h/.claude", "/x/claude")),
        ({"CLAUDE_CONFIG_DIR": "/c"}, ("/c",)),
        ({"CLAUDE_CONFIG_DIR": "/c, ~/d ,", "XDG_CONFIG_HOME": "/x"}, ("/c", "/h/d")),
        ({"CLAUDE_CONFIG_DIR": "  "}, ("/h/.claude",)),
    ],
)
def test_roots_of_claude_code(env: dict[str, str], wanted: tuple[str, ...]) -> None:
    assert CLAUDE.sessions is not None
    assert root_folders(CLAUDE.sessions.roots, "/h", env) == wanted


def test_roots_of_others() -> None:
    codex, openclaw = profile("codex").sessions, profile("openclaw").sessions
    assert codex is not None and openclaw is not None
    assert root_folders(codex.roots, "/h", {}) == ("/h/.codex",)
    assert root_folders(codex.roots, "/h", {"CODEX_HOME": "/a,b"}) == ("/a,b",)
    assert root_folders(openclaw.roots, "/h", {"OPENCLAW_STATE_DIR": "~/s"}) == ("/h/s",)


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/w/my_app", "-w-my-app"),
        ("/w/my.app", "-w-my-app"),
        ("/w/新聞", "-w---"),
        ("/w/🚀a", "-w---a"),
        ("C:\\w\\app", "C--w-app"),
        ("/" + "a" * 199, "-" + "a" * 199),
        ("/" + "a" * 200, "-" + "a" * 199 + "-"),
    ],
)
def test_slug(path: str, name: str) -> None:
    assert claude_slug(path, slug()) == name
    assert is_folder_of(name, path, slug())


def test_a_long_path_is_known_by_its_prefix() -> None:
    path = "/" + "a" * 300
    assert is_folder_of("-" + "a" * 199 + "-1x2y3z", path, slug())
    assert not is_folder_of("-" + "a" * 199, path, slug())
    assert not is_folder_of("-w-app-x", "/w/app", slug())


@pytest.mark.parametrize(
    ("agent", "name", "wanted"),
    [
        ("claude-code", "11111111-1111-4111-8111-111111111111.jsonl", "11111111-1111-4111-8111-111111111111"),
        ("claude-code", "agent-1.jsonl", None),
        (
            "codex",
            "rollout-2026-05-01T10-00-00-11111111-1111-4111-8111-111111111111.jsonl.zst",
            "11111111-1111-4111-8111-111111111111",
        ),
        ("openclaw", "abc-topic-7.jsonl", "abc-topic-7"),
        ("openclaw", "abc.checkpoint.11111111-1111-4111-8111-111111111111.jsonl", None),
        ("pi", "2026-01-01T00-00-00-000Z_abc.jsonl", "abc"),
    ],
)
def test_identifiers(agent: str, name: str, wanted: str | None) -> None:
    data = profile(agent).sessions
    assert data is not None
    assert identifier_in(data, name) == wanted


@pytest.mark.parametrize(
    ("model", "more", "wanted"),
    [
        ("claude-sonnet-5", {}, Window(1_000_000, 967_000, True, ((200_000, 167_000),))),
        ("claude-opus-5-20260801", {"provider": "vertex"}, Window(200_000, 167_000, True)),
        ("claude-opus-4-8[1m]", {}, Window(1_000_000, 967_000, True)),
        ("claude-opus-4-6", {}, Window(200_000, 167_000, True)),
        ("claude-sonnet-4-6[1m]", {}, Window(1_000_000, 967_000, True)),
        ("claude-haiku-4-5", {}, Window(200_000, 167_000, True)),
        ("mimo-v2.5-pro", {}, Window(200_000, 167_000, False)),
        ("mimo-v2.5-pro[1m]", {}, Window(1_000_000, 967_000, False)),
        (
            "mimo-v2.5-pro",
            {"env": {"CLAUDE_CODE_MAX_CONTEXT_TOKENS": "400000"}},
            Window(400_000, 367_000, True),
        ),
        (
            "claude-opus-4-6",
            {"env": {"CLAUDE_CODE_MAX_CONTEXT_TOKENS": "400000"}},
            Window(200_000, 167_000, True),
        ),
        (
            "claude-opus-4-6",
            {"env": {"CLAUDE_CODE_MAX_CONTEXT_TOKENS": "400000", "DISABLE_COMPACT": "1"}},
            Window(400_000, 367_000, True),
        ),
        ("claude-sonnet-5", {"env": {"CLAUDE_CODE_DISABLE_1M_CONTEXT": "1"}}, Window(200_000, 167_000, True)),
        ("anything", {"stated": 272_000}, Window(272_000, None, True)),
        (None, {}, Window(None, None, False)),
    ],
)
def test_windows(model: str | None, more: dict[str, object], wanted: Window) -> None:
    assert window_of(WINDOWS, model, **more) == wanted  # type: ignore[arg-type]


LARGE = window_of(WINDOWS, "claude-sonnet-5")


@pytest.mark.parametrize(
    ("settings", "env", "wanted"),
    [
        ({}, {}, CompactionPoint(967_000)),
        ({"autoCompactWindow": 500_000}, {}, CompactionPoint(467_000, ("autoCompactWindow",))),
        ({"autoCompactWindow": "500k"}, {}, CompactionPoint(467_000, ("autoCompactWindow",))),
        ({"autoCompactWindow": 50}, {}, CompactionPoint(967_000, (), ("autoCompactWindow",))),
        (
            {"autoCompactWindow": "500k"},
            {"CLAUDE_CODE_AUTO_COMPACT_WINDOW": "300000"},
            CompactionPoint(267_000, ("CLAUDE_CODE_AUTO_COMPACT_WINDOW",)),
        ),
        (
            {},
            {"CLAUDE_CODE_AUTO_COMPACT_WINDOW": "500k"},
            CompactionPoint(967_000, (), ("CLAUDE_CODE_AUTO_COMPACT_WINDOW",)),
        ),
        (
            {},
            {"CLAUDE_AUTOCOMPACT_PCT_OVERRIDE": "50"},
            CompactionPoint(500_000, ("CLAUDE_AUTOCOMPACT_PCT_OVERRIDE",)),
        ),
        (
            {},
            {"CLAUDE_AUTOCOMPACT_PCT_OVERRIDE": "99"},
            CompactionPoint(967_000, ("CLAUDE_AUTOCOMPACT_PCT_OVERRIDE",)),
        ),
        (
            {},
            {"CLAUDE_AUTOCOMPACT_PCT_OVERRIDE": "0.8"},
            CompactionPoint(967_000, (), ("CLAUDE_AUTOCOMPACT_PCT_OVERRIDE",)),
        ),
        ({}, {"DISABLE_AUTO_COMPACT": "true"}, CompactionPoint(None, ("DISABLE_AUTO_COMPACT",))),
        ({}, {"DISABLE_AUTO_COMPACT": "0"}, CompactionPoint(967_000)),
    ],
)
def test_points(settings: dict[str, JsonValue], env: dict[str, str], wanted: CompactionPoint) -> None:
    assert compaction_point(WINDOWS, LARGE, settings, env) == wanted


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        (200, 200_000),
        (1000, 1_000_000),
        ("1M", 1_000_000),
        ("0.5m", 500_000),
        (100_000, 100_000),
        *[(value, None) for value in (99, "", "2M", True, None, [])],
    ],
)
def test_the_setting(value: JsonValue, wanted: int | None) -> None:
    assert WINDOWS is not None
    assert tokens_of_setting(WINDOWS, value) == wanted


def test_switches() -> None:
    assert [is_on(value) for value in ("1", "true", "yes", "0", "false", "", None)] == [True] * 3 + [
        False
    ] * 4
