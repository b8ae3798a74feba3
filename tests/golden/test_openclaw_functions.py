"""OpenClaw's small functions, row by row: grammars, keys, resets, queue, silent replies, limits."""

from __future__ import annotations

import math
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from agentbrief.compaction.openclaw import chunks, overflow, tool_results
from agentbrief.compaction.openclaw.flush import (
    HINT,
    PROMPT,
    SYSTEM_PROMPT,
    FlushSettings,
    flush_settings,
    flush_state,
    prompt_for_run,
)
from agentbrief.compaction.openclaw.queue_directive import queue_directive
from agentbrief.compaction.openclaw.queue_items import Queue, QueuedMessage, make_room, overflow_text
from agentbrief.compaction.openclaw.queue_settings import (
    QueueChoice,
    drop_policy,
    queue_mode,
    queue_settings,
    while_active,
)
from agentbrief.compaction.openclaw.run_retries import most_rounds
from agentbrief.compaction.openclaw.settings import pi_compaction, reserve
from agentbrief.compaction.openclaw.windows import Window, context_window, is_small, is_too_small
from agentbrief.profiles.load import profile
from agentbrief.resume.freshness import daily_reset_ms, freshness
from agentbrief.resume.group_keys import group_name, group_of
from agentbrief.resume.parent_fork import parent_fork_max_tokens
from agentbrief.resume.peer_keys import peer_session_key, store_key, thread_session_key
from agentbrief.resume.reset_policy import ResetPolicy, channel_reset, reset_policy, reset_type, thread_of
from agentbrief.sessions import silent_reply
from agentbrief.sessions.setting_amounts import TimeUnit, duration_ms, size_bytes
from agentbrief.sessions.store import entry_of
from agentbrief.text import utf16
from tests.golden.openclaw_cases import Row, assert_matches, rows

DATA = profile("openclaw").openclaw
assert DATA is not None


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


@pytest.mark.parametrize("row", rows("040"), ids=str)
def test_queue_words(row: Row) -> None:
    functions = {"normalizeQueueMode": queue_mode, "normalizeQueueDropPolicy": drop_policy}
    assert functions[row.fn](*row.args) == row.wanted


@pytest.mark.parametrize("row", rows("041"), ids=str)
def test_queue_settings(row: Row) -> None:
    given = row.args[0]
    entry = given.get("sessionEntry")
    options = given.get("inlineOptions") or {}
    found = queue_settings(
        given["cfg"],
        DATA.queue,
        channel=given.get("channel"),
        entry=entry_of("k", entry) if entry else None,
        inline=QueueChoice(
            queue_mode(given.get("inlineMode")),
            options.get("debounceMs"),
            options.get("cap"),
            drop_policy(options.get("dropPolicy")),
        ),
    )
    assert {
        "mode": found.mode,
        "debounceMs": found.debounce_ms,
        "cap": found.cap,
        "dropPolicy": found.drop,
    } == row.wanted


@pytest.mark.parametrize("row", rows("042"), ids=str)
def test_a_message_while_a_run_is_active(row: Row) -> None:
    given = row.args[0]
    found = while_active(given["isActive"], given["isHeartbeat"], given["shouldFollowup"], given["queueMode"])
    assert found == row.wanted


DIRECTIVE = {
    "cleaned": "cleaned",
    "present": "hasDirective",
    "reset": "queueReset",
    "mode": "queueMode",
    "raw_mode": "rawMode",
    "debounce_ms": "debounceMs",
    "cap": "cap",
    "drop": "dropPolicy",
    "raw_debounce": "rawDebounce",
    "raw_cap": "rawCap",
    "raw_drop": "rawDrop",
    "has_options": "hasOptions",
}


@pytest.mark.parametrize("row", rows("043"), ids=str)
def test_queue_directives(row: Row) -> None:
    found = queue_directive(*row.args)
    values = {theirs: getattr(found, ours) for ours, theirs in DIRECTIVE.items()}
    assert {name: value for name, value in values.items() if value is not None} == row.wanted


@pytest.mark.parametrize("row", rows("044"), ids=str)
def test_a_full_queue(row: Row) -> None:
    given = row.args[0]
    items = tuple(QueuedMessage(item["prompt"], item["summaryLine"]) for item in given["items"])
    offer = make_room(Queue(items), given["cap"], given["drop"], DATA.queue.line_chars)
    assert {
        "accepted": offer.accepted,
        "left": [item.prompt for item in offer.queue.items],
        "droppedCount": offer.queue.dropped,
        "summaryLines": list(offer.queue.summary_lines),
        "summaryPrompt": overflow_text(offer.queue),
    } == row.wanted


@pytest.mark.parametrize("row", rows("060"), ids=str)
def test_when_notes_are_due(row: Row) -> None:
    given = row.args[0]
    settings = FlushSettings(given["softThresholdTokens"], 0, "", "", given["reserveTokensFloor"])
    entry = entry_of("k", given["entry"]) if given["entry"] else None
    state = flush_state(entry, settings, given["contextWindowTokens"], token_count=given.get("tokenCount"))
    assert (state.due is not None) is row.wanted


@pytest.mark.parametrize("row", rows("061"), ids=str)
def test_settings_of_the_notes(row: Row) -> None:
    found = flush_settings(row.args[0], DATA)
    if row.wanted is None:
        assert found is None
        return
    assert found is not None
    prose = {"default prompt": PROMPT, "default system prompt": SYSTEM_PROMPT, "hint": HINT}
    assert_matches(
        {
            "enabled": True,
            "softThresholdTokens": found.soft_threshold_tokens,
            "forceFlushTranscriptBytes": found.force_flush_transcript_bytes,
            "prompt": found.prompt,
            "systemPrompt": found.system_prompt,
            "reserveTokensFloor": found.reserve_tokens_floor,
        },
        row.wanted,
        prose,
    )


@pytest.mark.parametrize("row", rows("062"), ids=str)
def test_the_date_and_the_time_in_the_request_for_notes(row: Row) -> None:
    given = row.args[0]
    assert prompt_for_run(given["prompt"], given["nowMs"], given["cfg"], ZoneInfo(row.tz)) == row.wanted


@pytest.mark.parametrize("row", rows("012"), ids=str)
def test_keys_of_peers_and_threads(row: Row) -> None:
    given = row.args[0]
    if row.fn == "buildAgentPeerSessionKey":
        found = peer_session_key(
            given["agentId"],
            given["channel"],
            given["peerId"],
            kind=given.get("peerKind", "direct"),
            scope=given.get("dmScope", "main"),
            account=given.get("accountId"),
            identity_links=given.get("identityLinks"),
        )
        assert found == row.wanted
    elif row.fn == "resolveThreadSessionKeys":
        found = thread_session_key(
            given["baseSessionKey"], given["threadId"], with_suffix=given.get("useSuffix", True)
        )
        assert {"sessionKey": found} == row.wanted
    else:
        assert store_key(given["requestKey"], given["agentId"], given["mainKey"]) == row.wanted


@pytest.mark.parametrize("row", rows("013"), ids=str)
def test_keys_and_names_of_groups(row: Row) -> None:
    given = row.args[0]
    if row.fn == "buildGroupDisplayName":
        found = group_name(
            given["key"],
            channel=given.get("provider"),
            subject=given.get("subject"),
            group_channel=given.get("groupChannel"),
            space=given.get("space"),
            identifier=given.get("id"),
        )
        assert found == row.wanted
        return
    group = group_of(given.get("From"), given.get("ChatType"), given.get("Provider"))
    shown = group and {"key": group.key, "channel": group.channel, "id": group.id, "chatType": group.kind}
    assert shown == row.wanted


def shown_policy(found: ResetPolicy) -> dict[str, Any]:
    shown: dict[str, Any] = {"mode": found.mode, "atHour": found.at_hour}
    return shown if found.idle_minutes is None else shown | {"idleMinutes": found.idle_minutes}


@pytest.mark.parametrize("row", rows("020"), ids=str)
def test_reset_policies(row: Row) -> None:
    given = row.args[0]
    found = reset_policy(
        given["sessionCfg"] or {},
        given["resetType"],
        DATA.resets,
        by_channel=given.get("resetOverride"),
    )
    assert shown_policy(found) == row.wanted


@pytest.mark.parametrize("row", rows("021", "022", "023", "026"), ids=str)
def test_freshness(row: Row) -> None:
    zone = ZoneInfo(row.tz)
    if row.fn == "resolveDailyResetAtMs":
        assert daily_reset_ms(*row.args, zone) == row.wanted
        return
    given = row.args[0]
    policy = ResetPolicy(
        given["policy"]["mode"], given["policy"]["atHour"], given["policy"].get("idleMinutes"), "reset"
    )
    found = freshness(given["updatedAt"], given["now"], policy, zone)
    shown = {
        "fresh": found.fresh,
        "dailyResetAt": found.daily_reset_ms,
        "idleExpiresAt": found.idle_expires_ms,
    }
    assert {name: value for name, value in shown.items() if value is not None} == row.wanted


@pytest.mark.parametrize("row", rows("024"), ids=str)
def test_reset_types(row: Row) -> None:
    if row.fn == "parseSessionThreadInfo":
        base, thread = thread_of(row.args[0])
        shown = {"baseSessionKey": base, "threadId": thread}
        assert {name: value for name, value in shown.items() if value is not None} == row.wanted
        return
    given = row.args[0]
    if row.fn == "resolveSessionResetType":
        found = reset_type(
            given["sessionKey"],
            is_group=given.get("isGroup", False),
            is_thread=given.get("isThread", False),
        )
        assert found == row.wanted
    else:
        assert channel_reset(given["sessionCfg"], given["channel"]) == row.wanted


@pytest.mark.parametrize("row", rows("025"), ids=str)
def test_the_largest_parent_that_is_copied(row: Row) -> None:
    assert parent_fork_max_tokens(row.args[0].get("session", {}), DATA.resets) == row.wanted
