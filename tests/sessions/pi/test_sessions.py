"""pi and OpenClaw files as sessions: messages, usage, faults, and what is no transcript."""

from __future__ import annotations

import json

import pytest

from agentbrief.sessions import sniff
from agentbrief.sessions.formats import openclaw, pi
from agentbrief.sessions.model import Opaque, Text, Thinking, ToolResult, ToolUse, Usage
from agentbrief.sessions.times import iso_of, ms_of, stamp_of
from tests.sessions.pi.transcripts import HEADER, NOW, entry, file

USAGE = {"input": 90, "output": 10, "cacheRead": 5, "cacheWrite": 3, "totalTokens": 108}


def assistant(**fields: object) -> dict[str, object]:
    return {"role": "assistant", "provider": "p", "model": "m", "usage": USAGE, "content": []} | fields


def test_every_kind_of_message_is_shown() -> None:
    blocks = [
        {"type": "thinking", "thinking": "hm", "thinkingSignature": "sig"},
        {"type": "text", "text": "reading"},
        {"type": "toolCall", "id": "c1", "name": "read", "arguments": {"path": "ü"}},
        {"type": "functionCall", "id": "c2", "name": "run", "input": 5},
        {"type": "later", "x": 1},
        7,
    ]
    result = {
        "role": "toolResult",
        "toolUseId": "c1",
        "toolName": "read",
        "content": [
            {"type": "text", "text": "a"},
            {"type": "image", "data": ""},
            {"type": "text", "text": "b"},
        ],
        "isError": True,
    }
    data = file(
        entry("m1", None, message=assistant(content=blocks)),
        entry("m2", "m1", message=result),
        entry("m3", "m2", message={"role": "bashExecution", "command": "ls", "output": "", "exitCode": 2}),
        entry("m4", "m3", "custom_message", customType="note", content=None, display=False),
        entry("m5", "m4", "branch_summary", fromId="m1", summary="left"),
        entry("m6", "m5", "compaction", summary="S", firstKeptEntryId="m3", tokensBefore=9),
        entry("m7", "m6", "custom", customType="x", data={}),
        entry("m8", "m7", message=assistant(provider="openclaw", model="delivery-mirror")),
        entry("m9", "m8", message={"role": "system", "content": "be kind"}),
    )
    session = pi.read(data, "/srv/s.jsonl")
    assert [(message.id, message.role) for message in session.messages] == [
        ("m1", "assistant"),
        ("m2", "tool"),
        ("m3", "user"),
        ("m4", "user"),
        ("m5", "system"),
        ("m6", "system"),
        ("m8", "assistant"),
        ("m9", "system"),
    ]
    first, second, third = session.messages[:3]
    assert first.blocks == (
        Thinking("hm", "sig"),
        Text("reading"),
        ToolUse("c1", "read", {"path": "ü"}, '{"path":"ü"}'),
        ToolUse("c2", "run", 5, "5"),
        Opaque("later", {"type": "later", "x": 1}),
        Opaque("", 7),
    )
    assert second.blocks == (
        ToolResult("c1", "read", "a\nb", True),
        Opaque("image", {"type": "image", "data": ""}),
    )
    assert third.text == "Ran `ls`\n(no output)\n\nCommand exited with code 2"
    assert session.messages[5].text == "S"
    assert session.messages[5].extra["tokensBefore"] == 9
    assert session.usage == Usage(90, 10, 3, 5)
    assert session.ref.session_id == "s1"
    assert session.ref.writable
    assert (session.lines, session.parsed, session.torn_tail) == (10, 10, False)
    for message in session.messages:
        assert message.slice is not None
        raw = data[message.slice.offset : message.slice.offset + message.slice.length]
        assert json.loads(raw)["id"] == message.id


def test_a_file_without_a_header_still_shows_its_messages() -> None:
    session = openclaw.read(
        file(entry("a", None), b"{broken", header=None), "/x/s.jsonl", key="agent:main:main"
    )
    assert [message.id for message in session.messages] == ["a"]
    assert [(fault.line, fault.code) for fault in session.damage] == [(0, "no-header")]
    assert not session.ref.writable
    assert session.ref.key == "agent:main:main"
    assert [fault.code for fault in pi.read(b"", "/x").damage] == ["empty-file"]


def test_a_newer_version_is_not_written() -> None:
    assert not pi.read(file(header=HEADER | {"version": 4}), "/x").ref.writable


@pytest.mark.parametrize(
    ("head", "is_one"),
    [
        (file(), True),
        (b"\xef\xbb\xbf" + file(), True),
        (b"\n\n" + file(), True),
        (file()[:80], True),
        (b'{"type":"message","id":"a"}\n', False),
        (b'{"id":"a","x":{"type":"session"}}', False),
        (b"# Notes\n", False),
        (b"", False),
    ],
)
def test_sniffing(head: bytes, is_one: bool) -> None:
    assert sniff.pi.sniff(head) == is_one


def test_places() -> None:
    assert pi.folder_name("/srv/my app") == "--srv-my app--"
    assert pi.folder_name("C:\\work\\x") == "--C--work-x--"
    assert sniff.openclaw.claims("/home/u/.openclaw/agents/main/sessions/a.jsonl")
    assert not sniff.openclaw.claims("/home/u/.pi/agent/sessions/--x--/a.jsonl")


@pytest.mark.parametrize(
    ("text", "ms"),
    [
        ("2026-03-05T12:00:00.000Z", NOW),
        ("2026-03-05T12:00:00Z", NOW),
        ("2026-03-05T13:00:00.0004+01:00", NOW),
        ("2026-03-05 11:30:00.000-0030", NOW),
        ("2026-03-05", NOW - 43_200_000),
        (NOW, NOW),
        (NOW + 0.7, NOW),
        ("2026-13-05T12:00:00Z", None),
        ("2026-03-05T12:00:00Zx", None),
        ("", None),
        (None, None),
        (True, None),
        (1e300, None),
        ([], None),
    ],
)
def test_moments(text: object, ms: int | None) -> None:
    assert ms_of(text) == ms  # type: ignore[arg-type]


def test_moments_are_written_as_they_are_read() -> None:
    for ms in (0, 1, -1, NOW, NOW + 999, -62_135_596_800_000, 253_402_300_799_999):
        assert ms_of(iso_of(ms)) == ms
    assert iso_of(-1) == "1969-12-31T23:59:59.999Z"
    assert stamp_of(NOW) == "2026-03-05T12-00-00-000Z"
    with pytest.raises(ValueError, match="no date"):
        iso_of(10**18)
