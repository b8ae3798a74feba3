"""OpenClaw's small functions, row by row: grammars, silent replies, errors, compaction settings."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

from agentbrief.compaction.openclaw import chunks, overflow, tool_results
from agentbrief.compaction.openclaw.run_retries import most_rounds
from agentbrief.compaction.openclaw.settings import pi_compaction, reserve
from agentbrief.compaction.openclaw.windows import Window, context_window, is_small, is_too_small
from agentbrief.compaction.pi.estimate import message_tokens
from agentbrief.sessions import silent_reply
from agentbrief.sessions.setting_amounts import TimeUnit, duration_ms, size_bytes, spelled
from agentbrief.text import utf16
from tests.golden.openclaw_cases import Row, assert_matches, openclaw_data, rows

DATA = openclaw_data()


def failing(wanted: Any) -> bool:
    return isinstance(wanted, dict) and set(wanted) == {"error"}


@pytest.mark.parametrize("row", rows("parseDurationMs"), ids=str)
def test_durations(row: Row) -> None:
    text, options = [*row.args, None][:2]
    unit: TimeUnit = (options or {}).get("defaultUnit", "ms")
    assert duration_ms(spelled(text) or "", unit) == (None if failing(row.wanted) else row.wanted)


@pytest.mark.parametrize("row", rows("parseByteSize"), ids=str)
def test_sizes(row: Row) -> None:
    assert size_bytes(spelled(row.args[0]) or "") == (None if failing(row.wanted) else row.wanted)


SILENT: dict[str, Callable[..., Any]] = {
    "isSilentReplyText": silent_reply.is_silent,
    "stripSilentToken": silent_reply.delivered,
    "isSilentReplyPrefixText": silent_reply.held_back,
}


@pytest.mark.parametrize("row", rows(*SILENT), ids=str)
def test_silent_replies(row: Row) -> None:
    text, *token = row.args
    assert SILENT[row.fn](text or "", *(given for given in token if given)) == row.wanted


OVERFLOW = {
    "isLikelyContextOverflowError": overflow.is_likely_overflow,
    "isContextOverflowError": overflow.is_overflow,
    "isCompactionFailureError": overflow.is_compaction_failure,
}


@pytest.mark.parametrize("row", rows(*OVERFLOW), ids=str)
def test_overflow_texts(row: Row) -> None:
    assert OVERFLOW[row.fn](row.args[0] or "") == row.wanted


@pytest.mark.parametrize("row", rows("resolveMaxRunRetryIterations"), ids=str)
def test_rounds_of_a_run(row: Row) -> None:
    assert most_rounds(row.args[0], DATA.run_retry) == row.wanted


@pytest.mark.parametrize("row", rows(number="070"), ids=str)
def test_the_reserve_and_its_floor(row: Row) -> None:
    given = row.args[0]
    pi = pi_compaction({"compaction": given["pi"]}, DATA.compaction)
    found = reserve(pi, {"agents": {"defaults": {"compaction": given.get("cfg")}}}, DATA.compaction)
    changed = {}
    if found.changes_reserve:
        changed["reserveTokens"] = found.reserve_tokens
    if found.changes_keep:
        changed["keepRecentTokens"] = found.keep_recent_tokens
    assert {
        "result": {
            "didOverride": bool(changed),
            "compaction": {
                "reserveTokens": found.reserve_tokens,
                "keepRecentTokens": found.keep_recent_tokens,
            },
        },
        "applied": [{"compaction": changed}] if changed else [],
    } == row.wanted


SOURCES = {
    "modelsConfig": "models-config",
    "model": "model",
    "default": "default",
    "agentContextTokens": "agent-context-tokens",
}


@pytest.mark.parametrize("row", rows("resolveContextWindowInfo", "evaluateContextWindowGuard"), ids=str)
def test_windows(row: Row) -> None:
    given = row.args[0]
    if row.fn == "resolveContextWindowInfo":
        found = context_window(
            given.get("cfg") or {},
            given["provider"],
            given["modelId"],
            given.get("modelContextWindow"),
            given["defaultTokens"],
        )
        assert (found.tokens, found.source) == (row.wanted["tokens"], SOURCES[row.wanted["source"]])
    else:
        window = Window(given["info"]["tokens"], "model")
        assert is_small(window, DATA.window) is row.wanted["shouldWarn"]
        assert is_too_small(window, DATA.window) is row.wanted["shouldBlock"]


@pytest.mark.parametrize("row", rows("calculateMaxToolResultChars", "truncateToolResultText"), ids=str)
def test_tool_results(row: Row) -> None:
    if row.fn == "calculateMaxToolResultChars":
        assert tool_results.limit_chars(row.args[0], DATA.tool_result) == row.wanted
        return
    text, limit = row.args[:2]
    found = tool_results.cut(text, limit, DATA.tool_result)
    if isinstance(row.wanted, str):
        assert found == row.wanted
    else:
        assert found.removesuffix(tool_results.NOTICE) == row.wanted["kept"]
        assert utf16.length(found) - utf16.length(row.wanted["kept"]) == row.wanted["suffixChars"]


def test_the_notice_of_a_cut_has_the_length_that_is_reckoned_with() -> None:
    assert utf16.length(tool_results.NOTICE) == DATA.tool_result.notice_chars


CHUNKS = (
    "computeAdaptiveChunkRatio",
    "splitMessagesByTokenShare",
    "chunkMessagesByMaxTokens",
    "pruneHistoryForContextShare",
    "isOversizedForSummary",
)


@pytest.mark.parametrize("row", rows(*CHUNKS), ids=str)
def test_chunks(row: Row) -> None:
    data = DATA.chunks
    if row.fn == "isOversizedForSummary":
        size = message_tokens(row.args[0], DATA.summary)
        assert chunks.too_large_to_summarise(size, row.args[1], data) is row.wanted
        return
    if row.fn == "pruneHistoryForContextShare":
        assert_matches(pruned(row.args[0]), row.wanted)
        return
    messages, number = [*row.args, data.parts][:2]
    sizes = [message_tokens(message, DATA.summary) for message in messages]
    if row.fn == "computeAdaptiveChunkRatio":
        assert chunks.adaptive_ratio(sizes, number, data) == pytest.approx(row.wanted, abs=1e-12)
        return
    if row.fn == "splitMessagesByTokenShare":
        found = chunks.split_by_share(sizes, math.floor(number))
    else:
        found = chunks.split_by_size(sizes, number, data)
    assert [[messages[index] for index in part] for part in found] == row.wanted


def pruned(given: dict[str, Any]) -> dict[str, Any]:
    """What goes from the front of a history so that the rest fits its share, in upstream's words."""
    messages = given["messages"]
    sizes = [message_tokens(message, DATA.summary) for message in messages]
    share = given.get("maxHistoryShare", DATA.compaction.max_history_share)
    budget = max(1, math.floor(given["maxContextTokens"] * share))
    first = chunks.over_budget(sizes, budget, DATA.chunks, parts=given.get("parts", DATA.chunks.parts))
    return {
        "messages": messages[first:],
        "droppedMessagesList": messages[:first],
        "droppedMessages": first,
        "droppedTokens": sum(sizes[:first]),
        "keptTokens": sum(sizes[first:]),
        "budgetTokens": budget,
    }
