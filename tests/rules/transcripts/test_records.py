"""Rules on what the records say together."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.transcripts.scenes import HOUR_MS, facts, found, places, scene
from tests.sessions.claude_code.written import (
    Record,
    assistant,
    boundary,
    call,
    injected,
    record,
    result,
    summary,
    user,
)
from tests.sessions.codex import written as codex

TALK = [user("u1", None, "one", 1), assistant("a1", "u1", "ok", second=2), user("u2", "a1", "two", 3)]
CUT = [*TALK, boundary("b", "u2", 4), summary("s", "b", second=5)]


def of(*lines: Record | str, code: str) -> list[tuple[int, str | None]]:
    return places(scene("claude-code", facts("claude-code", *lines)), code)


@pytest.mark.parametrize(
    ("lines", "wanted"),
    [
        (TALK, []),
        ([*TALK, user("u3", "ghost", "x"), user("u4", "ghost2", "y")], [(4, "dangling")]),
        ([*CUT, user("u3", "a1", "x")], [(6, "skips-boundary")]),
        ([*TALK, user("u3", "u3", "x")], [(4, "cycle")]),
    ],
    ids=["quiet", "dangling", "skips-boundary", "cycle"],
)
def test_broken_chains(lines: list[Record], wanted: list[tuple[int, str]]) -> None:
    assert of(*lines, code="transcript-broken-chain") == wanted


def test_other_missing_parents_are_named_with_the_first() -> None:
    lines = [*TALK, user("u3", "ghost", "x"), user("u4", "ghost2", "y")]
    (finding,) = found(scene("claude-code", facts("claude-code", *lines)), "transcript-broken-chain")
    assert [dict(other.arguments)["line"] for other in finding.related] == [5]
    assert dict(finding.data)["count"] == 2


def test_a_chain_of_openclaw() -> None:
    def entry(identifier: str, parent: str | None) -> Record:
        return {
            "type": "custom",
            "id": identifier,
            "parentId": parent,
            "timestamp": "2026-01-01T00:00:00.000Z",
        }

    header = {"type": "session", "version": 3, "id": "s", "timestamp": "2026-01-01T00:00:00.000Z"}
    given = facts("openclaw", header, entry("1", None), entry("2", "ghost"), entry("3", "3"), entry("1", "2"))
    assert places(scene("openclaw", given), "transcript-broken-chain") == [(3, "dangling"), (4, "cycle")]
    assert places(scene("openclaw", given), "transcript-duplicate-id") == [(5, "record")]
    assert (
        found(scene("openclaw", facts("openclaw", header, entry("1", None))), "transcript-broken-chain") == []
    )


def test_identifiers() -> None:
    assert of(*TALK, code="transcript-duplicate-id") == []
    assert of(*TALK, TALK[2], code="transcript-duplicate-id") == []
    assert of(*TALK, user("u2", "u1", "two"), code="transcript-duplicate-id") == [(4, "record")]


def test_forks() -> None:
    two = [
        *TALK[:2],
        user("u2", "a1", "x", 3),
        user("u3", "a1", "y", 4),
        assistant("a2", "u2", "z", second=5),
    ]
    one = [
        *TALK[:2],
        user("u2", "a1", "x", 3),
        assistant("a2", "u2", "z", second=4),
        user("u3", "a1", "y", 5),
    ]
    assert of(*two, code="transcript-forked-in-place") == [(4, None)]
    assert of(*one, code="transcript-forked-in-place") == []


def test_tools() -> None:
    asked = [*TALK[:1], assistant("a1", "u1", call("t1"))]
    assert of(*asked, user("u2", "a1", "x"), code="transcript-unpaired-tool") == [(2, "use-without-result")]
    assert of(*asked, result("r1", "a1", "t1"), code="transcript-unpaired-tool") == []
    given = facts("codex", codex.meta(), codex.output("c1"))
    assert places(scene("codex", given), "transcript-unpaired-tool") == [(2, "result-without-use")]
    paired = facts("codex", codex.meta(), codex.function_call("c1"), codex.output("c1"))
    assert places(scene("codex", paired), "transcript-unpaired-tool") == []


def test_split_and_rejected() -> None:
    search = {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}}
    command = record("system", "c1", "a1", subtype="local_command", content="/x")
    parts = [
        assistant("a1", "u1", search, message_id="m"),
        command,
        assistant("a2", "c1", "x", message_id="m"),
    ]
    assert of(TALK[0], *parts, code="transcript-split-message") == [(3, None)]
    assert (
        of(TALK[0], parts[0], assistant("a2", "a1", "x", message_id="m"), code="transcript-split-message")
        == []
    )
    odd = assistant("a1", "u1", {"type": "text", "text": "x", "flags": 1})
    assert of(TALK[0], odd, code="transcript-rejected-block") == [(2, "extra-keys")]
    assert of(*TALK, code="transcript-rejected-block") == []


RULES = "/w/app/.claude/rules/t.md"
NESTED = "/w/app/api/CLAUDE.md"


def test_lost_at_compaction() -> None:
    def lost(*lines: Record) -> list[str]:
        return [
            each.path
            for each in found(scene("claude-code", facts("claude-code", *lines)), "lost-at-compaction")
        ]

    before = [TALK[0], injected("n1", "u1", NESTED, "Knex."), injected("n2", "n1", RULES, "vitest")]
    cut = [boundary("b", "n2"), summary("s", "b")]
    assert lost(*before, *cut) == [NESTED, RULES]
    assert lost(*before) == []
    assert lost(*before, *cut, injected("n3", "s", NESTED, "Knex.")) == [RULES]
    assert lost(*before, *cut, injected("n3", "s", NESTED, "x"), injected("n4", "n3", RULES, "y")) == []


def test_of_several_sessions_the_newest_tells_what_is_lost() -> None:
    lines = [TALK[0], injected("n1", "u1", NESTED, "Knex."), boundary("b", "n1"), summary("s", "b")]
    old = facts("claude-code", *lines, path="/old.jsonl", age_ms=9 * HOUR_MS)
    new = facts("claude-code", *lines, path="/new.jsonl")
    (finding,) = found(scene("claude-code", old, new), "lost-at-compaction")
    assert dict(finding.data)["transcript"] == "/new.jsonl"


def test_repeated_injection() -> None:
    def copies(*lines: Record) -> list[tuple[str, object, object]]:
        given = found(scene("claude-code", facts("claude-code", *lines)), "instructions-injected-repeatedly")
        return [(each.path, dict(each.data)["copies"], dict(each.data)["tokens"]) for each in given]

    text = "x" * 4000
    three = [TALK[0], *[injected(f"n{n}", f"n{n - 1}" if n else "u1", NESTED, text) for n in range(3)]]
    assert copies(*three) == [(NESTED, 3, 2000)]
    assert copies(*three[:2]) == []
    assert copies(*three[:2], injected("n1", "n0", NESTED, "changed")) == []
    assert copies(*three, boundary("b", "n2"), summary("s", "b"), injected("n9", "s", NESTED, text)) == []


def early(
    before: int, model: str = "claude-opus-4-8[1m]", trigger: str = "auto", **more: Any
) -> list[object]:
    lines = [
        TALK[0],
        assistant("a1", "u1", "x", model=model),
        boundary("b", "a1", preTokens=before, trigger=trigger),
    ]
    given = found(scene("claude-code", facts("claude-code", *lines), **more), "compaction-early")
    return [(each.line, dict(each.data)["threshold"], dict(each.data)["cause"]) for each in given]


def test_early_compactions() -> None:
    assert early(468_102) == [(3, 967_000, "")]
    assert early(821_949) == [(3, 967_000, "")]
    assert early(821_950) == []
    assert early(468_102, trigger="manual") == []
    assert early(150_000, model="claude-opus-4-6") == []
    assert early(100_000, model="claude-opus-4-6") == [(3, 167_000, "")]


def test_a_smaller_window_may_explain_it() -> None:
    assert early(167_393, model="claude-opus-5") == []
    assert early(167_393, model="claude-opus-5", provider="") == [(3, 967_000, "")]
    assert early(240_000, model="claude-opus-5") == [(3, 967_000, "")]
    assert early(167_393) == [(3, 967_000, "")]


def test_settings_explain_it_or_are_to_blame() -> None:
    assert early(468_102, settings={"autoCompactWindow": "500k"}) == []
    assert early(68_000, env={"CLAUDE_CODE_AUTO_COMPACT_WINDOW": "500k"}) == [
        (3, 967_000, "CLAUDE_CODE_AUTO_COMPACT_WINDOW")
    ]
    assert early(300_000, env={"CLAUDE_AUTOCOMPACT_PCT_OVERRIDE": "30"}) == []
    assert early(68_000, env={"CLAUDE_AUTOCOMPACT_PCT_OVERRIDE": "0.8"}) == [
        (3, 967_000, "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE")
    ]


def unknown(used: int, model: str = "mimo-v2.5-pro", **more: Any) -> list[int]:
    lines = [TALK[0], assistant("a1", "u1", "x", model=model, usage=(used, 0, 0, 1))]
    given = found(scene("claude-code", facts("claude-code", *lines), **more), "unknown-model-window")
    return [int(dict(each.data)["window"]) for each in given]


def test_unknown_models() -> None:
    assert unknown(303_000) == [200_000]
    assert unknown(160_000) == []
    assert unknown(160_001) == [200_000]
    assert unknown(190_000, model="claude-opus-4-6") == []
    assert unknown(900_000, model="mimo-v2.5-pro[1m]") == [1_000_000]
    assert unknown(303_000, env={"CLAUDE_CODE_MAX_CONTEXT_TOKENS": "400000"}) == []
