"""OpenClaw's rules around a compaction, beyond the recorded rows."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentbrief.compaction.openclaw import chunks, tool_results
from agentbrief.compaction.openclaw.entry_after import after_compaction, after_flush
from agentbrief.compaction.openclaw.flush import (
    flush_never_runs,
    flush_settings,
    flush_state,
    live_total,
    threshold,
)
from agentbrief.compaction.openclaw.keep_lines import keep_last_lines
from agentbrief.compaction.openclaw.queue_directive import queue_directive
from agentbrief.compaction.openclaw.queue_items import (
    Queue,
    QueuedMessage,
    collected_text,
    make_room,
    overflow_text,
)
from agentbrief.compaction.openclaw.settings import choices, lowered_floor, pi_compaction, reserve
from agentbrief.compaction.openclaw.steer import steer
from agentbrief.compaction.openclaw.windows import Window, context_window
from agentbrief.sessions.silent_reply import delivered, held_back, is_silent, nearly_silent
from agentbrief.sessions.store.entries import entry_of
from agentbrief.text import utf16
from tests.golden.openclaw_cases import openclaw_data

DATA = openclaw_data()
SIZES = st.lists(st.integers(0, 500), max_size=20)


@pytest.mark.parametrize(
    ("model_tokens", "window"),
    [
        (128_000, Window(128_000, "model")),
        (128_000.9, Window(128_000, "model")),
        (-5, Window(200_000, "default")),
        (0.5, Window(200_000, "default")),
        (None, Window(200_000, "default")),
    ],
)
def test_a_window_that_is_none_does_not_count(model_tokens: float | None, window: Window) -> None:
    assert context_window({}, "p", "m", model_tokens, 200_000) == window


@given(SIZES, st.integers(1, 6), st.data())
def test_parts_hold_all_messages_once_and_never_part_a_call_from_its_result(
    sizes: list[int], parts: int, data: st.DataObject
) -> None:
    tied = data.draw(st.lists(st.booleans(), min_size=len(sizes), max_size=len(sizes)))
    for found in (
        chunks.split_by_share(sizes, parts, tied),
        chunks.split_by_size(sizes, 300, DATA.chunks, tied),
    ):
        assert [index for part in found for index in part] == list(range(len(sizes)))
        assert not any(tied[part[0]] for part in found[1:])
    assert len(chunks.split_by_share(sizes, parts, tied)) <= parts


@given(SIZES, st.integers(100, 5000))
def test_what_is_summarised_first_leaves_a_rest_that_fits(sizes: list[int], window: int) -> None:
    first = chunks.summarised_first(sizes, window, 0.5, DATA.chunks)
    assert 0 <= first <= len(sizes)
    if first and len(sizes) - first > 1:
        assert sum(sizes[first:]) <= window * 0.5


@given(st.text(alphabet="ab\n😀", max_size=400), st.integers(1, 3000))
def test_a_cut_result_is_a_start_of_it_and_the_notice(text: str, limit: int) -> None:
    long = text * 30
    found = tool_results.cut(long, limit, DATA.tool_result)
    if utf16.length(long) <= limit:
        assert found == long
    else:
        kept = found.removesuffix(tool_results.NOTICE)
        assert long.startswith(kept)
        assert utf16.length(kept) <= max(
            DATA.tool_result.least_kept_chars, limit - DATA.tool_result.notice_chars
        )


def test_a_floor_that_leaves_no_room_is_lowered() -> None:
    assert lowered_floor(20_000, 200_000, DATA.compaction) == 20_000
    assert lowered_floor(20_000, 16_000, DATA.compaction) == 8_000
    assert lowered_floor(20_000, 0, DATA.compaction) == 0
    pi = pi_compaction({}, DATA.compaction)
    assert reserve(pi, {}, DATA.compaction, 16_000).source == "pi"


@pytest.mark.parametrize(
    ("config", "mode"),
    [
        ({}, "default"),
        ({"agents": {"defaults": {}}}, "safeguard"),
        ({"agents": {"defaults": {"compaction": {"mode": "default"}}}}, "default"),
        ({"agents": {"defaults": {"compaction": {"mode": "default", "provider": "x"}}}}, "safeguard"),
    ],
)
def test_the_mode_of_a_compaction(config: dict[str, Any], mode: str) -> None:
    assert choices(config, DATA.compaction).mode == mode


def test_notes_are_due_once_a_cycle() -> None:
    settings = flush_settings({}, DATA)
    assert settings is not None
    assert threshold(settings, 200_000) == 176_000
    entry = entry_of("k", {"sessionId": "a", "totalTokens": 176_000, "compactionCount": 2})
    assert flush_state(entry, settings, 200_000).due == "tokens"
    done = entry_of("k", after_flush(entry, 5))
    assert (done.number("memoryFlushAt"), flush_state(done, settings, 200_000).done) == (5, True)
    assert flush_state(done, settings, 200_000).due is None
    again = entry_of("k", after_compaction(done, 180_000, 6))
    assert flush_state(again, settings, 200_000).due == "tokens"
    assert flush_state(again, settings, 200_000, skipped="heartbeat").due is None


def test_notes_are_due_by_the_size_of_the_transcript() -> None:
    settings = flush_settings({}, DATA)
    assert settings is not None
    entry = entry_of("k", {"sessionId": "a"})
    most = settings.force_flush_transcript_bytes
    assert flush_state(entry, settings, 200_000, transcript_bytes=most).due == "transcript-bytes"
    assert flush_state(entry, settings, 200_000, transcript_bytes=most - 1).due is None
    assert live_total(10, 20, 3, 4) == 27
    assert live_total(None, None, 3, 4) is None


def test_a_reserve_above_the_threshold_means_that_notes_never_come_first() -> None:
    settings = flush_settings({}, DATA)
    assert settings is not None
    assert not flush_never_runs(settings, 24_000)
    assert flush_never_runs(settings, 24_001)


@pytest.mark.parametrize(
    ("message", "cleaned", "mode", "cap"),
    [
        ("/queue:steer cap:5 and go", "and go", "steer", 5),
        ("do /QUEUE collect cap=2.9", "do", "collect", 2),
        ("/queues steer", "/queues steer", None, None),
        ("x/queue steer", "x/queue steer", None, None),
        ("/queue steer\n\nthen this", "then this", "steer", None),
    ],
)
def test_the_directive_in_a_message(message: str, cleaned: str, mode: str | None, cap: int | None) -> None:
    found = queue_directive(message)
    assert (found.cleaned, found.mode, found.cap) == (cleaned, mode, cap)


@given(
    st.lists(st.text(max_size=5), max_size=8), st.integers(1, 4), st.sampled_from(["old", "new", "summarize"])
)
def test_a_queue_never_grows_beyond_its_cap(prompts: list[str], cap: int, drop: Any) -> None:
    queue = Queue()
    for prompt in prompts:
        offer = make_room(queue, cap, drop, DATA.queue.line_chars)
        queue = offer.queue
        if offer.accepted:
            queue = Queue((*queue.items, QueuedMessage(prompt)), queue.dropped, queue.summary_lines)
        assert len(queue.items) <= cap
        assert len(queue.summary_lines) <= cap
    assert (overflow_text(queue) is not None) is (drop == "summarize" and len(prompts) > cap)


def test_waiting_messages_become_one_turn() -> None:
    text = collected_text([QueuedMessage("one"), QueuedMessage("two\n")])
    assert text == "[Queued messages while agent was busy]\n\n---\nQueued #1\none\n\n---\nQueued #2\ntwo"


@pytest.mark.parametrize(
    "text", ["**NO_REPLY**", "HiNO_REPLY", "NO_REPLYThe", "no_reply", '"NO_REPLY"', "```NO_REPLY```"]
)
def test_what_nearly_stays_unsaid_is_told(text: str) -> None:
    assert not is_silent(text)
    assert delivered(text) == text
    assert nearly_silent(text)


@pytest.mark.parametrize(
    "text", ["NO_REPLY", "NO_REPLY but hi", "hi NO_REPLY", "Answer NO_REPLY if you have nothing.", ""]
)
def test_what_is_no_near_miss(text: str) -> None:
    assert not nearly_silent(text)


@given(st.text(alphabet="NO_REPLYno x", max_size=12))
def test_a_reply_that_turns_out_silent_was_held_back_from_the_underscore_on(text: str) -> None:
    if is_silent(text):
        start = utf16.trim_start(text)
        assert all(held_back(start[:end]) for end in range(3, len(start) + 1))


def line(identifier: str, parent: str | None, **message: Any) -> str:
    return json.dumps({"type": "message", "id": identifier, "parentId": parent, "message": message})


HEADER = '{"type":"session","version":3,"id":"s","timestamp":"2026-03-05T10:00:00.000Z"}'


def test_a_kept_result_keeps_its_call_and_the_first_entry_becomes_a_root() -> None:
    call = line("b", "a", role="assistant", content=[{"type": "toolCall", "id": "t", "name": "read"}])
    lines = [HEADER, line("a", None, role="user", content="x"), call]
    lines += [
        line("c", "b", role="toolResult", toolCallId="t", content=[]),
        line("d", "c", role="user", content="y"),
    ]
    found = keep_last_lines("\n".join(lines).encode() + b"\n", 2)
    assert found.content is not None
    kept = found.content.decode().split("\n")
    assert found.kept == 3
    assert kept[0] == HEADER
    assert json.loads(kept[1]) == {**json.loads(call), "parentId": None}
    assert kept[2:] == [lines[3], lines[4], ""]


@pytest.mark.parametrize("max_lines", [2, 3, 9])
def test_a_short_transcript_stays_as_it_is(max_lines: int) -> None:
    data = f"{HEADER}\n{line('a', None, role='user')}\n{line('b', 'a', role='user')}\n".encode()
    assert keep_last_lines(data, max_lines).content is None


@pytest.mark.parametrize(
    ("mode", "running", "wanted"),
    [
        ("steer", "none", ("append",)),
        ("steer", "more-calls", ("add-to-instructions",)),
        ("steer", "last-call", ("append-afterwards",)),
        ("steer-backlog", "more-calls", ("add-to-instructions", "append-afterwards")),
        ("followup", "more-calls", ("append-afterwards",)),
        ("collect", "more-calls", ("append-afterwards-as-one",)),
        ("interrupt", "last-call", ("cancel-then-append",)),
    ],
)
def test_a_message_while_we_compact(mode: Any, running: Any, wanted: tuple[str, ...]) -> None:
    assert steer(mode, looks_live=False, running=running) == wanted
    assert steer(mode, looks_live=True, running=running) == ("hand-back",)
