"""Saved and loaded again a session is the same; what is unknown stays; copied lines keep every byte."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings

from agentbrief.jsonio import JsonValue
from agentbrief.sessions.claw.messages import EXACT, Fault, message_of, message_value
from agentbrief.sessions.formats.claw_reading import load
from agentbrief.sessions.formats.claw_records import Compaction
from agentbrief.sessions.formats.claw_session import ClawSession, Loaded, NotLoaded, created_in_id
from agentbrief.sessions.formats.claw_writing import (
    Append,
    Rewrite,
    appended,
    claw_code_losses,
    compacted,
    json_form,
    pushed,
    redactions,
    snapshot,
    snapshot_of_claw_code,
)
from agentbrief.sessions.model import Message, Text, ToolUse
from tests.sessions.claw.strategies import KEPT_LINES, META, SESSIONS, session_files

NOW_MS = 77
HELLO = Message("user", (Text("hello"),))


def loaded(data: bytes | str, name: str = "s.jsonl") -> Loaded:
    found = load(data.encode("utf-8") if isinstance(data, str) else data, name, 5)
    assert isinstance(found, Loaded), found
    return found


def without_places(session: ClawSession) -> ClawSession:
    messages = tuple(replace(message, slice=None, line=0) for message in session.messages)
    return replace(session, messages=messages, prompt_slices=(), raw=())


@settings(max_examples=150)
@given(SESSIONS)
def test_both_forms_give_the_session_back(session: ClawSession) -> None:
    as_json = loaded(json_form(session), "s.json")
    assert without_places(as_json.session) == replace(session, form="json")
    as_lines = loaded(snapshot(session))
    assert without_places(as_lines.session) == replace(session, form="jsonl")
    assert json_form(as_json.session) == json_form(session)
    assert snapshot(as_lines.session) == snapshot(session)


@settings(max_examples=50)
@given(SESSIONS)
def test_what_claw_code_would_write_it_can_read(session: ClawSession) -> None:
    written = snapshot_of_claw_code(session, 1000).encode("utf-8")
    found = load(written, "s.jsonl", 5, "claw-code")
    assert isinstance(found, Loaded)
    assert snapshot_of_claw_code(found.session, 1000).encode("utf-8") == written or b"[redacted]" in written


def test_unknown_keys_stay_at_every_level() -> None:
    text = (
        '{"version":1,"zzz":{"k":[1,null]},"session_id":7,"model":null,"prompt_history":[{"timestamp_ms":1,"text":"t","p":1}],'
        '"compaction":{"count":1,"removed_message_count":2,"summary":"s","c":1},"fork":{"parent_session_id":"p","f":[],"branch_name":null},'
        '"messages":[{"role":"user","m":1,"usage":{"input_tokens":1,"output_tokens":2,"cache_creation_input_tokens":3,'
        '"cache_read_input_tokens":4,"u":1.50},"blocks":[{"type":"text","text":"hi","b":{"z":1,"a":2}},'
        '{"type":"thinking","thinking":"t","signature":null}]}]}'
    )
    found = loaded(text, "s.json")
    again = loaded(json_form(found.session), "s.json")
    assert json_form(again.session) == json_form(found.session)
    for kept in (
        '"zzz":{"k":[1,null]}',
        '"session_id":7',
        '"model":null',
        '"p":1',
        '"c":1',
        '"f":[]',
        '"m":1',
        '"u":1.50',
    ):
        assert kept in json_form(found.session)
    for kept in ('"b":{"a":2,"z":1}', '"signature":null', '"branch_name":null'):
        assert kept in json_form(found.session)


@settings(max_examples=150)
@given(session_files())
def test_appending_changes_no_byte_that_was_there(file: tuple[bytes, list[bytes]]) -> None:
    data, _ = file
    change = pushed(data, loaded(data), HELLO, NOW_MS)
    assert isinstance(change, Append)
    after = appended(data, change)
    assert after.startswith(data)
    assert after.removeprefix(data).lstrip(b"\n") == change.record + b"\n"
    assert len(loaded(after).session.messages) == len(loaded(data).session.messages) + 1


@settings(max_examples=200)
@given(session_files())
def test_a_compacted_file_copies_kept_lines_byte_for_byte(file: tuple[bytes, list[bytes]]) -> None:
    data, lines = file
    session = loaded(data).session
    messages = [line for line in lines if b'"role"' in line]
    prompts = [line for line in lines if b"prompt_history" in line]
    first_kept = len(session.messages) // 2
    record = Compaction(1, first_kept, "what was said")
    after = compacted(data, session, record, Message("system", (Text("summary"),)), first_kept, NOW_MS)
    head = after.split(b"\n", 3)
    assert b'"note":[1.50,1e400]' in head[0]
    assert b'"updated_at_ms":77' in head[0]
    copied = [one_line(line) for line in [*prompts]]
    assert after[len(head[0]) + len(head[1]) + 2 :].startswith(b"".join(copied))
    assert after.endswith(b"".join(one_line(line) for line in messages[first_kept:]))
    assert len(loaded(after).session.messages) == len(messages) - first_kept + 1
    assert loaded(after).session.compaction == record


def one_line(line: bytes) -> bytes:
    return line.split(b"\n")[0] + b"\n"


@pytest.mark.parametrize("line", KEPT_LINES)
@pytest.mark.parametrize("end", ["\n", "\r\n", ""])
def test_each_odd_line_is_read_and_kept(line: str, end: str) -> None:
    data = f"{META}\n{line}{end}".encode()
    after = appended(data, pushed(data, loaded(data), HELLO, NOW_MS))
    assert after.startswith(data)


def test_a_json_file_stays_one_and_gets_no_fields_it_did_not_have() -> None:
    data = b'{"messages":[],"version":1}'
    change = pushed(data, loaded(data, "s.json"), HELLO, NOW_MS)
    assert isinstance(change, Rewrite)
    assert (
        change.data == b'{"messages":[{"blocks":[{"text":"hello","type":"text"}],"role":"user"}],"version":1}'
    )


def test_a_json_file_that_tells_its_time_tells_the_new_one() -> None:
    data = b'{"messages":[],"updated_at_ms":3,"version":1}'
    change = pushed(data, loaded(data, "s.json"), HELLO, NOW_MS)
    assert isinstance(change, Rewrite)
    assert b'"updated_at_ms":77' in change.data
    assert b"created_at_ms" not in change.data


@pytest.mark.parametrize(
    ("name", "begin"), [("s.json", b'{"created_at_ms"'), ("s.jsonl", b'{"created_at_ms"')]
)
@pytest.mark.parametrize("data", [b"", b" \n\n"])
def test_an_empty_file_gets_the_whole_session_in_the_form_of_its_name(
    name: str, begin: bytes, data: bytes
) -> None:
    change = pushed(data, loaded(data, name), HELLO, NOW_MS)
    assert isinstance(change, Rewrite)
    assert change.data.startswith(begin)
    assert (b"session_meta" in change.data) == (name == "s.jsonl")


def test_nothing_is_written_behind_a_torn_tail() -> None:
    data = f'{META}\n{{"type":"mess'.encode()
    found = loaded(data)
    assert found.is_torn
    with pytest.raises(ValueError, match="torn-tail"):
        pushed(data, found, HELLO, NOW_MS)


def test_a_torn_tail_needs_a_line_before_it() -> None:
    assert load(b'{"type":"mess', "s.jsonl", 5) == NotLoaded("bad-line", 1)
    assert loaded(b'\n{"type":"mess').is_torn
    cut = f'{KEPT_LINES[0]}\n{{"type":"mess'.encode()
    assert loaded(cut).is_torn
    assert load(cut, "s.jsonl", 5, "claw-code") == NotLoaded("bad-line", 2)


@pytest.mark.parametrize("cut", range(1, 60))
def test_every_cut_of_the_last_line_is_a_torn_tail_or_whole(cut: int) -> None:
    line = '{"type":"message","message":{"role":"user","blocks":[{"type":"text","text":"漢"}]}}'
    whole = f"{META}\n{line}".encode()
    found = loaded(whole[:-cut])
    assert found.codes >= {"torn-tail", "not-readable-by-claw-code"}
    assert found.session.messages == ()


def test_an_object_as_tool_input_is_stored_as_its_text() -> None:
    block: dict[str, JsonValue] = {"type": "tool_use", "id": "1", "name": "n", "input": {"b": 1.50, "a": "é"}}
    message = message_of({"role": "assistant", "blocks": [block]})
    assert message.blocks == (ToolUse("1", "n", {"b": 1.5, "a": "é"}, '{"b":1.5,"a":"é"}'),)
    assert message_value(message)["blocks"] == [{**block, "input": '{"b":1.5,"a":"é"}'}]
    with pytest.raises(Fault, match="bad-block"):
        message_of({"role": "assistant", "blocks": [block]}, EXACT)


@pytest.mark.parametrize(
    ("session_id", "created"),
    [
        ("session-5-0", 5),
        ("session-+5-x-y", 5),
        ("session-5-", None),
        ("session-5", None),
        ("session--5-0", None),
        ("Session-5-0", None),
        ("session-18446744073709551615-0", 2**64 - 1),
        ("session-18446744073709551616-0", None),
        ("session-\uff15-0", None),
    ],
)
def test_the_time_in_an_identifier(session_id: str, created: int | None) -> None:
    assert created_in_id(session_id) == created


def test_what_a_write_masks_can_be_told_before() -> None:
    secret = Message("user", (Text('XAI_API_KEY="a b" sk-ant-c'),))
    assert redactions((secret, HELLO)) == 2
    assert [loss.kind for loss in claw_code_losses(secret, 1000)] == ["claw-code-will-leak"]
    assert [loss.kind for loss in claw_code_losses(Message("user", (Text("x" * 9),)), 8)] == [
        "claw-code-will-cut"
    ]
