"""pi transcripts as upstream reads them: tree, leaf, context, provider view, damage, versions, branches."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable
from typing import Any

import pytest

from agentbrief.sessions.model import Damage
from agentbrief.sessions.pi.append import (
    Appended,
    append_branch_summary,
    append_entry,
    append_label,
    append_message,
    at_leaf,
)
from agentbrief.sessions.pi.context import ContextMessage, context_of, provider_view
from agentbrief.sessions.pi.fork import NewTranscript, branched_session
from agentbrief.sessions.pi.read import read_transcript
from agentbrief.sessions.pi.tree import NoTranscript, PiTranscript, label_text, labels_of
from tests.golden.openclaw_cases import Case, assert_lines_match, assert_matches, cases

FOLDER = "/srv/demo-sessions"
NOTED_BY_US = {"lone-surrogate"}
"""What our reader notes of lines besides the codes of the specification."""


def new_uuid() -> str:
    return str(uuid.uuid4())


def content(case: Case) -> bytes:
    if "generator" not in case.input:
        text: str = case.input["content"]
        return text.encode("utf-8", "surrogatepass")
    lines = [
        '{"type":"session","version":3,"id":"11111111-aaaa-4bbb-8ccc-000000000001",'
        '"timestamp":"2026-03-05T10:00:00.000Z","cwd":"/srv/demo"}'
    ]
    for number in range(1, 3001):
        words = f"m{number}"
        message = (
            {"role": "user", "content": words}
            if number % 2
            else {"role": "assistant", "content": [{"type": "text", "text": words}]}
        )
        record = {
            "type": "message",
            "id": f"{number:08x}",
            "parentId": f"{number - 1:08x}" if number > 1 else None,
        }
        lines.append(json.dumps(record | {"timestamp": "2026-03-05T10:00:00.000Z", "message": message}))
    return "".join(line + "\n" for line in lines).encode()


def tree(transcript: PiTranscript) -> list[dict[str, Any]]:
    """The tree nested, made from its end so that its depth does not matter."""
    labels = labels_of(transcript.tree)
    nodes: dict[str, dict[str, Any]] = {}
    for entry in transcript.tree.entries:
        nodes[entry.id] = {"id": entry.id, "type": entry.type}
        if entry.id in labels:
            nodes[entry.id]["label"] = label_text(labels[entry.id])
    for parent, children in transcript.tree.children.items():
        if parent is not None:
            nodes[parent]["children"] = [nodes[child] for child in children]
    return [nodes[root] for root in transcript.tree.children.get(None, ())]


def value(transcript: PiTranscript) -> dict[str, Any]:
    context = context_of(transcript.tree, transcript.tree.leaf_id)
    messages = [message.value for message in context.messages]
    return {
        "sessionId": transcript.session_id,
        "cwd": transcript.cwd,
        "header": transcript.header,
        "entryCount": len(transcript.tree.entries),
        "entryIds": [entry.id for entry in transcript.tree.entries],
        "leafId": transcript.tree.leaf_id,
        "branch": [entry.id for entry in transcript.tree.path],
        "branchLength": len(transcript.tree.path),
        "contextMessages": len(context.messages),
        "tree": tree(transcript),
        "sessionName": transcript.name,
        "context": {
            "messages": messages,
            "thinkingLevel": context.thinking_level,
            "model": context.model
            and {"provider": context.model.provider, "modelId": context.model.model_id},
        },
        "llm": provider_view(messages),
        "issues": [[fault.line, fault.code] for fault in transcript.damage if fault.code not in NOTED_BY_US],
    }


def short(message: ContextMessage) -> dict[str, Any]:
    found = message.value.get("summary", message.value.get("content"))
    if isinstance(found, list):
        found = "".join(str(block.get("text", "")) for block in found if isinstance(block, dict))
    return {"role": message.role, "text": found}


def read_again(data: bytes, transcript: PiTranscript) -> PiTranscript:
    """``data`` with the places of what was appended, and the leaf that ``transcript`` has."""
    found = read_transcript(data)
    assert isinstance(found, PiTranscript)
    return at_leaf(found, transcript.tree.leaf_id)


class Manager:
    """A file that is open: upstream's session manager, by our functions."""

    def __init__(self, data: bytes, now: int) -> None:
        self.now = now
        self.name = "session.jsonl"
        self.files = {self.name: data}
        opened = read_transcript(data)
        assert isinstance(opened, PiTranscript)
        self.transcript = opened

    def append(self, function: Callable[..., Appended], *args: Any, **options: Any) -> str:
        found = function(self.transcript, *args, time_ms=self.now, new_uuid=new_uuid, **options)
        self.transcript = found.transcript
        self.files[self.name] += found.text
        return found.entry.id

    def go_to(self, made: NewTranscript) -> str:
        opened = read_transcript(made.content)
        assert isinstance(opened, PiTranscript)
        known = {fault.code for fault in self.transcript.damage}
        assert {fault.code for fault in opened.damage} <= known & {"bad-time", "no-message", "null-content"}
        self.transcript = opened
        self.name = made.name
        self.files[made.name] = made.content
        return f"{FOLDER}/{made.name}"

    def call(self, name: str, args: list[Any]) -> Any:
        try:
            return self._call(name, args)
        except ValueError as error:
            return {"error": str(error)}

    def _call(self, name: str, args: list[Any]) -> Any:
        if name == "branch":
            self.transcript = at_leaf(self.transcript, args[0])
            return None
        if name == "resetLeaf":
            self.transcript = at_leaf(self.transcript, None)
            return None
        if name == "appendMessage":
            return self.append(append_message, args[0])
        if name == "appendLabelChange":
            return self.append(append_label, args[0], args[1] if len(args) > 1 else None)
        if name == "branchWithSummary":
            target, summary, details, from_hook = [*args, None, None][:4]
            return self.append(append_branch_summary, target, summary, details=details, from_hook=from_hook)
        if name == "createBranchedSession":
            made = branched_session(
                self.files[self.name],
                read_again(self.files[self.name], self.transcript),
                args[0],
                now_ms=self.now,
                new_uuid=new_uuid,
                parent_session=f"{FOLDER}/{self.name}",
            )
            return self.go_to(made)
        if name == "appendSessionInfo":
            return self.append(append_entry, "session_info", {"name": str(args[0]).strip()})
        fields = {
            "appendThinkingLevelChange": ("thinking_level_change", ("thinkingLevel",)),
            "appendModelChange": ("model_change", ("provider", "modelId")),
            "appendCustomEntry": ("custom", ("customType", "data")),
            "appendCompaction": (
                "compaction",
                ("summary", "firstKeptEntryId", "tokensBefore", "details", "fromHook"),
            ),
            "appendCustomMessageEntry": ("custom_message", ("customType", "content", "display", "details")),
        }
        kind, names = fields[name]
        given = {field: item for field, item in zip(names, args, strict=False) if item is not None}
        return self.append(append_entry, kind, given)


@pytest.mark.parametrize("case", cases("transcripts"), ids=str)
def test_a_transcript_is_read_as_upstream_reads_it(case: Case) -> None:
    data = content(case)
    before = bytes(data)
    opened = read_transcript(data)
    issues = case.wanted.get("issues", case.record.get("issues"))
    if "error" in case.wanted:
        assert isinstance(opened, NoTranscript)
        assert opened.code == case.wanted["error"]
        assert [[fault.line, fault.code] for fault in opened.damage] == issues
        assert case.wanted["fileRewritten"] is False
        return
    assert isinstance(opened, PiTranscript)
    found = value(opened)
    known = {"dir": FOLDER}
    if "ops" not in case.wanted:
        assert sorted(found["issues"]) == sorted(issues or [])
    wanted = {key: case.wanted[key] for key in found if key in case.wanted and key != "issues"}
    assert_matches(found, wanted, known)
    manager = Manager(data, case.now)
    for (name, *args), answer in zip(case.input.get("ops", ()), case.wanted.get("ops", ()), strict=True):
        result = manager.call(name, args)
        context = context_of(manager.transcript.tree, manager.transcript.tree.leaf_id)
        told = {
            "result": result,
            "leafId": manager.transcript.tree.leaf_id,
            "contextMessages": [short(message) for message in context.messages],
        }
        if isinstance(answer["result"], dict) and "error" in answer["result"]:
            assert "error" in told["result"], name
            told["result"] = answer["result"]
        assert_matches(told, answer, known)
    after = manager.files.pop("session.jsonl")
    assert (after != before) == case.wanted.get("fileRewritten", False)
    assert data == before
    if case.wanted.get("fileAfter") is not None:
        assert_lines_match(after, case.wanted["fileAfter"], before.decode(), known)
    if case.wanted.get("newFiles") is not None:
        assert len(manager.files) == len(case.wanted["newFiles"])
        for (made, new), (name, text) in zip(
            manager.files.items(), case.wanted["newFiles"].items(), strict=True
        ):
            assert_matches(made, name, known)
            assert_lines_match(new, text, before.decode(), known)


def test_faults_are_values_with_a_place() -> None:
    for case in cases("transcripts"):
        opened = read_transcript(content(case))
        for fault in opened.damage:
            assert isinstance(fault, Damage)
            assert content(case)[fault.offset : fault.offset + fault.length].count(b"\n") == 0
