"""Rollouts of both eras: turns of two logs, what the model is sent, what was spent."""

from __future__ import annotations

from collections.abc import Container
from typing import Any

import pytest

from agentbrief.sessions import sniff
from agentbrief.sessions.facts import TranscriptFacts, UnpairedTool
from agentbrief.sessions.formats import codex
from agentbrief.sessions.formats.codex_sketch import names_of
from agentbrief.sessions.formats.codex_transcript import CodexTranscript, look
from agentbrief.sessions.formats.codex_view import Item, model_view
from agentbrief.sessions.model import Text, Thinking, ToolResult, ToolUse, Usage
from agentbrief.sessions.sketch import Lines
from agentbrief.sessions.usage import summed
from tests.sessions.codex.written import (
    PATH,
    SESSION,
    Record,
    compacted,
    event,
    file_of,
    function_call,
    item,
    message,
    meta,
    output,
    tokens,
    turn,
)

ENVIRONMENT = message("user", "<environment_context>\n<cwd>/w/app</cwd>\n</environment_context>")
RULES = message("user", "# AGENTS.md instructions for /w/app\n\nuse tabs")


def rollout(*lines: Record | str) -> CodexTranscript:
    return look(file_of(*lines), PATH)


def turns(*lines: Record | str) -> list[tuple[str, str]]:
    return [(each.role, each.text) for each in codex.read(file_of(*lines), PATH).messages if each.text]


def facts(*lines: Record | str) -> TranscriptFacts:
    return codex.facts_of(rollout(*lines), 20)


BOTH = [
    meta(),
    turn(),
    ENVIRONMENT,
    RULES,
    message("user", "fix it"),
    event("user_message", message="fix it"),
    item("reasoning", summary=[{"type": "summary_text", "text": "hm"}], encrypted_content="sig"),
    function_call("c1"),
    output("c1"),
    message("assistant", "done"),
    event("agent_message", message="done"),
    tokens(1100, 1100, 9, answer=100),
]


def test_the_same_words_in_two_logs_are_one_turn() -> None:
    found = codex.read(file_of(*BOTH), PATH)
    assert turns(*BOTH) == [("user", "fix it"), ("assistant", "done")]
    blocks = [block for each in found.messages for block in each.blocks]
    assert blocks == [
        Text("fix it"),
        Thinking("hm", "sig"),
        ToolUse("c1", "shell", '{"command":["ls"]}', '{"command":["ls"]}'),
        ToolResult("c1", "shell", "a.py", False),
        Text("done"),
    ]
    assert [each.usage for each in found.messages if each.text == "done"] == [Usage(1000, 100, 0, 0)]
    assert found.usage.total == 1100
    assert (found.ref.session_id, found.header["cwd"], found.ref.writable) == (SESSION, "/w/app", False)
    assert found.messages[-1].extra["model"] == "gpt-5-codex"


def test_a_rollout_without_events_is_shown_by_its_items() -> None:
    assert turns(meta(), ENVIRONMENT, message("user", "hi"), message("assistant", "ok")) == [
        ("user", "hi"),
        ("assistant", "ok"),
    ]


def test_a_paginated_rollout_is_shown_by_its_completed_items() -> None:
    def completed(kind: str, part: str, text: str) -> Record:
        return event(
            "item_completed", item={"type": kind, "id": "i", "content": [{"type": part, "text": text}]}
        )

    lines = [
        meta(history_mode="paginated"),
        message("user", "fix it"),
        completed("UserMessage", "text", "fix it"),
        completed("CommandExecution", "text", "not a turn"),
        completed("AgentMessage", "Text", "done"),
        event("agent_message", message="done"),
    ]
    assert turns(*lines) == [("user", "fix it"), ("assistant", "done")]


def test_the_first_era_has_bare_lines() -> None:
    bare: list[Record] = [
        {"id": SESSION, "timestamp": "2025-07-01T10:00:00.000Z", "instructions": "be brief", "git": {}},
        {"record_type": "state"},
        ENVIRONMENT["payload"],
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "hi"}]},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "ok"}]},
    ]
    assert turns(*bare) == [("user", "hi"), ("assistant", "ok")]
    found = rollout(*bare)
    assert (found.cwd, found.session_id) == ("/w/app", SESSION)
    assert sniff.codex.sniff(file_of(*bare)[:4096])


VIEW = 1_000


def view(*lines: Record, keeps: int = VIEW) -> list[tuple[str, int]]:
    return [(each.kind, sum(size for _, size in each.sizes)) for each in sent(*lines, keeps=keeps)]


def sent(*lines: Record, keeps: int = VIEW) -> tuple[Item, ...]:
    return model_view(rollout(meta(), *lines).steps, keeps)


def test_the_model_sees_the_replacement_of_the_history() -> None:
    history = [message("user", "kept"), message("user", "summary!")]
    lines = [
        message("user", "old"),
        message("assistant", "old"),
        compacted("s", history),
        message("user", "new!!"),
    ]
    assert view(*lines) == [("message", 4), ("message", 8), ("message", 5)]


def test_without_a_replacement_the_newest_prompts_and_the_summary() -> None:
    lines = [
        message("user", "a" * 40),
        message("assistant", "gone"),
        RULES,
        message("user", "b" * 8),
        compacted("sum"),
        message("user", "next"),
    ]
    assert view(*lines) == [("message", 40), ("message", 8), ("message", 3), ("message", 4)]
    assert view(*lines, keeps=5) == [("message", 12), ("message", 8), ("message", 3), ("message", 4)]
    assert view(*lines, keeps=2) == [("message", 8), ("message", 3), ("message", 4)]


def test_turns_that_were_taken_back() -> None:
    lines = [
        message("user", "one"),
        message("assistant", "ok"),
        message("user", "second"),
        message("assistant", "ok"),
        event("thread_rolled_back", num_turns=1),
        message("user", "other words"),
    ]
    assert [size for _, size in view(*lines)] == [3, 2, 11]
    assert view(*lines[:4], event("thread_rolled_back", num_turns=9)) == []
    assert len(view(*lines[:4], event("thread_rolled_back", num_turns=0))) == 4


@pytest.mark.parametrize(
    ("lines", "wanted"),
    [
        ([function_call("c1"), output("c1")], []),
        ([message("user", "go"), function_call("c1")], []),
        ([function_call("c1"), message("user", "and?")], [UnpairedTool("use-without-result", "c1", 2)]),
        ([output("c9"), message("user", "and?")], [UnpairedTool("result-without-use", "c9", 2)]),
        ([function_call("c1"), compacted("s", [message("user", "x")]), message("user", "y")], []),
        ([item("web_search_call", action={}), message("user", "y")], []),
        (
            [item("custom_tool_call", name="apply_patch", input="x", call_id="c1"), message("user", "y")],
            [UnpairedTool("use-without-result", "c1", 2)],
        ),
    ],
)
def test_pairs(lines: list[Record], wanted: list[UnpairedTool]) -> None:
    assert list(facts(meta(), *lines).unpaired) == wanted


def spent(*lines: Record, parent: Container[int] | None = None) -> int:
    return summed(rollout(*lines).calls(parent)).total


def test_a_repeated_total_is_no_call() -> None:
    lines = [
        meta(),
        tokens(1100, 1100, 1),
        tokens(1100, 1100, 2),
        tokens(3300, 2200, 3, cached=900, answer=200),
    ]
    assert spent(*lines) == 3300
    assert summed(rollout(*lines).calls()) == Usage(1100 + 1100, 200, 0, 900)


def test_no_totals_and_resets() -> None:
    assert spent(meta(), tokens(None, 5, 1), tokens(None, 5, 2)) == 10
    assert spent(meta(), tokens(1000, 1000, 1), tokens(200, 200, 2), tokens(300, 100, 3)) == 1300
    assert spent(meta(), event("token_count", info=None), tokens(7, 7, 2)) == 7


def test_a_total_may_be_stated_by_its_parts_alone() -> None:
    def counted(total: int, last: int, second: int) -> Record:
        found = tokens(total, last, second, answer=1)
        usage = found["payload"]["info"]["total_token_usage"]
        usage |= {"input_tokens": total - 1, "output_tokens": 1}
        del usage["total_tokens"]
        return found

    assert spent(meta(), counted(10, 10, 1), counted(10, 10, 2), counted(25, 15, 3)) == 25


def test_a_fork_does_not_pay_for_its_parent() -> None:
    replayed = [tokens(1000, 1000, 1), tokens(2500, 1500, 1)]
    own = tokens(2600, 100, 30)
    fork = meta(forked_from_id="p")
    assert spent(fork, *replayed, own) == 100
    assert spent(fork, *replayed, own, parent={1000, 2500}) == 100
    assert spent(meta(), *replayed, own) == 2600
    spawned = meta(source={"subagent": {"thread_spawn": {"parent_thread_id": "p", "depth": 1}}})
    assert spent(spawned, *replayed, own) == 100
    assert rollout(spawned).origin.parent_id == "p"
    assert rollout(spawned).origin.is_subagent
    assert rollout(meta(source={"subagent": "review"})).origin.is_subagent
    assert not rollout(meta(source={"subagent": "review"})).origin.is_fork


def test_the_first_line_says_which_session_it_is() -> None:
    assert rollout(meta(forked_from_id="p"), meta(id="p", cwd="/other")).session_id == SESSION
    assert look(b"", PATH).session_id == SESSION


def test_context_used() -> None:
    found = facts(meta(), turn(), tokens(1100, 1100, 1), tokens(3300, 2200, 2), tokens(3300, 2200, 3)).context
    assert found is not None
    assert (found.tokens, found.reported, found.window, found.model, found.line) == (
        2200,
        True,
        272_000,
        "gpt-5-codex",
        4,
    )
    after = facts(meta(), tokens(1100, 1100, 1), compacted("s" * 40), message("user", "u" * 40)).context
    assert after is not None
    assert (after.tokens, after.reported, after.window) == (20, False, 272_000)


def test_all_compactions_but_the_last_are_never_sent() -> None:
    found = facts(meta(), compacted("x" * 100), compacted("y" * 100), compacted("z"))
    sizes = {each.type: each for each in found.types}
    assert sizes["compacted"].records == 3
    assert 0 < sizes["compacted"].unseen_bytes < sizes["compacted"].bytes
    assert sizes["session_meta"].unseen_bytes == 0
    assert [each.line for each in found.boundaries] == [2, 3, 4]


def test_names_of_sessions() -> None:
    lines: list[Any] = [
        {"id": "a", "thread_name": "one"},
        {"id": "b", "thread_name": "two"},
        {"id": "a", "thread_name": "newer"},
        {"id": "b", "thread_name": ""},
    ]
    assert names_of(Lines(file_of(*lines, "{cut"))) == {"a": "newer"}


@pytest.mark.parametrize(
    ("head", "wanted"),
    [
        (file_of(*BOTH)[:4096], True),
        (file_of(meta(base_instructions={"text": "x" * 20_000}))[:4096], True),
        (b'{"type":"user","sessionId":"s","message":{}}', False),
        (b'{"type":"session","id":"s","timestamp":"x"}', False),
        (b'{"type":"session_meta","session_id":"s"}', False),
        (b"", False),
    ],
)
def test_sniff(head: bytes, wanted: bool) -> None:
    assert sniff.codex.sniff(head) is wanted
