"""Compaction of a foreign transcript: the copy is the original and more, and its agent reads it as meant."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from agentbrief.changes.steps import ReplaceFile
from agentbrief.compaction.claw.engine import CompactionConfig
from agentbrief.compaction.claw.grammar import PREAMBLE
from agentbrief.compaction.claw.job import FileJob
from agentbrief.compaction.copies.claude_copy import ClaudeFile, claude_file
from agentbrief.compaction.copies.codex_copy import CodexFile, codex_file
from agentbrief.compaction.copies.names import copy_name
from agentbrief.compaction.plan import CompactionPlan, NotPlanned, Written
from agentbrief.sessions.formats import claude_code, codex
from agentbrief.sessions.formats.claude_sent import sent_of, unpaired
from agentbrief.sessions.formats.codex_transcript import look as look_at_rollout
from agentbrief.sessions.formats.codex_view import model_view
from tests.compaction.conversations import conversation as conversation_of

SMALL = CompactionConfig(2, 0)
NOW_MS = 1_796_000_000_000


def lines(*values: dict[str, Any]) -> bytes:
    return b"".join(json.dumps(value, ensure_ascii=False).encode() + b"\n" for value in values)


def record(number: int, kind: str, content: Any, parent: int | None, **more: Any) -> dict[str, Any]:
    message = {"role": kind, "content": content, **more.pop("message", {})}
    return {
        "type": kind,
        "uuid": f"u{number}",
        "parentUuid": None if parent is None else f"u{parent}",
        "sessionId": "11111111-1111-4111-8111-111111111111",
        "cwd": "/w/app",
        "version": "2.1.281",
        "gitBranch": "main",
        "isSidechain": False,
        "userType": "external",
        "timestamp": f"2026-09-01T10:00:{number:02}.000Z",
        "big": 10**40,
        "message": message,
        **more,
    }


def conversation() -> bytes:
    call = [{"type": "tool_use", "id": "c1", "name": "Bash", "input": {"command": "ls"}}]
    result = [{"type": "tool_result", "tool_use_id": "c1", "content": "src/a.ts"}]
    return lines(
        record(1, "user", "fix src/a.ts", None),
        record(2, "assistant", [{"type": "text", "text": "Looking."}], 1, message={"id": "m1"}),
        record(3, "assistant", call, 2, message={"id": "m1"}),
        record(4, "user", result, 3),
        record(5, "assistant", [{"type": "text", "text": "Found it."}], 4, message={"id": "m2"}),
        record(6, "user", "go on", 5),
        record(7, "assistant", [{"type": "text", "text": "Done."}], 6, message={"id": "m3"}),
    )


def claude_plan(data: bytes, config: CompactionConfig = SMALL, ids: str = "x") -> CompactionPlan:
    file = claude_file(data, "/h/s.jsonl", None, (f"{ids}1", f"{ids}2"))
    assert isinstance(file, ClaudeFile)
    return copied(FileJob(file, config, NOW_MS, output="/w/s.compacted.jsonl"))


def copied(job: FileJob) -> CompactionPlan:
    cut = job.cuts()[0]
    assert cut.changes, cut
    plan = job.plan(cut, Written("What was done.", "editor"))
    assert isinstance(plan, CompactionPlan), plan
    return plan


def new_bytes(plan: CompactionPlan) -> bytes:
    (step,) = plan.steps
    assert isinstance(step, ReplaceFile) and step.stamp is None and step.path == plan.target
    return step.data


def test_a_foreign_transcript_is_never_rewritten_in_place() -> None:
    file = claude_file(conversation(), "/h/s.jsonl", None, ("x", "y"))
    assert isinstance(file, ClaudeFile)
    job = FileJob(file, SMALL, NOW_MS)
    plan = job.plan(job.cuts()[0], Written("words", "editor"))
    assert isinstance(plan, NotPlanned) and plan.trouble == "in-place-refused"


def test_the_copy_is_the_original_with_a_boundary_and_a_summary_before_what_is_kept() -> None:
    data = conversation()
    written = new_bytes(claude_plan(data)).split(b"\n")
    assert b"\n".join(written[:5] + written[7:]) == data
    new = b"\n".join(written)
    boundary, summary = json.loads(written[5]), json.loads(written[6])
    assert boundary["subtype"] == "compact_boundary" and boundary["parentUuid"] is None
    assert boundary["logicalParentUuid"] == "u5" and boundary["sessionId"] == summary["sessionId"]
    assert summary["isCompactSummary"] and summary["parentUuid"] == boundary["uuid"]
    assert summary["message"]["content"].startswith(PREAMBLE)
    assert boundary["compactMetadata"]["preservedMessages"]["uuids"] == ["u6", "u7"]
    chain = claude_code.look(new, "s.jsonl").chain
    assert [entry.id for entry in chain.model_path()] == ["x1", "x2", "u6", "u7"]
    assert [entry.id for entry in chain.path()] == ["u1", "u2", "u3", "u4", "u5", "x1", "x2", "u6", "u7"]


@pytest.mark.parametrize(("preserve", "first"), [(3, "u5"), (4, "u2"), (5, "u2"), (6, "u2")])
def test_a_pair_and_the_parts_of_a_reply_stay_together(preserve: int, first: str) -> None:
    plan = claude_plan(conversation(), CompactionConfig(preserve, 0))
    added = [line for line in new_bytes(plan).split(b"\n") if b"compactMetadata" in line]
    boundary = json.loads(added[0])
    assert boundary["compactMetadata"]["preservedSegment"]["headUuid"] == first
    chain = claude_code.look(new_bytes(plan), "s.jsonl").chain
    assert not list(unpaired(sent_of(chain)))


def test_a_second_compaction_takes_the_first_one_in() -> None:
    once = new_bytes(claude_plan(conversation()))
    more = once + lines(record(11, "user", "more", 7), record(12, "assistant", "sure", 11))
    file = claude_file(more, "/h/s.jsonl", None, ("y1", "y2"))
    assert isinstance(file, ClaudeFile)
    job = FileJob(file, SMALL, NOW_MS, output="/w/s.compacted.jsonl")
    assert job.previous_summary == "Summary:\nWhat was done."
    assert [message.id for message in job.removed(job.cuts()[0])] == ["u6", "u7"]
    chain = claude_code.look(new_bytes(copied(job)), "s.jsonl").chain
    assert [entry.id for entry in chain.model_path()] == ["y1", "y2", "u11", "u12"]
    assert [entry.id for entry in chain.path()][:5] == ["u1", "u2", "u3", "u4", "u5"]


def test_what_an_earlier_compaction_kept_may_be_kept_again() -> None:
    more = new_bytes(claude_plan(conversation()))
    file = claude_file(more, "/h/s.jsonl", None, ("y1", "y2"))
    assert isinstance(file, ClaudeFile)
    plan = copied(FileJob(file, CompactionConfig(1, 0), NOW_MS, output="/w/s.compacted.jsonl"))
    chain = claude_code.look(new_bytes(plan), "s.jsonl").chain
    assert [entry.id for entry in chain.model_path()] == ["y1", "y2", "u7"]


def noted(number: int, parent: int) -> dict[str, Any]:
    """A note of an older version, on the chain and never sent."""
    more = {"type": "progress", "data": {"type": "bash_progress"}, "toolUseID": "c1"}
    return {
        key: value for key, value in record(number, "user", "", parent, **more).items() if key != "message"
    }


@pytest.mark.parametrize("preserve", [0, 1, 2, 3])
def test_notes_of_progress_on_the_chain_are_passed_over(preserve: int) -> None:
    data = lines(
        record(1, "user", "fix src/a.ts", None),
        noted(2, 1),
        record(3, "assistant", [{"type": "text", "text": "Found it."}], 2, message={"id": "m1"}),
        noted(4, 3),
        record(5, "user", "go on", 4),
        noted(6, 5),
        record(7, "assistant", [{"type": "text", "text": "Done."}], 6, message={"id": "m2"}),
        noted(8, 7),
    )
    chain = claude_code.look(new_bytes(claude_plan(data, CompactionConfig(preserve, 0))), "s.jsonl").chain
    sent = [entry.id for entry in chain.model_path() if entry.type != "progress"]
    assert sent == ["x1", "x2", *["u1", "u3", "u5", "u7"][4 - preserve :]]


def test_nothing_is_glued_to_a_torn_tail() -> None:
    data = conversation() + b'{"type":"user","uuid":"u8'
    assert new_bytes(claude_plan(data)).endswith(b'\n{"type":"user","uuid":"u8')
    new = new_bytes(claude_plan(data, CompactionConfig(0, 0)))
    assert new.startswith(data + b"\n")
    assert [entry.id for entry in claude_code.look(new, "s.jsonl").chain.model_path()] == ["x1", "x2"]


def rollout() -> bytes:
    def item(payload: dict[str, Any]) -> dict[str, Any]:
        return {"timestamp": "2026-09-01T10:00:00.000Z", "type": "response_item", "payload": payload}

    def said(role: str, text: str) -> dict[str, Any]:
        kind = "output_text" if role == "assistant" else "input_text"
        return item({"type": "message", "role": role, "content": [{"type": kind, "text": text}], "n": 10**40})

    meta = {"id": "s", "cwd": "/w", "cli_version": "0.50.0", "originator": "cli", "timestamp": "t"}
    return lines(
        {"timestamp": "2026-09-01T10:00:00.000Z", "type": "session_meta", "payload": meta},
        said("user", "<environment_context>\n<cwd>/w</cwd>\n</environment_context>"),
        said("user", "fix src/a.ts"),
        {
            "timestamp": "t",
            "type": "event_msg",
            "payload": {"type": "user_message", "message": "fix src/a.ts"},
        },
        item({"type": "reasoning", "summary": [], "encrypted_content": "zzz"}),
        item({"type": "function_call", "name": "shell", "arguments": '{"cmd":"ls"}', "call_id": "c1"}),
        item({"type": "function_call_output", "call_id": "c1", "output": "src/a.ts"}),
        said("assistant", "Found it."),
        said("user", "go on"),
        said("assistant", "Done."),
    )


def codex_plan(data: bytes, config: CompactionConfig = SMALL) -> CompactionPlan:
    file = codex_file(data, "/h/r.jsonl", None, 0)
    assert isinstance(file, CodexFile)
    return copied(FileJob(file, config, NOW_MS, output="/w/r.compacted.jsonl"))


def test_the_copy_of_a_rollout_ends_with_a_compaction_that_holds_what_is_kept() -> None:
    data = rollout()
    new = new_bytes(codex_plan(data))
    assert new.startswith(data)
    last = json.loads(new.split(b"\n")[-2])
    assert last["type"] == "compacted"
    texts = [
        part["text"] for each in last["payload"]["replacement_history"] for part in each.get("content", [])
    ]
    assert texts[0].startswith("<environment_context>") and texts[1].startswith(PREAMBLE)
    assert texts[2:] == ["go on", "Done."]
    assert last["payload"]["replacement_history"][2]["n"] == 10**40
    assert codex.read(new, "r.jsonl").damage == ()


@pytest.mark.parametrize("preserve", [3, 4, 5])
def test_thoughts_calls_and_outputs_stay_together(preserve: int) -> None:
    new = new_bytes(codex_plan(rollout(), CompactionConfig(preserve, 0)))
    kinds = [item.kind for item in model_view(look_at_rollout(new, "r.jsonl").steps, 0)]
    assert kinds.count("function_call") == kinds.count("function_call_output") == kinds.count("reasoning")
    assert (kinds.count("reasoning") == 1) == (preserve > 3)


def test_a_second_compaction_of_a_rollout_takes_the_first_one_in() -> None:
    once = new_bytes(codex_plan(rollout()))
    word = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "more"}]}
    more = once + lines({"timestamp": "t", "type": "response_item", "payload": word})
    file = codex_file(more, "/h/r.jsonl", None, 0)
    assert isinstance(file, CodexFile)
    job = FileJob(file, SMALL, NOW_MS, output="/w/r.compacted.jsonl")
    assert job.previous_summary == "Summary:\nWhat was done."
    assert [message.text for message in job.removed(job.cuts()[0])] == ["go on"]
    last = json.loads(new_bytes(copied(job)).split(b"\n")[-2])
    texts = [each["content"][0]["text"] for each in last["payload"]["replacement_history"]]
    assert [text.split("\n")[0] for text in texts][2:] == ["Done.", "more"] and len(texts) == 4


ODD_ITEMS = (
    b'{"type":"response_item","payload":{"type":"message","role":["user"],"content":[]}}',
    b'{"type":"compacted","payload":""}',
    b'{"type":"compacted","payload":{"message":[],"replacement_history":{}}}',
    b'{"type":"compacted","payload":{"message":"s","replacement_history":[null,7,{"type":"message"}]}}',
    b'{"type":"event_msg","payload":{"type":"thread_rolled_back","num_turns":"x"}}',
    b'{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_te{"type":'
    b'"response_item","timestamp":"t","payload":{"type":"message","role":"user","content":[{"type":'
    b'"input_text","text":"glued"}]}}',
)


@pytest.mark.parametrize("line", ODD_ITEMS)
def test_an_odd_line_of_a_rollout_keeps_no_copy_from_being_made(line: bytes) -> None:
    first, *rest = rollout().split(b"\n")
    data = b"\n".join([first, line, *rest])
    new = new_bytes(codex_plan(data))
    assert new.startswith(data)
    assert json.loads(new.split(b"\n")[-2])["type"] == "compacted"


def as_claude(values: list[dict[str, Any]]) -> bytes:
    """A conversation as Claude Code would have it: one block a line, replies of several lines."""
    records: list[dict[str, Any]] = []

    def add(kind: str, content: Any, reply: str) -> None:
        number = len(records) + 1
        more = {"message": {"id": reply}} if kind == "assistant" else {}
        records.append(record(number, kind, content, number - 1 or None, **more))

    for at, value in enumerate(values):
        for block in value["blocks"]:
            if block["type"] == "tool_use":
                add("assistant", [{**block, "input": {"words": block["input"]}}], f"m{at}")
            elif block["type"] == "tool_result":
                result = {"type": "tool_result", "tool_use_id": block["tool_use_id"]}
                add("user", [{**result, "content": block["output"]}], "")
            elif block["type"] == "text":
                kind = "assistant" if value["role"] == "assistant" else "user"
                add(kind, [block] if kind == "assistant" else block["text"] or "-", f"m{at}")
    return lines(*records)


def as_codex(values: list[dict[str, Any]]) -> bytes:
    items: list[dict[str, Any]] = []
    for value in values:
        for block in value["blocks"]:
            if block["type"] == "tool_use":
                items.append({"type": "reasoning", "summary": [], "encrypted_content": "z"})
                items.append(
                    {
                        "type": "function_call",
                        "name": "f",
                        "arguments": block["input"],
                        "call_id": block["id"],
                    }
                )
            elif block["type"] == "tool_result":
                items.append(
                    {
                        "type": "function_call_output",
                        "call_id": block["tool_use_id"],
                        "output": block["output"],
                    }
                )
            elif block["type"] == "text":
                role = value["role"] if value["role"] in ("user", "assistant") else "developer"
                part = {"type": "input_text", "text": block["text"]}
                items.append({"type": "message", "role": role, "content": [part], "n": 10**40})
    return lines(*({"timestamp": "t", "type": "response_item", "payload": item} for item in items))


@pytest.mark.parametrize("seed", range(60))
def test_copies_of_random_conversations_change_no_line_and_lose_no_pair(seed: int) -> None:
    """The verification runs in each plan; twice, so that a compacted copy is compacted again."""
    chance = random.Random(seed)
    values = conversation_of(chance, chance.randrange(4, 25))
    config = CompactionConfig(chance.randrange(5), 0)
    data = as_claude(values)
    for number in range(2):
        file = claude_file(data, "/h/s.jsonl", None, (f"x{number}", f"y{number}"))
        if isinstance(file, NotPlanned):
            break
        job = FileJob(file, config, NOW_MS, output="/w/c.jsonl")
        if not job.cuts()[0].changes:
            break
        new = new_bytes(copied(job))
        added = [line for line in new.split(b"\n") if line not in data.split(b"\n")]
        assert len(added) == 2
        assert [line for line in new.split(b"\n") if line not in added] == data.split(b"\n")
        data = new
    data = as_codex(values)
    for _ in range(2):
        rollout_file = codex_file(data, "/h/r.jsonl", None, 0)
        if isinstance(rollout_file, NotPlanned):
            break
        job = FileJob(rollout_file, config, NOW_MS, output="/w/c.jsonl")
        if not job.cuts()[0].changes:
            break
        new = new_bytes(copied(job))
        assert new.startswith(data) and new.count(b"\n") == data.count(b"\n") + 1
        data = new


def test_an_empty_transcript_has_nothing_to_compact() -> None:
    assert isinstance(claude_file(b"", "/h/s.jsonl", None, ("a", "b")), NotPlanned)
    assert isinstance(codex_file(b"", "/h/r.jsonl", None, 0), NotPlanned)


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/h/a.jsonl", "a.compacted.jsonl"),
        ("/h/a.b.json", "a.b.compacted.json"),
        ("C:\\h\\a.JSONL", "a.compacted.jsonl"),
        ("/h/a", "a.compacted.jsonl"),
    ],
)
def test_the_name_of_a_copy(path: str, name: str) -> None:
    assert copy_name(path) == name
