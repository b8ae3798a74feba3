"""A file that claw-code refuses is shown as far as it can be read, with the rest listed by line."""

from __future__ import annotations

import json

import pytest

from agentbrief.disk.values import Stamp
from agentbrief.sessions.formats.claw_code import read, render
from agentbrief.sessions.model import Opaque, Session, Text, Usage
from agentbrief.sessions.sniff import claw_code, port_sessions
from tests.sessions.claw.strategies import KEPT_LINES, META
from tests.sessions.damaged_files import Damaged, damaged_files

STAMP = Stamp(1, 2, 3, 5_000_000)


def shown(text: str | bytes, name: str = "s.jsonl") -> Session:
    return read(text.encode("utf-8") if isinstance(text, str) else text, f"/w/.claw/sessions/{name}", STAMP)


def codes(session: Session) -> list[tuple[int, str]]:
    return [(damage.line, damage.code) for damage in session.damage]


def said(*words: str) -> str:
    return "".join(
        json.dumps(
            {"type": "message", "message": {"role": "user", "blocks": [{"type": "text", "text": word}]}}
        )
        + "\n"
        for word in words
    )


def test_a_sound_file_is_shown_and_writable() -> None:
    session = shown(f"{META}\n{said('one', 'two')}")
    assert [message.text for message in session.messages] == ["one", "two"]
    assert [message.line for message in session.messages] == [2, 3]
    assert (session.ref.session_id, session.ref.writable) == ("session-5-0", True)
    assert (session.lines, session.parsed, session.torn_tail) == (3, 3, False)
    assert session.header["updated_at_ms"] == 9
    assert session.header["created_at_ms"] == 5
    assert session.stamp == STAMP
    assert codes(session) == [(0, "not-readable-by-claw-code")]


def test_a_bad_line_costs_only_itself() -> None:
    session = shown(said("one") + '{"type":"custom"}\n{"type":"mess\n[1]\n' + said("two"))
    assert [message.text for message in session.messages] == ["one", "two"]
    assert codes(session) == [(2, "unknown-record"), (3, "not-json"), (4, "not-object")]
    assert not session.ref.writable
    assert (session.lines, session.parsed) == (5, 3)


@pytest.mark.parametrize("kind", ["null", "7", "[]", "{}", '["message"]', '"other"'])
def test_a_type_that_is_none_costs_only_its_line(kind: str) -> None:
    good = '{"type":"message","message":{"role":"user","blocks":[]}}'
    session = read("\n".join((good, f'{{"type":{kind}}}', good, "")).encode(), "/w/s.jsonl")
    assert len(session.messages) == 2
    assert [(damage.line, damage.code) for damage in session.damage] == [(2, "unknown-record")]


def test_bytes_that_are_no_text_cost_only_their_line() -> None:
    session = shown(said("one").encode() + b'{"type":"message","message":"\xff"}\n' + said("two").encode())
    assert [message.text for message in session.messages] == ["one", "two"]
    assert codes(session) == [(2, "not-utf8")]


def test_what_only_claw_code_takes_is_no_damage() -> None:
    session = shown(f'{KEPT_LINES[6]}\n{{"type":"custom"}}\n')
    assert len(session.messages) == 1
    assert codes(session) == [(2, "unknown-record")]


def test_a_torn_tail_is_read_only() -> None:
    session = shown(said("one") + '{"type":"mess')
    assert [message.text for message in session.messages] == ["one"]
    assert session.torn_tail
    assert not session.ref.writable
    assert (session.lines, session.parsed) == (2, 1)


def test_a_message_that_is_none_and_a_block_of_an_unknown_type() -> None:
    record = {"type": "message", "message": {"role": "user", "blocks": [{"type": "image", "x": 1}]}}
    session = shown(
        json.dumps(record) + "\n" + json.dumps({"type": "message", "message": {"role": "dev"}}) + "\n"
    )
    assert session.messages[0].blocks == (Opaque("image", {"type": "image", "x": 1}),)
    assert codes(session) == [(1, "bad-block"), (2, "bad-role")]


def test_a_json_file_keeps_its_good_messages() -> None:
    top = {"version": 2, "session_id": "x", "messages": [{"role": "user", "blocks": []}, {"role": "user"}]}
    session = shown(json.dumps(top), "s.json")
    assert len(session.messages) == 1
    assert codes(session) == [(0, "bad-message")]
    assert session.ref.session_id == "x"


def test_a_cut_json_file_is_one_fault() -> None:
    session = shown('{\n  "version": 1,\n  "messages": [\n    {"role": "us', "s.json")
    assert session.messages == ()
    assert codes(session) == [(1, "not-json")]


def test_usage_is_added_up() -> None:
    message = {
        "role": "assistant",
        "blocks": [],
        "usage": {
            "input_tokens": 1,
            "output_tokens": 2,
            "cache_creation_input_tokens": 3,
            "cache_read_input_tokens": 4,
        },
    }
    session = shown(json.dumps({"version": 1, "messages": [message, message]}), "s.json")
    assert session.usage == Usage(2, 4, 6, 8)


@pytest.mark.parametrize("damaged", damaged_files(), ids=str)
def test_no_damage_raises(damaged: Damaged) -> None:
    session = shown(damaged.data)
    assert session.parsed <= session.lines
    assert not session.ref.writable or {code for _, code in codes(session)} <= {"empty-file"}


SNIFFED = [
    ('{"version":1,"messages":[]}', "claw"),
    ('{"messages":[{"role":"user","blocks":[]}]}', "claw"),
    (META, "claw"),
    (KEPT_LINES[0], "claw"),
    ('\ufeff{"version":1,"messages":[]}', "claw"),
    ('{"type":"compaction","count":1,"removed_message_count":4,"summary":"s"}', "claw"),
    (
        '{\n  "session_id": "a",\n  "messages": ["review"],\n  "input_tokens": 3,\n  "output_tokens": 4\n}',
        "port",
    ),
    ('{"type":"session","version":3,"id":"x","cwd":"/w","timestamp":"2026-01-01T00:00:00Z"}', "none"),
    ('{"type":"message","id":"a","message":{"role":"user","content":"hi"}}', "none"),
    ('{"type":"compaction","id":"c","firstKeptEntryId":"x","summary":"s"}', "none"),
    ('{"parentUuid":null,"type":"user","message":{"role":"user","content":"hi"}}', "none"),
    ("[]", "none"),
    ("", "none"),
]


@pytest.mark.parametrize(("text", "format_"), SNIFFED, ids=range(len(SNIFFED)))
def test_the_content_says_whose_file_it_is(text: str, format_: str) -> None:
    head = text.encode("utf-8")
    assert (claw_code.sniff(head), port_sessions.sniff(head)) == (format_ == "claw", format_ == "port")


def test_a_rendered_message_is_one_line_that_is_read_back() -> None:
    message = shown(said("a\nb")).messages[0]
    line = render(message)
    assert b"\n" not in line
    assert shown(line + b"\n").messages[0].blocks == (Text("a\nb"),)
