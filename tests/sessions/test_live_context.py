"""The context of a transcript that grows is, at each line, that of the file so far: whatever its tree is."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from agentbrief.profiles.load import profile
from agentbrief.sessions.context_used import ContextUsed, chars_of, context_used, tokens_of_chars
from agentbrief.sessions.formats import claude_code, codex
from agentbrief.sessions.formats.codex_transcript import look
from agentbrief.sessions.formats.codex_view import model_view
from agentbrief.sessions.live_context import GrowingContext
from tests.sessions.claude_code import written as claude
from tests.sessions.codex import written as rollout

NAMES = tuple("abcdefghijklmn")
names = st.sampled_from(NAMES)
maybe_names = st.none() | names
sizes = st.integers(0, 40)
looks = st.lists(st.booleans(), min_size=len(NAMES), max_size=len(NAMES))

EXAMPLES = settings(max_examples=300)


@st.composite
def places(draw: st.DrawFn) -> list[tuple[str, str | None]]:
    """The identifiers of records and of their parents.

    Mostly a new one that hangs on the last; else any: one that was there, that comes later, or never.
    """
    found: list[tuple[str, str | None]] = []
    for name in NAMES[: draw(st.integers(0, len(NAMES)))]:
        last = found[-1][0] if found else None
        is_odd, is_branch = draw(st.integers(0, 7)) == 0, draw(st.integers(0, 3)) == 0
        found.append((draw(names) if is_odd else name, draw(maybe_names) if is_branch else last))
    return found


@st.composite
def claude_records(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Records of all kinds."""
    return [claude_record(draw, uuid, parent) for uuid, parent in draw(places())]


def claude_record(draw: st.DrawFn, uuid: str, parent: str | None) -> dict[str, Any]:
    text = "x" * draw(sizes)
    aside = {"isSidechain": draw(st.integers(0, 11)) == 0}
    kind = draw(st.sampled_from(("user", "reply", "reply", "reply", "boundary", "summary", "note")))
    if kind == "user":
        return claude.user(uuid, parent, text, **aside)
    if kind == "reply":
        usage = draw(st.none() | st.just((1, 2, draw(sizes), 3)))
        message = draw(st.sampled_from(("m1", "m1", "m2")))
        model = draw(st.sampled_from(("claude-opus-5", "claude-sonnet-5", "<synthetic>")))
        return claude.assistant(uuid, parent, text, message_id=message, usage=usage, model=model, **aside)
    if kind == "boundary":
        stated: dict[str, Any] = {"postTokens": draw(sizes)}
        if draw(st.booleans()):
            stated["preservedMessages"] = {"uuids": draw(st.lists(names, max_size=3))}
        elif draw(st.booleans()):
            segment = {"headUuid": draw(names), "anchorUuid": draw(maybe_names), "tailUuid": draw(names)}
            stated["preservedSegment"] = segment
        above = draw(st.none() | st.just(parent))
        return claude.boundary(uuid, parent or "a", parent=above, **stated)
    if kind == "summary":
        return claude.summary(uuid, parent or "a", text)
    return {"type": "summary", "summary": text, "leafUuid": uuid}


KEPT_BEFORE_ITS_SUMMARY = [
    claude.user("a", None, "one"),
    claude.assistant("b", "a", "two", usage=(1, 2, 3, 4)),
    claude.boundary("c", "b", preservedSegment={"headUuid": "a", "tailUuid": "b"}),
    claude.user("d", "b", "three"),
    claude.summary("e", "c", "what was done"),
    claude.user("f", "b", "four"),
]


@EXAMPLES
@example(records=KEPT_BEFORE_ITS_SUMMARY, looks=[True] * len(NAMES))
@given(records=claude_records(), looks=looks)
def test_any_tree_of_claude_code(records: list[dict[str, Any]], looks: list[bool]) -> None:
    growing = GrowingContext("claude-code", profile("claude-code"))
    data = b""
    for record, is_looked_at in zip(records, looks, strict=False):
        line = claude.file_of(record)
        growing.feed(line)
        data += line
        if is_looked_at:
            assert growing.used() == claude_code.context_of(claude_code.look(data, "/w/x.jsonl").chain)
    assert growing.used() == claude_code.context_of(claude_code.look(data, "/w/x.jsonl").chain)


def pi_entry(
    identifier: str, parent: str | None, text: str, reported: int | None, first_kept: str | None
) -> dict[str, Any]:
    """A message of the user, a reply that ``reported`` tokens, or a compaction."""
    entry = {"id": identifier, "parentId": parent, "timestamp": "2026-09-20T11:00:00.000Z"}
    if first_kept is not None:
        compaction = {"summary": text, "firstKeptEntryId": first_kept, "tokensBefore": 1}
        return {"type": "compaction", **entry, **compaction}
    message: dict[str, Any] = {"role": "user", "content": [{"type": "text", "text": text}]}
    if reported is not None:
        message |= {"role": "assistant", "model": f"model-{identifier}", "usage": {"totalTokens": reported}}
    return {"type": "message", **entry, "message": message}


def pi_context(entries: list[dict[str, Any]]) -> ContextUsed:
    """What is said of ``entries``, by going the whole way from the last one to the root."""
    by_id = {entry["id"]: entry for entry in entries}
    path: list[dict[str, Any]] = []
    current = entries[-1]["id"] if entries else None
    while current in by_id and by_id[current] not in path:
        path.insert(0, by_id[current])
        current = path[0]["parentId"]
    last = max((at for at, entry in enumerate(path) if entry["type"] == "compaction"), default=None)
    seen, after = path, path
    if last is not None:
        first = path[last]["firstKeptEntryId"]
        start = next((at for at in range(last) if path[at]["id"] == first), last)
        seen, after = [path[last], *path[start:last], *path[last + 1 :]], path[last + 1 :]
    chars = chars_of(
        ("summary", len(entry["summary"]))
        if entry["type"] == "compaction"
        else ("messages", len(entry["message"]["content"][0]["text"]))
        for entry in seen
    )
    models = [entry["message"]["model"] for entry in seen if "model" in entry.get("message", {})]
    model = models[-1] if models else None
    reports = [at for at, entry in enumerate(after) if entry.get("message", {}).get("usage")]
    if not reports:
        return context_used(chars, None, model=model)
    at = reports[-1]
    trailing = sum(tokens_of_chars(len(entry["message"]["content"][0]["text"])) for entry in after[at + 1 :])
    line = max(line for line, entry in enumerate(entries, 1) if entry is after[at])
    reported = after[at]["message"]["usage"]["totalTokens"]
    found = context_used(chars, reported + trailing, model=model, line=line)
    return ContextUsed(found.tokens, not trailing, found.by_kind, model, line)


@st.composite
def pi_entries(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Messages and compactions."""
    found: list[dict[str, Any]] = []
    for identifier, parent in draw(places()):
        is_compaction = draw(st.integers(0, 5)) == 0
        reported = draw(st.none() | st.integers(1, 90))
        first_kept = draw(names) if is_compaction else None
        found.append(pi_entry(identifier, parent, "x" * draw(sizes), reported, first_kept))
    return found


@EXAMPLES
@given(entries=pi_entries(), looks=looks)
def test_any_tree_of_pi(entries: list[dict[str, Any]], looks: list[bool]) -> None:
    growing = GrowingContext("pi", profile("pi"))
    for count, (entry, is_looked_at) in enumerate(zip(entries, looks, strict=False), 1):
        growing.feed(json.dumps(entry).encode() + b"\n")
        if is_looked_at or count == len(entries):
            assert growing.used() == pi_context(entries[:count])


rollout_lines = st.one_of(
    st.builds(lambda size: rollout.message("user", "x" * size), sizes),
    st.builds(lambda size: rollout.message("assistant", "x" * size), sizes),
    st.builds(rollout.tokens, st.none() | st.integers(1, 4), sizes, st.integers(0, 2)),
    st.builds(lambda size: rollout.compacted("x" * size), sizes),
    st.builds(lambda size: rollout.compacted("s", [rollout.message("user", "x" * size)]), sizes),
    st.builds(lambda turns: rollout.event("thread_rolled_back", num_turns=turns), st.integers(0, 3)),
    st.builds(lambda fork: rollout.meta(forked_from_id=fork), st.none() | st.just("f")),
    st.just(rollout.turn()),
)


@EXAMPLES
@given(lines=st.lists(rollout_lines, max_size=14), looks=looks)
def test_any_rollout_of_codex(lines: list[dict[str, Any]], looks: list[bool]) -> None:
    agent = profile("codex")
    assert agent.after_compaction is not None
    keeps = agent.after_compaction.keeps_user_messages_tokens or 0
    growing = GrowingContext("codex", agent)
    data = b""
    for count, (line, is_looked_at) in enumerate(zip(lines, looks, strict=False), 1):
        added = rollout.file_of(line)
        growing.feed(added)
        data += added
        if is_looked_at or count == len(lines):
            transcript = look(data, rollout.PATH)
            assert growing.used() == codex.context_of(transcript, model_view(transcript.steps, keeps))
            assert growing.compactions == len(transcript.boundaries)
