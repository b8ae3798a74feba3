"""OpenClaw's small functions, row by row: grammars, silent replies, errors, compaction settings."""

from __future__ import annotations

import math
from typing import Any

import pytest

from agentbrief.compaction.openclaw import chunks, overflow, tool_results
from agentbrief.compaction.openclaw.run_retries import most_rounds
from agentbrief.compaction.openclaw.settings import pi_compaction, reserve
from agentbrief.compaction.openclaw.windows import Window, context_window, is_small, is_too_small
from agentbrief.sessions import silent_reply
from agentbrief.sessions.setting_amounts import TimeUnit, duration_ms, size_bytes
from agentbrief.text import utf16
from tests.golden.openclaw_cases import Row, openclaw_data, rows

DATA = openclaw_data()


def failing(wanted: Any) -> bool:
    return isinstance(wanted, dict) and set(wanted) == {"error"}


@pytest.mark.parametrize("row", rows("001", "002"), ids=str)
def test_durations(row: Row) -> None:
    unit: TimeUnit = row.args[1]["defaultUnit"] if len(row.args) > 1 else "ms"
    assert duration_ms(row.args[0], unit) == (None if failing(row.wanted) else row.wanted)


@pytest.mark.parametrize("row", rows("003"), ids=str)
def test_sizes(row: Row) -> None:
    assert size_bytes(row.args[0]) == (None if failing(row.wanted) else row.wanted)


@pytest.mark.parametrize("row", rows("030", "031"), ids=str)
def test_silent_replies(row: Row) -> None:
    functions = {
        "isSilentReplyText": silent_reply.is_silent,
        "stripSilentToken": silent_reply.delivered,
        "isSilentReplyPrefixText": silent_reply.held_back,
    }
    assert functions[row.fn](*row.args) == row.wanted


@pytest.mark.parametrize("row", rows("050"), ids=str)
def test_overflow_texts(row: Row) -> None:
    functions = {
        "isLikelyContextOverflowError": overflow.is_likely_overflow,
        "isContextOverflowError": overflow.is_overflow,
        "isCompactionFailureError": overflow.is_compaction_failure,
    }
    assert functions[row.fn](row.args[0] or "") == row.wanted


@pytest.mark.parametrize("row", rows("051"), ids=str)
def test_rounds_of_a_run(row: Row) -> None:
    assert most_rounds(row.args[0], DATA.run_retry) == row.wanted


@pytest.mark.parametrize("row", rows("070"), ids=str)
def test_the_reserve_and_its_floor(row: Row) -> None:
    given = row.args[0]
    pi = pi_compaction({"compaction": given["pi"]}, DATA.compaction)
    found = reserve(pi, {"agents": {"defaults": {"compaction": given["cfg"]}}}, DATA.compaction)
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


@pytest.mark.parametrize("row", rows("071"), ids=str)
def test_windows(row: Row) -> None:
    given = row.args[0]
    if row.fn == "resolveContextWindowInfo":
        found = context_window(
            given["cfg"],
            given["provider"],
            given["modelId"],
            given["modelContextWindow"],
            given["defaultTokens"],
        )
        assert (found.tokens, found.source) == (row.wanted["tokens"], SOURCES[row.wanted["source"]])
    else:
        window = Window(given["info"]["tokens"], "model")
        assert is_small(window, DATA.window) is row.wanted["shouldWarn"]
        assert is_too_small(window, DATA.window) is row.wanted["shouldBlock"]


@pytest.mark.parametrize("row", rows("072"), ids=str)
def test_tool_results(row: Row) -> None:
    if row.fn == "calculateMaxToolResultChars":
        assert tool_results.limit_chars(row.args[0], DATA.tool_result) == row.wanted
        return
    text, limit = row.args
    found = tool_results.cut(text, limit, DATA.tool_result)
    if isinstance(row.wanted, str):
        assert found == row.wanted
    else:
        assert found.removesuffix(tool_results.NOTICE) == row.wanted["kept"]
        assert utf16.length(found) - utf16.length(row.wanted["kept"]) == row.wanted["suffixChars"]


def test_the_notice_of_a_cut_has_the_length_that_is_reckoned_with() -> None:
    assert utf16.length(tool_results.NOTICE) == DATA.tool_result.notice_chars


@pytest.mark.parametrize("row", rows("073"), ids=str)
def test_chunks(row: Row) -> None:
    messages, number = row.args
    sizes = [math.ceil(utf16.length(message["content"]) / 4) for message in messages]
    if row.fn == "computeAdaptiveChunkRatio":
        assert chunks.adaptive_ratio(sizes, number, DATA.chunks) == pytest.approx(row.wanted, abs=1e-12)
        return
    if row.fn == "splitMessagesByTokenShare":
        found = chunks.split_by_share(sizes, number)
    else:
        found = chunks.split_by_size(sizes, number, DATA.chunks)
    assert [[messages[index] for index in part] for part in found] == row.wanted
