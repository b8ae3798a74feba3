"""A session told message by message is the session that is read whole, whatever its format and its damage."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentbrief.sessions.model import Message
from agentbrief.sessions.readers import AGENT_OF, TRANSCRIPTS, index_shape, reader, sketcher
from agentbrief.sessions.reading import last_messages, told
from agentbrief.sessions.sniff import SNIFFERS, claude_code, codex, openclaw, pi
from tests.sessions.claude_code.written import assistant, boundary, call, file_of, result, summary, user
from tests.sessions.damaged_files import Damaged, damaged_files
from tests.tasks.homes import (
    claude_session,
    claw_session,
    codex_session,
    entry,
    lines,
    pi_session,
    port_session,
)

W = Path("/w/app")
PI_TWICE = lines(
    {"type": "session", "version": 3, "id": "s", "timestamp": "2026-09-20T10:00:00.000Z", "cwd": "/w/app"},
    entry("m1", None, {"role": "user", "content": "first"}),
    entry("m1", None, {"role": "user", "content": "the same id again"}),
    {"type": "compaction", "id": "c1", "parentId": "m1", "summary": "so far", "firstKeptEntryId": "m1"},
    entry(
        "m2",
        "c1",
        {"role": "toolResult", "toolCallId": "t", "toolName": "bash", "content": [], "isError": True},
    ),
)
CLAUDE_COMPACTED = file_of(
    user("u1", None, "one"),
    assistant("a1", "u1", "two", call("c", "Bash", command="ls"), usage=(1, 2, 3, 4), message_id="m"),
    assistant("a1b", "a1", "three", usage=(1, 2, 3, 4), message_id="m"),
    result("r1", "a1b", "c", "out"),
    boundary("b", "r1"),
    summary("s", "b"),
    user("u2", "s", "four"),
)
FILES = {
    "claude-code": (claude_code.FORMAT, claude_session(W)),
    "claude-code compacted": (claude_code.FORMAT, CLAUDE_COMPACTED),
    "codex": (codex.FORMAT, codex_session(W)),
    "pi": (pi.FORMAT, pi_session("s", W)),
    "pi twice": (pi.FORMAT, PI_TWICE),
    "openclaw": (openclaw.FORMAT, pi_session("s", W)),
    "claw-code": ("claw-code", claw_session(W)),
    "port-sessions": ("port-sessions", port_session()),
}


def shown(messages: tuple[Message, ...]) -> list[object]:
    return [(each.role, each.blocks, each.usage, each.time, each.line) for each in messages]


def pieces(data: bytes, size: int) -> list[bytes]:
    return [data[at : at + size] for at in range(0, len(data), size)]


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("size", [1, 7, 1 << 20])
def test_told_is_read(name: str, size: int) -> None:
    form, data = FILES[name]
    found = told(form, lambda: pieces(data, size), "/w/x.jsonl")
    whole = reader(form)(data, "/w/x.jsonl", None)
    assert shown(tuple(found.messages())) == shown(whole.messages)
    assert shown(tuple(found.messages())) == shown(whole.messages), "it can be told again"
    assert found.lines == whole.lines


@pytest.mark.parametrize("case", damaged_files(), ids=str)
def test_damaged_files_are_told_as_they_are_read(case: Damaged) -> None:
    data = case.data
    found = told(pi.FORMAT, lambda: (data,), "/w/x.jsonl")
    whole = reader(pi.FORMAT)(data, "/w/x.jsonl", None)
    assert shown(tuple(found.messages())) == shown(whole.messages)
    assert found.damaged_lines == whole.lines - whole.parsed
    assert found.lines == whole.lines


@settings(max_examples=60)
@given(cut=st.integers(0, len(CLAUDE_COMPACTED)))
def test_a_file_that_ends_anywhere(cut: int) -> None:
    data = CLAUDE_COMPACTED[:cut]
    found = told(claude_code.FORMAT, lambda: (data,), "/w/x.jsonl")
    whole = reader(claude_code.FORMAT)(data, "/w/x.jsonl", None)
    assert shown(tuple(found.messages())) == shown(whole.messages)


@pytest.mark.parametrize("name", ["claude-code", "codex", "pi"])
def test_the_end_of_a_file(name: str) -> None:
    form, data = FILES[name]
    last = last_messages(form, data[len(data) // 3 :], "/w/x.jsonl")
    assert last
    assert last[-1].text == reader(form)(data, "/w/x.jsonl", None).messages[-1].text


def test_every_format_has_a_reader() -> None:
    assert set(SNIFFERS) | {openclaw.FORMAT} == set(AGENT_OF)
    for form in AGENT_OF:
        assert reader(form)(b"", "/w/x.jsonl", None).ref.format == form
    for form in TRANSCRIPTS:
        assert index_shape(form)
        assert sketcher(form)
    for of in (reader, index_shape, sketcher):
        with pytest.raises(KeyError):
            of("unheard-of")
