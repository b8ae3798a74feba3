"""What each step of sanitising reports, and where OpenClaw 2026.3.2 itself would send something else."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentbrief.jsonio import JsonValue
from agentbrief.resume.held import Held, StepReport
from agentbrief.resume.limits import history_limit, last_turns
from agentbrief.resume.pairing import MISSING_RESULT, calls_of, paired
from agentbrief.resume.policies import CallIds, policy_for
from agentbrief.resume.sanitize import SentHistory, sanitized, sent
from agentbrief.resume.signatures import is_base64, is_reasoning_item
from agentbrief.resume.tool_ids import with_plain_ids
from agentbrief.resume.write_guard import OpenCalls, open_calls

NOW = 1772712000000
ANTHROPIC = policy_for("anthropic-messages", "anthropic", "claude-opus-4-6")
OPENAI = policy_for("openai-responses", "openai", "gpt-5.2")
GOOGLE = policy_for("google-generative-ai", "google", "gemini-3-pro")


def user(text: Any = "q") -> dict[str, Any]:
    return {"role": "user", "content": text, "timestamp": 1}


def call(*ids: str, name: str = "read", **fields: Any) -> dict[str, Any]:
    blocks = [{"type": "toolCall", "id": identifier, "name": name, "arguments": {}} for identifier in ids]
    return {"role": "assistant", "content": blocks, "stopReason": "toolUse", "timestamp": 1} | fields


def result(identifier: str, text: str = "ok", **fields: Any) -> dict[str, Any]:
    content = [{"type": "text", "text": text}]
    return {"role": "toolResult", "toolCallId": identifier, "toolName": "read", "content": content} | fields


def steps(history: SentHistory) -> dict[str, StepReport]:
    return {step.step: step for step in history.steps}


def test_a_clean_history_is_reported_as_untouched() -> None:
    messages = [
        user(),
        call("t1"),
        result("t1"),
        {"role": "assistant", "content": [{"type": "text", "text": "a"}]},
    ]
    history = sanitized(messages, ANTHROPIC, now_ms=NOW)
    assert history.values == messages
    assert history.steps == ()
    assert sent(history, ANTHROPIC, limit=None, now_ms=NOW) == history


def test_every_change_names_the_messages_it_was_made_to() -> None:
    messages: list[Any] = [
        user(),
        None,
        call("t_1", "t2"),
        user("in between"),
        result("t2", details={"k": 1}),
        result("nobody"),
        {"role": "assistant", "content": [{"type": "text", "text": " "}]},
        user("last"),
    ]
    history = sanitized(messages, ANTHROPIC, now_ms=NOW)
    assert steps(history) == {
        "call-ids": StepReport("call-ids", changed=(2,)),
        "clean-text": StepReport("clean-text", dropped=(6,)),
        "pairing": StepReport("pairing", dropped=(5,), moved=(4, 3), made=1),
        "details": StepReport("details", changed=(4,)),
    }
    assert [held.origin for held in history.messages] == [0, 2, None, 4, 3, 7]
    final = sent(history, ANTHROPIC, limit=None, now_ms=NOW)
    assert steps(final)["merged-users"] == StepReport("merged-users", changed=(7,), dropped=(3,))
    assert final.only_upstream_keeps == ("text-lost",)


@pytest.mark.parametrize(
    ("messages", "words"),
    [
        ([user(), call("a"), result("a", "one"), result("a", "two")], ("doubled-result",)),
        ([user(), call("a", "b"), result("b"), result("a")], ("result-order",)),
        ([user(), call("a", "b"), result("b"), result("a"), result("a")], ("doubled-result", "result-order")),
        # Another change makes upstream send the repaired list.
        ([user(), call("a"), result("a", "one"), result("a", "two"), result("nobody")], ()),
        ([user(), call("a", "b"), result("b"), result("a"), call("c")], ()),
        ([user(), call("a"), result("a"), call("a"), result("a")], ("reused-call-id",)),
    ],
)
def test_what_upstream_sends_unrepaired(messages: list[dict[str, Any]], words: tuple[str, ...]) -> None:
    history = sanitized(messages, OPENAI, now_ms=NOW)
    assert history.only_upstream_keeps == words


def test_a_limit_that_cuts_a_summary_off_upstream() -> None:
    messages = [{"role": "compactionSummary", "summary": "S", "timestamp": 1}, user("1"), user("2")]
    history = sanitized(messages, OPENAI, now_ms=NOW)
    final = sent(history, OPENAI, limit=1, now_ms=NOW)
    assert [held.origin for held in final.messages] == [0, 2]
    assert final.only_upstream_keeps == ("summary-cut",)
    assert sent(history, OPENAI, limit=2, now_ms=NOW).only_upstream_keeps == ()


def test_a_limit_never_leaves_a_result_without_its_call() -> None:
    messages = [user("1"), call("a"), user("2"), result("a"), call("b")]
    final = sent(sanitized(messages, OPENAI, now_ms=NOW), OPENAI, limit=1, now_ms=NOW)
    assert [held.role for held in final.messages] == ["user", "assistant", "toolResult"]


@pytest.mark.parametrize(
    ("api", "provider", "model", "wanted"),
    [
        ("anthropic-messages", "minimax", "m2", (True, "strict", True, False, True)),
        ("bedrock-converse-stream", "bedrock", "claude", (True, "strict", True, False, True)),
        ("google-gemini-cli", "google", "gemini", (True, "strict", False, True, True)),
        ("openai-completions", "openrouter", "google/gemini-3", (True, "strict", False, False, False)),
        ("openai-completions", "openrouter", "mistralai/devstral", (True, "strict9", False, False, False)),
        ("openai-completions", "opencode-zen", "qwen", (False, "strict", False, False, False)),
        ("openai-completions", "openai", "gpt-4", (False, "strict", False, False, False)),
        ("openai-completions", None, "gpt-4", (False, "strict", False, False, False)),
        ("openai-completions", "kilocode", "gemini", (True, "strict", True, False, False)),
        ("ollama", " Mistral ", "x", (True, "strict9", False, False, False)),
        (None, None, None, (False, None, False, False, False)),
    ],
)
def test_policies(
    api: str | None, provider: str | None, model: str | None, wanted: tuple[object, ...]
) -> None:
    found = policy_for(api, provider, model)
    assert wanted == (
        found.cleans_text,
        found.call_ids,
        found.merges_users,
        found.merges_assistants,
        found.synthetic_results,
    )


def test_identifiers_that_clash() -> None:
    raw = ["a-1", "a1", "a" + "_1", "!", "?", "x" * 60 + "-1", "x" * 60 + "-2"]
    held = [Held(call(identifier), at) for at, identifier in enumerate(raw)]
    modes: tuple[tuple[CallIds, int], ...] = (("strict", 40), ("strict9", 9))
    for mode, length in modes:
        found = [calls_of(item.value)[0].id for item in with_plain_ids(held, mode)]
        assert len(set(found)) == len(raw)
        assert all(identifier.isalnum() and len(identifier) <= length for identifier in found)
    strict = [calls_of(item.value)[0].id for item in with_plain_ids(held, "strict")]
    digest = hashlib.sha256(("x" * 60 + "-2").encode()).hexdigest()[:8]
    assert strict[0] == "a1"
    assert strict[3] == "sanitizedtoolid"
    assert strict[6] == "x" * 32 + digest


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("QUJD", True),
        ("QUI=", True),
        ("QUI", True),
        (" QU JD ", True),
        ("-_-_", True),
        ("+-AA", False),
        ("QUJ", False),
        ("A", False),
        ("QU=JD", False),
        ("", False),
        ("not base64!!", False),
        ("é", False),
    ],
)
def test_base64(text: str, is_one: bool) -> None:
    assert is_base64(text) == is_one


def test_reasoning_items() -> None:
    assert is_reasoning_item('{"id":"rs_1","type":"reasoning"}')
    assert is_reasoning_item({"id": "rs_1", "type": "reasoning.encrypted"})
    for other in (
        '{"id":"rs_1","type":"reasonings"}',
        '{"id":"x","type":"reasoning"}',
        "sig",
        "[1]",
        None,
        "{",
    ):
        assert not is_reasoning_item(other)


def test_marks_of_other_sessions_are_put_in_once() -> None:
    person: JsonValue = {"kind": "external_user"}
    source: JsonValue = {"kind": "inter_session", "sourceTool": " send ", "sourceChannel": ""}
    messages: list[Mapping[str, JsonValue]] = [
        user([{"type": "image", "data": ""}, {"type": "text", "text": "x"}]) | {"provenance": source},
        user([{"type": "image", "data": ""}]) | {"provenance": source},
        user("[Inter-session message] sourceTool=send\nx") | {"provenance": source},
        user("x") | {"provenance": person},
    ]
    found: list[Any] = sanitized(messages, OPENAI, now_ms=NOW).values
    assert found[0]["content"][1] == {"type": "text", "text": "[Inter-session message] sourceTool=send\nx"}
    assert found[1]["content"][0] == {"type": "text", "text": "[Inter-session message] sourceTool=send"}
    assert found[2:] == messages[2:]


def test_limits_of_odd_settings() -> None:
    config: Any
    for config in (None, 5, {}, {"channels": []}, {"channels": {"slack": {"historyLimit": "7"}}}):
        assert history_limit("agent:main:slack:channel:c", config) is None
    config = {
        "channels": {"slack": {"historyLimit": 7.9, "dmHistoryLimit": 2, "dms": {"u:1": {"historyLimit": 1}}}}
    }
    assert history_limit("slack:channel:c", config) == 7
    assert history_limit("agent:main:slack:dm:u:1:topic:4", config) == 1
    assert history_limit("agent:main:slack:dm:u:1:thread:x", config) == 2


def test_waiting_calls_are_found_in_a_session() -> None:
    messages = [user(), call("a", "b"), result("b"), user("later")]
    assert [waiting.id for waiting in open_calls(messages, True).calls] == ["a"]
    assert open_calls([*messages, result("a")], True).calls == ()
    assert open_calls([*messages, call("c", stopReason="aborted")], True).calls == ()


def test_what_is_written_at_the_end() -> None:
    guard = open_calls([user(), call("a", "a", name=" ")], True)
    written, after = guard.closed(NOW)
    assert [message["toolName"] for message in written] == ["unknown"]
    assert written[0]["content"] == [{"type": "text", "text": MISSING_RESULT}]
    assert after.calls == ()
    assert OpenCalls(guard.calls, synthetic_results=False).closed(NOW)[0] == []


def test_a_reply_of_bad_calls_alone_is_not_written() -> None:
    bad: dict[str, Any] = {"role": "assistant", "content": [{"type": "toolCall", "id": "z", "name": "read"}]}
    guard = open_calls([call("a")], True)
    written, after = guard.appended(bad, NOW)
    assert [message["role"] for message in written] == ["toolResult"]
    assert after.calls == ()
    assert OpenCalls(guard.calls, synthetic_results=False).appended(bad, NOW)[0] == []


ids = st.sampled_from(["a", "b", "a_1", "a-1"])
history = st.lists(
    st.one_of(
        st.just(user()),
        st.lists(ids, max_size=3).map(lambda found: call(*found)),
        st.lists(ids, min_size=1, max_size=2).map(lambda found: call(*found, stopReason="error")),
        ids.map(result),
        st.sampled_from([None, {}, {"role": 5}, {"role": "user"}, {"role": "assistant", "content": None}]),
    ),
    max_size=8,
)


@settings(max_examples=150)
@given(history, st.sampled_from([ANTHROPIC, OPENAI, GOOGLE]), st.sampled_from([None, 1, 2]))
def test_every_call_has_its_result_and_twice_is_once(
    messages: list[Any], policy: Any, limit: int | None
) -> None:
    final = sent(sanitized(messages, policy, now_ms=NOW), policy, limit=limit, now_ms=NOW)
    values = final.values
    for at, message in enumerate(values):
        calls = calls_of(message) if message.get("role") == "assistant" else ()
        behind = values[at + 1 : at + 1 + len(calls)]
        assert [answer.get("toolCallId") for answer in behind] == [made.id for made in calls]
    answered = sum(len(calls_of(message)) for message in values if message.get("role") == "assistant")
    assert answered == sum(message.get("role") == "toolResult" for message in values)
    again = paired(final.messages, NOW)
    assert [held.value for held in again.messages] == values
    assert last_turns(final.messages, limit) == list(final.messages)
