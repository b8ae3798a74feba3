"""Rules on single lines: each finds, each stays quiet where nothing is wrong."""

from __future__ import annotations

from typing import Any

import pytest

from agentbrief.messages import LOCALES, say
from agentbrief.rules.registry import rule, rules
from agentbrief.rules.transcript_scene import percent_text, size_text
from tests.rules.transcripts.scenes import facts, found, places, scene
from tests.sessions.claude_code import written as claude
from tests.sessions.codex import written as codex

GOOD = [claude.user("u1", None, "one"), claude.assistant("a1", "u1", "ok")]
HEADER = {"type": "session", "version": 3, "id": "s", "timestamp": "2026-01-01T00:00:00.000Z", "cwd": "/w"}
ENTRY = {"type": "message", "id": "1", "parentId": None, "timestamp": "2026-01-01T00:00:00.000Z",
         "message": {"role": "user", "content": "x"}}  # fmt: skip
LINES = ("transcript-bad-line", "transcript-merged-line", "transcript-torn-tail", "transcript-lone-surrogate")


@pytest.mark.parametrize("agent", ["claude-code", "codex", "openclaw", "pi"])
@pytest.mark.parametrize("code", LINES)
def test_a_good_file_is_quiet(agent: str, code: str) -> None:
    lines: list[Any] = {"claude-code": GOOD, "codex": [codex.meta()]}.get(agent, [HEADER, ENTRY])
    assert found(scene(agent, facts(agent, *lines)), code) == []
    assert found(scene(agent, facts(agent, *lines, end="")), code) == []


@pytest.mark.parametrize(
    ("line", "code", "reason"),
    [
        ("{cut", "transcript-bad-line", "cut"),
        ("[1]", "transcript-bad-line", "cut"),
        ("\x00" * 40, "transcript-bad-line", "nul"),
        ("{" + '"x":{' * 1100 + "}" * 1100 + "}", "transcript-bad-line", "cut"),
        ('{"type":"a","timestamp":"t"}{"type":"b","timestamp":"t"}', "transcript-merged-line", "two-records"),
        ('{"type":"a","wor{"type":"b","timestamp":"t"}', "transcript-merged-line", "spliced"),
        ('{"type":"a","text":"half \\ud83d","timestamp":"t"}', "transcript-lone-surrogate", None),
    ],
)
@pytest.mark.parametrize("agent", ["claude-code", "codex", "openclaw", "pi"])
def test_one_bad_line(agent: str, line: str, code: str, reason: str | None) -> None:
    lines: list[Any] = {"claude-code": GOOD, "codex": [codex.meta()]}.get(agent, [HEADER, ENTRY])
    given = scene(agent, facts(agent, *lines, line, *([] if agent == "pi" else GOOD[:0])))
    at = len(lines) + 1
    assert places(given, code) == [(at, reason)]
    assert [place for other in LINES if other != code for place in places(given, other)] == []


def test_a_whole_pair_is_no_half() -> None:
    line = '{"type":"mode","text":"\\ud83d\\ude00 and \\\\ud83d"}'
    assert places(scene("claude-code", facts("claude-code", *GOOD, line)), "transcript-lone-surrogate") == []


def test_a_torn_tail_waits_until_the_file_is_quiet() -> None:
    def torn(age_ms: int, end: str = "") -> list[tuple[int, str | None]]:
        given = facts("claude-code", *GOOD, '{"type":"user","mess', end=end, age_ms=age_ms)
        return places(scene("claude-code", given), "transcript-torn-tail")

    assert torn(61_000) == [(3, None)]
    assert torn(59_000) == []
    assert torn(61_000, "\n") == []


def test_large_lines() -> None:
    def large(size: int) -> list[tuple[int, str | None]]:
        empty = len(claude.file_of(claude.user("u2", "a1", ""))) - 1
        line = claude.user("u2", "a1", "x" * (size - empty))
        return places(scene("claude-code", facts("claude-code", *GOOD, line)), "transcript-large-line")

    assert large(5_000_000) == [(3, None)]
    assert large(4_999_999) == []


def test_bloat() -> None:
    snapshot = {"type": "file-history-snapshot", "messageId": "u1", "snapshot": {"text": "x" * 600_000}}
    words = claude.user("u2", "a1", "x" * 1_000_000)

    def bloat(*lines: Any) -> list[str]:
        given = found(scene("claude-code", facts("claude-code", *GOOD, *lines)), "transcript-bloat")
        return [str(dict(finding.data)["type"]) for finding in given]

    assert bloat(*[snapshot] * 9) == ["file-history-snapshot"]
    assert bloat(*[snapshot] * 7) == []
    assert bloat(*[snapshot] * 9, *[words] * 2) == []


def test_bloat_of_codex_leaves_the_last_compaction_out() -> None:
    big = codex.compacted("x" * 2_600_000)
    assert len(found(scene("codex", facts("codex", codex.meta(), *[big] * 6)), "transcript-bloat")) == 1
    assert found(scene("codex", facts("codex", codex.meta(), *[big] * 2)), "transcript-bloat") == []


@pytest.mark.parametrize("agent", ["openclaw", "pi"])
def test_headers(agent: str) -> None:
    assert places(scene(agent, facts(agent, HEADER, ENTRY)), "transcript-no-header") == []
    assert places(scene(agent, facts(agent, ENTRY)), "transcript-no-header") == [(1, "no-header")]
    assert places(scene(agent, facts(agent)), "transcript-no-header") == [(0, "empty-file")]


def test_odd_records() -> None:
    lines: list[Any] = [
        HEADER,
        {**ENTRY, "id": None},
        {**ENTRY, "id": "2", "message": 7},
        {**ENTRY, "id": "3", "message": {"role": "user", "content": None}},
        {**ENTRY, "id": "4", "timestamp": "soon"},
        HEADER,
        {**ENTRY, "id": "5"},
    ]
    given = scene("openclaw", facts("openclaw", *lines))
    assert places(given, "transcript-odd-record") == [
        (2, "no-id"),
        (3, "no-message"),
        (4, "null-content"),
        (5, "bad-time"),
        (6, "second-header"),
    ]
    assert places(scene("claude-code", facts("claude-code", *GOOD)), "transcript-odd-record") == []


def test_every_message_says_whose_rule_it_is_in_three_languages() -> None:
    given = scene("claude-code", facts("claude-code", *GOOD, "{cut", '{"a":1}{"b":2}', "\x00", end=""))
    findings = [
        each for rule_ in rules() if rule_.group == "transcripts" for each in found(given, rule_.code)
    ]
    assert findings
    for finding in findings:
        for locale in LOCALES:
            text = say(locale, finding.message, **dict(finding.arguments))
            assert "Claude Code" in text
            assert len(text) <= 120


def test_a_damaged_transcript_can_be_repaired_as_a_copy() -> None:
    (finding,) = found(scene("claude-code", facts("claude-code", *GOOD, "{cut")), "transcript-bad-line")
    fix = rule("transcript-bad-line").fix
    assert fix is not None
    (offered,) = fix(finding, "")
    assert (offered.command, offered.edits) == ("agentbrief.session.repair", ())


def test_sizes_for_people() -> None:
    assert [size_text(size) for size in (0, 999, 1000, 6_000_000, 19_000_000_000)] == [
        "0 B",
        "999 B",
        "1.0 kB",
        "6.0 MB",
        "19.0 GB",
    ]
    assert [percent_text(*pair) for pair in ((92, 100), (1, 1000), (0, 0))] == ["92 %", "< 1 %", "< 1 %"]
