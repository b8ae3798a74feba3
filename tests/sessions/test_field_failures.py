"""What broke in the field, one function each (reliability.md 5): the reading and repairing half."""

from __future__ import annotations

from agentbrief.sessions.jsonl.records import read_records
from agentbrief.sessions.jsonl.repair import plan_repair
from agentbrief.sessions.pi.append import append_message
from agentbrief.sessions.pi.context import context_of
from tests.sessions.pi.transcripts import NOW, entry, file, issues, opened, uuids


def line(identifier: str, parent: str | None) -> bytes:
    return file(entry(identifier, parent), header=None).rstrip(b"\n")


def test_field_spliced_and_nul_lines() -> None:
    """claude-code#81843: splices, missing newlines and NUL runs in 23 of 10,949 files."""
    data = file(
        line("a", None),
        line("b", "a")[:30] + line("c", "a"),
        line("d", "c") + line("e", "d"),
        bytes(512) + line("f", "e"),
        line("g", "f"),
    )
    damaged = opened(data)
    assert issues(damaged) == [(3, "spliced"), (4, "two-records"), (5, "nul-run"), (6, "orphan-parent")]
    assert [fault.recovered for fault in damaged.damage] == [("c",), ("d", "e"), ("f",), ()]
    mended = opened(plan_repair(data, read_records(data), with_recovered=True).content)
    assert [item.id for item in mended.tree.path] == ["a", "c", "d", "e", "f", "g"]
    assert mended.damage == ()


def test_field_one_torn_line_blocks_resume() -> None:
    """cozempic#147, copilot-cli#1864: one cut line, or 1,206 NUL bytes, and the session did not open."""
    for tail in (line("b", "a")[:40], bytes(1206)):
        data = file(line("a", None)) + tail
        transcript = opened(data)
        assert transcript.torn_tail
        assert [item.id for item in transcript.tree.path] == ["a"]
        found = append_message(transcript, {"role": "user", "content": "on"}, time_ms=NOW, new_uuid=uuids())
        again = opened(data + found.text)
        assert [item.id for item in again.tree.path] == ["a", "00000001"]


def test_field_u2028_splits_record() -> None:
    """copilot-cli#2012: JavaScript leaves U+2028 raw, and some languages split lines at it."""
    message = {"role": "user", "content": "one\u2028two\u2029three\u0085four"}
    data = file(entry("a", None, message=message))
    assert "\u2028".encode() in data
    (found,) = context_of(opened(data).tree, "a").messages
    assert found.value == message


def test_field_half_record_then_again() -> None:
    """openai/codex#24425: a full disk cut a record; afterwards it was written once more on the same line."""
    whole = line("b", "a")
    data = file(line("a", None), whole[:40] + whole)
    mended = plan_repair(data, read_records(data), with_recovered=True).content
    assert [item.id for item in opened(mended).tree.path] == ["a", "b"]


def test_field_lone_surrogate_poisons_session() -> None:
    """claude-code#45982: half an emoji in one record, and every later request was refused."""
    odd = line("b", "a").replace(b'"content": "b"', b'"content": "b \\ud83d"')
    data = file(line("a", None), odd, line("c", "b"))
    transcript = opened(data)
    assert issues(transcript) == [(3, "lone-surrogate")]
    assert [item.id for item in transcript.tree.path] == ["a", "b", "c"]
    mended = plan_repair(data, read_records(data), without_half_pairs=True).content
    assert mended == data.replace(b"\\ud83d", b"\\ufffd")
    assert opened(mended).damage == ()


def test_field_eleven_failing_turns() -> None:
    """gethouston/houston PR #327: what is wrong is named by its line, and a copy without it opens."""
    data = file(line("a", None), b'{"type":"message","id":"b"', line("c", "a"))
    (fault,) = opened(data).damage
    assert (fault.line, fault.code) == (3, "not-json")
    plan = plan_repair(data, read_records(data))
    assert [change.line for change in plan.changes] == [3]
    assert opened(plan.content).damage == ()
