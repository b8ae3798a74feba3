"""OpenClaw's small functions, row by row: messages that wait, notes before a compaction."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from zoneinfo import ZoneInfo

import pytest

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
from agentbrief.compaction.openclaw.queue_items import (
    Queue,
    QueuedMessage,
    collected_text,
    make_room,
    overflow_text,
)
from agentbrief.compaction.openclaw.queue_settings import (
    QueueChoice,
    drop_policy,
    queue_mode,
    queue_settings,
    while_active,
)
from agentbrief.sessions.store.entries import entry_of
from tests.golden.openclaw_cases import NOW, Row, assert_matches, openclaw_data, rows

DATA = openclaw_data()


WORDS: dict[str, Callable[..., Any]] = {
    "normalizeQueueMode": queue_mode,
    "normalizeQueueDropPolicy": drop_policy,
}


@pytest.mark.parametrize("row", rows(*WORDS), ids=str)
def test_queue_words(row: Row) -> None:
    assert WORDS[row.fn](*row.args) == row.wanted


@pytest.mark.parametrize("row", rows("resolveQueueSettings"), ids=str)
def test_queue_settings(row: Row) -> None:
    given = row.args[0]
    entry = given.get("sessionEntry")
    options = given.get("inlineOptions") or {}
    found = queue_settings(
        given.get("cfg") or {},
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


@pytest.mark.parametrize("row", rows("resolveActiveRunQueueAction"), ids=str)
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


@pytest.mark.parametrize("row", rows("extractQueueDirective"), ids=str)
def test_queue_directives(row: Row) -> None:
    found = queue_directive(row.args[0] or "")
    values = {theirs: getattr(found, ours) for ours, theirs in DIRECTIVE.items()}
    assert {name: value for name, value in values.items() if value is not None} == row.wanted


@pytest.mark.parametrize("row", rows(number="044"), ids=str)
def test_a_full_queue(row: Row) -> None:
    given = row.args[0]
    items = tuple(QueuedMessage(item["prompt"], item.get("summaryLine") or "") for item in given["items"])
    if "drop" not in given:
        assert collected_text(items, given.get("summary")) == row.wanted
        return
    offer = make_room(Queue(items), given["cap"], given["drop"], DATA.queue.line_chars)
    assert {
        "accepted": offer.accepted,
        "left": [item.prompt for item in offer.queue.items],
        "droppedCount": offer.queue.dropped,
        "summaryLines": list(offer.queue.summary_lines),
        "summaryPrompt": overflow_text(offer.queue),
    } == row.wanted


@pytest.mark.parametrize("row", rows("shouldRunMemoryFlush"), ids=str)
def test_when_notes_are_due(row: Row) -> None:
    given = row.args[0]
    settings = FlushSettings(given["softThresholdTokens"], 0, "", "", given["reserveTokensFloor"])
    entry = entry_of("k", given["entry"]) if given.get("entry") else None
    state = flush_state(entry, settings, given["contextWindowTokens"], token_count=given.get("tokenCount"))
    assert (state.due is not None) is row.wanted


@pytest.mark.parametrize("row", rows("resolveMemoryFlushSettings"), ids=str)
def test_settings_of_the_notes(row: Row) -> None:
    found = flush_settings(row.args[0] or {} if row.args else {}, DATA)
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


@pytest.mark.parametrize("row", rows("resolveMemoryFlushPromptForRun"), ids=str)
def test_the_date_and_the_time_in_the_request_for_notes(row: Row) -> None:
    given = row.args[0]
    found = prompt_for_run(given["prompt"], given.get("nowMs", NOW), given.get("cfg") or {}, ZoneInfo(row.tz))
    assert found == row.wanted
