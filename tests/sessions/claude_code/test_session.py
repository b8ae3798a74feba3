"""The session as views show it, what it cost, and how full its context is."""

from __future__ import annotations

import pytest

from agentbrief.sessions import sniff
from agentbrief.sessions.context_used import ContextUsed
from agentbrief.sessions.formats import claude_code
from agentbrief.sessions.model import Opaque, Text, Thinking, ToolResult, ToolUse, Usage
from agentbrief.sessions.usage import Call, distinct, session_usage, summed
from tests.sessions.claude_code.written import (
    SESSION,
    Record,
    assistant,
    boundary,
    call,
    file_of,
    injected,
    record,
    result,
    summary,
    user,
)

PATH = f"/home/u/.claude/projects/-w-app/{SESSION}.jsonl"


def used(*lines: Record | str) -> ContextUsed:
    return claude_code.context_of(claude_code.look(file_of(*lines), PATH).chain)


def test_a_session_for_a_view() -> None:
    thinking = {"type": "thinking", "thinking": "hm", "signature": "sig"}
    image = {"type": "image", "source": {"type": "base64", "data": "x"}}
    lines = [
        record("file-history-snapshot", "f1", None, messageId="u1"),
        user("u1", None, "list the files"),
        assistant("a1", "u1", thinking, message_id="m", usage=(1, 2, 3, 4)),
        assistant("a2", "a1", call("t1", command="ls"), message_id="m", usage=(1, 2, 3, 40)),
        result("r1", "a2", "t1", [{"type": "text", "text": "a.py"}, image], second=3),
        record("system", "s1", "r1", subtype="informational", content="Note"),
        injected("n1", "s1", "/w/app/api/CLAUDE.md", "Knex only."),
        assistant("a3", "n1", {"type": "brand_new", "words": 1}),
        '{"type":"user","uuid":"cut","mess',
    ]
    data = file_of(*lines, end="")
    found = claude_code.read(data, PATH)
    assert (found.ref.format, found.ref.session_id, found.ref.writable) == ("claude-code", SESSION, False)
    assert [(each.role, each.line, each.id, each.parent_id) for each in found.messages] == [
        ("user", 2, "u1", None),
        ("assistant", 3, "a1", "u1"),
        ("assistant", 4, "a2", "a1"),
        ("tool", 5, "r1", "a2"),
        ("system", 6, "s1", "r1"),
        ("system", 7, "n1", "s1"),
        ("assistant", 8, "a3", "n1"),
    ]
    blocks = [each.blocks for each in found.messages]
    assert blocks[0] == (Text("list the files"),)
    assert blocks[1] == (Thinking("hm", "sig"),)
    assert blocks[2] == (ToolUse("t1", "Bash", {"command": "ls"}, '{"command":"ls"}'),)
    assert blocks[3] == (ToolResult("t1", "Bash", "a.py", False), Opaque("image", image))
    assert blocks[4] == (Text("Note"),)
    assert [type(block) for block in (*blocks[5], *blocks[6])] == [Opaque, Opaque]
    assert [each.usage for each in found.messages[1:3]] == [None, Usage(1, 40, 2, 3)]
    assert found.usage == Usage(1, 40, 2, 3)
    assert (found.lines, found.parsed, found.torn_tail) == (9, 8, True)
    assert [damage.code for damage in found.damage] == ["torn-tail"]
    assert found.messages[2].extra["message_id"] == "m"
    for message in found.messages:
        assert message.slice is not None
        place = data[message.slice.offset : message.slice.offset + message.slice.length]
        assert place.startswith(b"{") and place.endswith(b"}")


@pytest.mark.parametrize("size", [1, 7, 64, 4096])
def test_chunks_of_any_size_give_the_same(size: int) -> None:
    data = file_of(
        *[user(f"u{n}", f"u{n - 1}" if n else None, f"prompt {n} \u2028 é 🚀") for n in range(20)], "{cut"
    )
    chunks = [data[at : at + size] for at in range(0, len(data), size)]
    assert claude_code.read(chunks, PATH) == claude_code.read(data, PATH)
    assert claude_code.look(chunks, PATH) == claude_code.look(data, PATH)


def usages(*lines: Record) -> tuple[Call, ...]:
    return claude_code.look(file_of(*lines), PATH).calls


def test_one_reply_on_several_lines_is_one_call() -> None:
    lines = [
        user("u1", None, "go"),
        assistant("a1", "u1", "x", message_id="m", usage=(3, 2285, 22137, 2)),
        assistant("a2", "a1", "y", message_id="m", usage=(3, 2285, 22137, 2)),
        assistant("a3", "a2", "z", message_id="m", usage=(3, 2285, 22137, 410)),
    ]
    assert summed(usages(*lines)).total == 73_689
    assert summed(distinct(usages(*lines))) == Usage(3, 410, 2285, 22137)


@pytest.mark.parametrize(
    ("one", "other", "wanted"),
    [
        (Call(1, Usage(1), "m", "r1"), Call(2, Usage(2), "m", "r2"), 3),
        (Call(1, Usage(1), "m", "r1"), Call(2, Usage(2), "m", None), 2),
        (Call(1, Usage(5), "m", "r1"), Call(2, Usage(2), "m", "r2", is_sidechain=True), 5),
        (Call(1, Usage(2), "m", "r1", is_sidechain=True), Call(2, Usage(1), "m", "r2"), 1),
        (Call(1, Usage(2), "m", "r1", is_sidechain=True), Call(2, Usage(1), "m", "r2", is_sidechain=True), 3),
        (Call(1, Usage(1)), Call(2, Usage(1)), 2),
    ],
    ids=["two requests", "no request", "sidechain copy", "sidechain first", "both sidechain", "no key"],
)
def test_which_lines_are_one_call(one: Call, other: Call, wanted: int) -> None:
    assert summed(distinct((one, other))).input == wanted


def test_words_of_no_model_and_errors_are_no_calls() -> None:
    lines = [
        user("u1", None, "go"),
        assistant("a1", "u1", "x", model="<synthetic>", usage=(9, 9, 9, 9)),
        assistant("a2", "a1", "x", isApiErrorMessage=True, usage=(9, 9, 9, 9)),
    ]
    assert usages(*lines) == ()


def test_copied_lines_belong_to_the_session_they_come_from() -> None:
    parent = {"sessionId": "22222222-2222-4222-8222-222222222222"}
    forked = {"forkedFrom": {"sessionId": parent["sessionId"], "messageUuid": "a0"}}
    own = assistant("a1", "u1", "own", usage=(1, 0, 0, 1))
    continuation = usages(
        {**user("u0", None, "go"), **parent},
        {**assistant("a0", "u0", "theirs", usage=(5, 0, 0, 5)), **parent},
        user("u1", "a0", "go on"),
        own,
    )
    assert [each.is_copied for each in continuation] == [True, False]
    assert session_usage(continuation).total == 2
    fork = usages({**assistant("a0", None, "theirs", usage=(5, 0, 0, 5)), **forked}, own)
    assert session_usage(fork).total == 2
    assert summed(distinct((*continuation, *fork))).total == 12


def test_the_context_is_what_the_last_call_took_in() -> None:
    lines = [
        user("u1", None, "x" * 400),
        assistant("a1", "u1", "y" * 4000, usage=(1000, 2000, 3000, 999)),
        user("u2", "a1", "z" * 800),
    ]
    found = used(*lines)
    assert (found.tokens, found.reported, found.line, found.model) == (6000, True, 2, "claude-opus-5")
    assert dict(found.by_kind) == {"system": 5900, "messages": 100}


def test_a_subagent_does_not_fill_the_context() -> None:
    side = assistant("s1", "a1", "side", usage=(90, 0, 0, 0), isSidechain=True)
    lines = [user("u1", None, "x"), assistant("a1", "u1", "y", usage=(10, 0, 0, 1)), side]
    assert used(*lines).tokens == 10


def test_right_after_a_compaction() -> None:
    before = [user("u1", None, "x"), assistant("a1", "u1", "y", usage=(900_000, 0, 0, 1))]
    told = used(*before, boundary("b", "a1", postTokens=28_759), summary("s", "b"))
    assert (told.tokens, told.reported) == (28_759, True)
    guessed = used(*before, boundary("b", "a1"), summary("s", "b", "s" * 400), user("u2", "s", "u" * 40))
    assert (guessed.tokens, guessed.reported) == (110, False)
    assert dict(guessed.by_kind) == {"summary": 100, "messages": 10}
    assert guessed.model == "claude-opus-5"


def test_parts_never_add_up_to_more_than_the_agent_says() -> None:
    lines = [user("u1", None, "x" * 4000), assistant("a1", "u1", "y", usage=(100, 0, 0, 1))]
    found = used(*lines)
    assert sum(size for _, size in found.by_kind) == found.tokens == 100


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        (
            b'{"parentUuid":null,"isSidechain":false,"type":"user","message":{"role":"user","content":"'
            + b"x" * 9000,
            True,
        ),
        (b'{"type":"summary","summary":"Fix login","leafUuid":"x"}', True),
        (b'{"type":"file-history-snapshot","messageId":"x","snapshot":{}}', True),
        (b'{"type":"user","uuid":"u","message":{"role":"user","content":"hi"}}', True),
        (b'not json\n{"type":"mode","mode":"x","sessionId":"s"}\n', True),
        (b'{"timestamp":"2026-01-01T00:00:00Z","type":"session_meta","payload":{"id":"x"}}', False),
        (b'{"type":"session","version":3,"id":"s","timestamp":"2026-01-01T00:00:00Z","cwd":"/w"}', False),
        (b'{"sessionId":"s","projectHash":"h","startTime":"x"}', False),
        (b"", False),
    ],
)
def test_sniff(line: bytes, wanted: bool) -> None:
    assert sniff.claude_code.sniff(line[:4096]) is wanted


def test_an_empty_file_is_an_empty_session() -> None:
    found = claude_code.read(b"", PATH)
    assert (found.messages, found.damage, found.lines) == ((), (), 0)
    facts = claude_code.facts_of(claude_code.look(b"", PATH))
    assert facts.reach is not None and facts.reach.total == 0
