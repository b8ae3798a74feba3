"""A history as each provider gets it: policies, the steps before a run, merging, the limit, pairing."""

from __future__ import annotations

from typing import Any

import pytest

from agentbrief.resume.policies import HistoryPolicy, policy_for
from agentbrief.resume.sanitize import sanitized, sent
from tests.golden.openclaw_cases import Case, cases

COMBOS: dict[str, dict[str, str]] = {
    "anthropic": {"modelApi": "anthropic-messages", "provider": "anthropic", "modelId": "claude-opus-4-6"},
    "openai-responses": {"modelApi": "openai-responses", "provider": "openai", "modelId": "gpt-5.2"},
    "openai-compatible": {"modelApi": "openai-completions", "provider": "lmstudio", "modelId": "qwen3"},
    "google": {"modelApi": "google-generative-ai", "provider": "google", "modelId": "gemini-3-pro"},
    "mistral": {"modelApi": "openai-completions", "provider": "mistral", "modelId": "mistral-large"},
    "copilot-claude": {
        "modelApi": "openai-completions",
        "provider": "github-copilot",
        "modelId": "claude-sonnet-4.5",
    },
    "other": {"modelApi": "ollama", "provider": "ollama", "modelId": "qwen3"},
}
"""The models of the cases; san/000 brings the same ones, and its own count first."""

CASES = cases("sanitize")
POLICIES = [case for case in CASES if "combos" in case.input]
HISTORIES = [case for case in CASES if "messages" in case.input]


def policy(combo: dict[str, str]) -> HistoryPolicy:
    return policy_for(combo.get("modelApi"), combo.get("provider"), combo.get("modelId"))


def as_upstream(found: HistoryPolicy) -> dict[str, Any]:
    told: dict[str, Any] = {
        "sanitizeMode": "full" if found.cleans_text else "images-only",
        "sanitizeToolCallIds": found.call_ids is not None,
        "repairToolUseResultPairing": True,
        "preserveSignatures": False,
        "sanitizeThinkingSignatures": False,
        "dropThinkingBlocks": found.drops_thinking,
        "applyGoogleTurnOrdering": found.user_first,
        "validateGeminiTurns": found.merges_assistants,
        "validateAnthropicTurns": found.merges_users,
        "allowSyntheticToolResults": found.synthetic_results,
    }
    if found.call_ids is not None:
        told["toolCallIdMode"] = found.call_ids
    if found.base64_signatures:
        told["sanitizeThoughtSignatures"] = {"allowBase64Only": True, "includeCamelCase": True}
    return told


@pytest.mark.parametrize("case", POLICIES, ids=str)
def test_what_each_provider_needs(case: Case) -> None:
    for name, combo in case.input["combos"].items():
        assert as_upstream(policy(combo)) == case.wanted[name], name


@pytest.mark.parametrize("case", HISTORIES, ids=str)
def test_what_is_sent(case: Case) -> None:
    combos = {
        **COMBOS,
        **{name: combo for every in POLICIES for name, combo in every.input["combos"].items()},
    }
    before = [dict(message) if message is not None else None for message in case.input["messages"]]
    for group in case.wanted:
        for name in group["providers"]:
            rules = policy(combos[name])
            history = sanitized(
                case.input["messages"],
                rules,
                now_ms=case.now,
                allowed_tools=case.input.get("allowedToolNames"),
            )
            assert history.values == group["sanitized"], name
            final = sent(history, rules, limit=case.input.get("limit"), now_ms=case.now)
            wanted = group["sanitized"] if group["final"] == "same as sanitized" else group["final"]
            assert final.values == wanted, name
            touched = {at for step in history.steps for at in (*step.changed, *step.dropped)}
            untouched = {held.origin: held.value for held in history.messages if held.origin is not None}
            for at, value in untouched.items():
                assert (value == before[at]) or at in touched
    assert case.input["messages"] == before
