"""Each rule on stores against small folders: what it finds and where, and that it stays quiet."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from agentbrief.disk.seam import FS
from agentbrief.disk.values import ReadProblem
from agentbrief.messages import LOCALES, say
from agentbrief.rules.finding import Finding
from agentbrief.rules.registry import rules
from agentbrief.rules.store_scene import NearSilent, StoreTranscript
from agentbrief.tasks.sessions.setup import SessionsSetup
from agentbrief.tasks.settings import parse
from agentbrief.tasks.store.look import look_at
from agentbrief.tasks.store.place import store_at
from agentbrief.tasks.store.scene import judged, scene_of

NOW = 1_772_712_000_000
GOOD = {"agent:main:main": {"sessionId": "a", "updatedAt": NOW}}


@dataclass(frozen=True)
class Case:
    """A store as text, the files beside it, OpenClaw's configuration, and what must be found.

    ``wanted`` are codes with the text that is marked and a part of the message; nothing else is found.
    """

    name: str
    store: Any
    wanted: tuple[tuple[str, str, str], ...] = ()
    files: tuple[str, ...] = ("a.jsonl",)
    config: str = ""
    settings: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.name


def text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, indent=1, ensure_ascii=False)


CASES = (
    Case("a good store", GOOD),
    Case("an empty store", {}, files=()),
    Case(
        "cut",
        '{\n "é🚀": {"sessionId": "a",\n',
        (("store-not-json", "", "write over it"),),
    ),
    Case("a list", "[]", (("store-not-object", "", "no object"),)),
    Case("blank", " \n", (("store-empty", "", "blank"),)),
    Case("no byte", "", (("store-empty", "", "blank"),)),
    Case(
        "a field of the wrong type",
        {"é🚀": {"sessionId": "a", "updatedAt": "yesterday", "own": 1}},
        (("store-odd-entry", '"updatedAt"', "é🚀: OpenClaw cannot use updatedAt"),),
    ),
    Case(
        "no session id", {"k": {"updatedAt": NOW}}, (("store-odd-entry", '"k"', "cannot use sessionId"),)
    ),
    Case("no object", {"k": 5}, (("store-odd-entry", '"k"', "k is no object"),)),
    Case("an unknown field is no fault", {"k": {"sessionId": "a", "updatedAt": 1, "zzz": None}}),
    Case(
        "one session under two keys",
        {"agent:main:X": {"sessionId": "a", "updatedAt": 1}, "agent:main:x ": {"sessionId": "a"}},
        (("store-key-case", '"agent:main:X"', "these 2 keys"),),
    ),
    Case(
        "a path that leads out",
        {"k": {"sessionId": "a", "updatedAt": 1, "sessionFile": "../../up.jsonl"}},
        (("store-outside-path", '"../../up.jsonl"', "leads out"),),
    ),
    Case(
        "an absolute path that leads in",
        {"k": {"sessionId": "b", "updatedAt": 1, "sessionFile": "{folder}/a.jsonl"}},
    ),
    Case(
        "no transcript",
        {"k": {"sessionId": "gone", "updatedAt": 1}},
        (("store-missing-transcript", '"k"', "k has no transcript"),),
    ),
    Case("a topic is a transcript", {"k": {"sessionId": "t", "updatedAt": 1}}, files=("t-topic-3.jsonl",)),
    Case(
        "bulk",
        {"k": {"sessionId": "a", "updatedAt": 1, "skillsSnapshot": {"prompt": "x" * 2000}}},
        (("store-heavy-field", "", "skillsSnapshot take 2.0 kB"),),
    ),
    Case(
        "just under half is no bulk",
        {"k": {"sessionId": "a", "note": "y" * 2000, "skillsSnapshot": {"prompt": "x" * 1900}}},
    ),
    Case(
        "settings that are refused",
        GOOD,
        (
            ("openclaw-setting-invalid", "'pruneAfter'", "is no duration"),
            ("openclaw-setting-invalid", "mode", "a word that OpenClaw does not know"),
            ("openclaw-setting-invalid", "maintenance", "has a key that OpenClaw does not know"),
        ),
        config="{ // é🚀\n session: { maintenance: { mode: 'x', 'pruneAfter': '2w', what: 1 } } }",
    ),
    Case(
        "settings that are fine", GOOD, config="{session: {maintenance: {pruneAfter: '2d', rotateBytes: 5}}}"
    ),
    Case(
        "a setting that a newer version does not know",
        GOOD,
        (("openclaw-setting-invalid", "rotateBytes", "no longer knows"),),
        config="{meta: {lastTouchedVersion: '2026.9.6'}, session: {maintenance: {rotateBytes: '1mb'}}}",
    ),
    Case(
        "the version may be told by our own setting",
        GOOD,
        (("openclaw-setting-invalid", "rotateBytes", "no longer knows"),),
        config="{ session: { maintenance: { rotateBytes: '1mb' } } }",
        settings={"versions": {"openclaw": "2026.10.1"}},
    ),
    Case(
        "notes that are never written",
        GOOD,
        (("flush-never-runs", "reserveTokens", "keeps 40,000 tokens free, notes reckon with 24,000"),),
        config="{ agents: { defaults: { compaction: { reserveTokens: 40000 } } } }",
    ),
    Case(
        "notes are switched off",
        GOOD,
        config="{agents: {defaults: {compaction: {reserveTokens: 40000, memoryFlush: {enabled: false}}}}}",
    ),
    Case(
        "a reserve of floor and soft threshold together is fine",
        GOOD,
        config="{ agents: { defaults: { compaction: { reserveTokens: 24000 } } } }",
    ),
    Case(
        "a rule can be switched off",
        {"k": {"sessionId": "gone", "updatedAt": 1}},
        settings={"diagnostics": {"level": {"store-missing-transcript": "off"}}},
    ),
)  # fmt: skip


def found(
    case: Case, root: Path, transcripts: tuple[StoreTranscript, ...] = ()
) -> tuple[tuple[Finding, ...], dict[str, str]]:
    folder = root / "state" / "agents" / "main" / "sessions"
    folder.mkdir(parents=True)
    content = text(case.store).replace("{folder}", str(folder))
    (folder / "sessions.json").write_text(content, encoding="utf-8")
    for name in case.files:
        (folder / name).write_text("{}\n")
    if case.config:
        (root / "state" / "openclaw.json").write_text(case.config, encoding="utf-8")
    settings, warnings = parse(case.settings)
    assert warnings == ()
    setup = SessionsSetup(FS(), (), settings, str(root), NOW)
    look = look_at(FS(), store_at(setup, str(folder)), NOW)
    assert not isinstance(look, ReadProblem)
    scene = scene_of(look, settings, content, transcripts)
    return judged(scene, settings), {scene.path: content, scene.config_path: case.config}


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_rule_finds_what_it_says_and_nothing_else(case: Case, tmp_path: Path) -> None:
    findings, texts = found(case, tmp_path)
    told = [
        (each.code, texts[each.path][each.span.start : each.span.end], message(each)) for each in findings
    ]
    assert sorted((code, marked) for code, marked, _ in told) == sorted(
        (code, marked) for code, marked, _ in case.wanted
    )
    for code, marked, part in case.wanted:
        assert any(part in said for other, place, said in told if (other, place) == (code, marked)), told


def message(finding: Finding, locale: str = "en") -> str:
    return say(locale, finding.message, **dict(finding.arguments))


def test_json_that_stops_is_marked_where_it_stops(tmp_path: Path) -> None:
    case = Case("x", '{\n "é🚀": {"sessionId": "a" "b"}}')
    (finding,), texts = found(case, tmp_path)
    assert texts[finding.path][finding.span.start :].startswith('"b"')


def test_what_transcripts_show(tmp_path: Path) -> None:
    transcript = StoreTranscript(
        "/t.jsonl", "k", (NearSilent(7, "**NO_REPLY**"),), ("doubled-result", "summary-cut")
    )
    findings, _ = found(Case("x", GOOD), tmp_path, (transcript,))
    assert [(each.code, each.reason, each.line) for each in findings] == [
        ("history-sent-broken", "doubled-result", 0),
        ("history-sent-broken", "summary-cut", 0),
        ("silent-token-near-miss", None, 7),
    ]
    for locale in LOCALES:
        assert all(message(each, locale) for each in findings)


def test_each_rule_on_stores_is_met_here(tmp_path: Path) -> None:
    met = {code for case in CASES for code, _, _ in case.wanted} | {
        "silent-token-near-miss",
        "history-sent-broken",
    }
    assert met == {each.code for each in rules() if each.group == "store"}


@pytest.mark.parametrize("case", [case for case in CASES if case.wanted], ids=str)
def test_each_language_names_the_agent(case: Case, tmp_path: Path) -> None:
    findings, _ = found(case, tmp_path)
    for locale in LOCALES:
        for finding in findings:
            assert "OpenClaw" in message(finding, locale)
            assert len(message(finding, locale)) <= 200
