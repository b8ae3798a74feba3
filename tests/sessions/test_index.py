"""The index of a transcript is the same from chunks of any size, and as the file grows, damage or not."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentbrief.jsonio import Partial
from agentbrief.sessions.formats.claude_index import CLAUDE_INDEX, ClaudeRow
from agentbrief.sessions.formats.codex_index import CODEX_INDEX
from agentbrief.sessions.formats.codex_transcript import look as look_at_rollout
from agentbrief.sessions.formats.pi_index import PI_INDEX
from agentbrief.sessions.jsonl import index as index_module
from agentbrief.sessions.jsonl.index import BAD, BLANK, UNTYPED, TranscriptIndex
from agentbrief.sessions.jsonl.lines import Record
from agentbrief.sessions.jsonl.records import MAX_LINE_BYTES, read_records
from agentbrief.sessions.model import Usage
from agentbrief.sessions.usage import distinct, summed
from tests.sessions.claude_code import written as claude
from tests.sessions.codex import written as codex

LINES = [
    claude.user("u1", None, "one"),
    claude.assistant("a1", "u1", "x", message_id="m", usage=(1, 2, 3, 4)),
    claude.assistant("a2", "a1", "y", message_id="m", usage=(1, 2, 3, 40)),
    claude.user("s1", None, "side", isSidechain=True),
    claude.assistant("s2", "s1", "z", usage=(5, 5, 5, 5), isSidechain=True),
    claude.boundary("b", "a2"),
    claude.summary("s", "b"),
]


def indexed(data: bytes, size: int = 1 << 20) -> TranscriptIndex[ClaudeRow]:
    found = TranscriptIndex(CLAUDE_INDEX)
    for at in range(0, len(data), size):
        found.feed(data[at : at + size])
    return found


def columns(found: TranscriptIndex[Any]) -> list[Any]:
    lines = range(1, len(found) + 1)
    return [
        found.size,
        [found.slice_of(line) for line in lines],
        [found.type_of(line) for line in lines],
        found.ids,
        found.parents,
        found.calls(),
        {word: found.marked(word) for word in sorted(found.marks)},
    ]


def test_columns() -> None:
    data = claude.file_of(*LINES)
    found = indexed(data)
    assert len(found) == 7
    assert [found.type_of(line) for line in (1, 2, 6)] == ["user", "assistant", "system"]
    assert found.ids == ["u1", "a1", "a2", "s1", "s2", "b", "s"]
    assert found.parents == [None, "u1", "a1", None, "s1", None, "b"]
    assert (found.marked("boundary"), found.marked("sidechain")) == ((6,), (4, 5))
    for line in range(1, 8):
        start, end = found.slice_of(line)
        assert json.loads(data[start:end])["uuid"] == found.ids[line - 1]
    assert sum(size for _, size in found.sizes().values()) == len(data)
    assert found.sizes()["user"][0] == 3
    assert [(call.line, call.key, call.is_sidechain) for call in found.calls()] == [
        (2, "m", False),
        (3, "m", False),
        (5, "msg_s2", True),
    ]
    assert summed(distinct(found.calls())) == Usage(6, 45, 7, 8)


DAMAGED = [
    "",
    "{cut",
    '{"type":"user","uuid":"x"}{"type":"user","uuid":"y"}',
    "\x00\x00\x00",
    '{"type":null,"uuid":7,"message":"words"}',
    '{"type":"assistant","uuid":"f","message":{"id":"f","usage":{"input_tokens":1.5,"output_tokens":2}}}',
    '{"type":"user","uuid":"h","message":{"role":"user","content":"half \\ud83d"}}',
    "[1]",
    '{"uuid":"n","number":NaN}',
    "  ",
    '{"type":"big","uuid":"g","message":{"usage":{"input_tokens":123456789012345678901234567890}}}',
    '{"type":"deep","uuid":"d","x":' + "[" * 900 + "]" * 900 + "}",
]
KINDS = [BLANK, BAD, BAD, BAD, UNTYPED, "assistant", "user", BAD, UNTYPED, BLANK, "big", "deep"]


def test_no_damaged_line_loses_another() -> None:
    texts = [line for each, other in zip(DAMAGED, LINES * 2, strict=False) for line in (each, other)]
    found = indexed(claude.file_of(*texts))
    assert [found.type_of(line) for line in range(1, len(found) + 1, 2)] == KINDS
    good = [text["uuid"] for text in texts if isinstance(text, dict)]
    assert [found.ids[at] for at in range(1, len(found), 2)] == good
    assert found.ids[8] is None
    assert [found.ids[at] for at in (12, 16, 22)] == ["h", "n", "d"]
    assert found.bad_lines() == (3, 5, 7, 15)
    usage = {call.line: call.usage for call in found.calls()}
    assert usage[11] == Usage(0, 2)
    assert usage[21].input == (1 << 63) - 1


def test_what_is_bad_here_is_no_record_for_the_reader_either() -> None:
    data = claude.file_of(*DAMAGED, *LINES)
    records = {line.line for line in read_records(data).lines if isinstance(line, Record)}
    found = indexed(data)
    shown = {line for line in range(1, len(found) + 1) if found.type_of(line) not in (BAD, BLANK)}
    assert shown == records


@pytest.mark.parametrize("size", [1, 2, 13, 100, 1000])
def test_chunks_of_any_size_give_the_same(size: int) -> None:
    texts = [*LINES, *DAMAGED, *LINES, "\r", *LINES]
    data = claude.file_of(*texts, end="").replace(b"uuid", b"uuid") + b"\r\n"
    assert columns(indexed(data, size)) == columns(indexed(data))


@given(order=st.permutations(range(len(DAMAGED) + len(LINES))), cut=st.integers(1, 400))
@settings(max_examples=40)
def test_any_order_of_lines_in_any_chunks(order: list[int], cut: int) -> None:
    texts = [(*DAMAGED, *LINES)[at] for at in order]
    data = claude.file_of(*texts)
    assert columns(indexed(data, cut)) == columns(indexed(data))
    assert len(indexed(data)) == len(texts)


def test_a_block_with_a_bad_line_is_read_line_by_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index_module, "_CAREFUL_BLOCKS", 2)
    monkeypatch.setattr(index_module, "_CAREFUL_BLOCK_BYTES", 2048)
    rng = random.Random(5)
    texts: list[Any] = [claude.user(f"u{n}", None, "x" * rng.randrange(600)) for n in range(400)]
    for at in range(20, 400, 37):
        texts[at] = "{broken"
    found = indexed(claude.file_of(*texts))
    assert found.bad_lines() == tuple(range(21, 401, 37))
    assert [each for each in found.ids if each] == [text["uuid"] for text in texts if isinstance(text, dict)]


@pytest.mark.parametrize("size", [100, 40_000, 200_000, 1_500_000])
def test_a_long_bad_line_among_good_ones(size: int) -> None:
    bad = '{"type":"user","uuid":"x","message":{"content":"' + "x" * size
    found = indexed(claude.file_of(*LINES, bad, *LINES, bad, *LINES))
    assert found.bad_lines() == (8, 16)
    assert len([each for each in found.ids if each]) == 3 * len(LINES)
    half = claude.user("h", None, "half \\ud83d" + "x" * size)
    text = json.dumps(half).replace("\\\\ud83d", "\\ud83d")
    assert indexed(claude.file_of(*LINES, text, *LINES)).ids[len(LINES)] == "h"


def test_a_line_that_is_still_written_waits() -> None:
    data = claude.file_of(*LINES)
    found = indexed(data[:-20])
    assert len(found) == 6
    found.feed(data[-20:])
    assert columns(found) == columns(indexed(data))
    half = indexed(data[:-20])
    assert half.drop_pending() == len(data) - 20 - half.size
    half.feed(data[half.size :])
    assert columns(half) == columns(indexed(data))


def test_a_line_too_long_to_hold_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index_module, "MAX_LINE_BYTES", 5000)
    long = json.dumps(claude.user("long", None, "x" * 9000))
    data = claude.file_of(LINES[0], long, LINES[1])
    found = indexed(data, 100)
    assert [found.type_of(line) for line in (1, 2, 3)] == ["user", "user", "assistant"]
    assert found.ids == ["u1", None, "a1"]
    assert found.slice_of(2)[1] - found.slice_of(2)[0] == len(long) + 1
    assert MAX_LINE_BYTES == 16 * 1024 * 1024


def test_others_may_run_between_the_lines() -> None:
    pauses = 0

    def pause() -> None:
        nonlocal pauses
        pauses += 1

    found = TranscriptIndex(CLAUDE_INDEX, pause)
    data = claude.file_of(*[claude.user(f"u{n}", None, "x" * 2000) for n in range(600)])
    found.feed(data)
    assert pauses >= len(data) // (1 << 18)
    assert columns(found) == columns(indexed(data))


def test_codex() -> None:
    lines = [
        codex.meta(),
        codex.message("user", "hi"),
        codex.tokens(1100, 1100, 1, cached=100, answer=100),
        codex.tokens(1100, 1100, 2, cached=100, answer=100),
        codex.compacted("s"),
    ]
    data = codex.file_of(*lines)
    found = TranscriptIndex(CODEX_INDEX)
    found.feed(data)
    kinds = [found.type_of(line) for line in range(1, 6)]
    assert kinds == ["session_meta", "response_item/message", *["event_msg/token_count"] * 2, "compacted"]
    assert found.marked("boundary") == (5,)
    assert [call.usage for call in found.calls()] == [Usage(900, 100, 0, 100)] * 2
    assert len(look_at_rollout(data, codex.PATH).events) == 2


def test_pi() -> None:
    usage = {"input": 1, "output": 2, "cacheRead": 3, "cacheWrite": 4, "totalTokens": 10}
    lines: list[Any] = [
        {"type": "session", "version": 3, "id": "s", "timestamp": "2026-01-01T00:00:00.000Z", "cwd": "/w"},
        {"type": "message", "id": "m1", "parentId": None, "message": {"role": "user", "content": []}},
        {"type": "message", "id": "m2", "parentId": "m1", "message": {"role": "assistant", "usage": usage}},
        {"type": "compaction", "id": "c", "parentId": "m2", "summary": "x"},
    ]
    found = TranscriptIndex(PI_INDEX)
    found.feed(claude.file_of(*lines))
    assert found.ids == [None, "m1", "m2", "c"]
    assert found.marked("boundary") == (4,)
    assert [call.usage for call in found.calls()] == [Usage(1, 2, 4, 3)]


def test_a_row_is_the_same_however_it_is_read() -> None:
    partial = Partial(ClaudeRow)
    for line in claude.file_of(*LINES).split(b"\n")[:-1]:
        quick, plain = partial.row(line), partial.of(json.loads(line))
        assert [quick.uuid, quick.parent, quick.is_sidechain, quick.subtype] == [
            plain.uuid,
            plain.parent,
            plain.is_sidechain,
            plain.subtype,
        ]
    with pytest.raises(ValueError, match="no object"):
        partial.row(b"[1]")
    assert partial.of({"uuid": 3, "isSidechain": "yes", "message": []}) == ClaudeRow()
