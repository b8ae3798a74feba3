"""An exported session is a document whose bodies cannot act (S13) and whose secrets are marks (S11)."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from agentbrief.history.export import Preview, Telling, exported, file_name, preview, told
from agentbrief.history.guard import Guard, size_of
from agentbrief.history.parts import LEVELS, Level
from agentbrief.messages import LOCALES, say
from agentbrief.redact import KINDS
from agentbrief.sessions.model import (
    ContentBlock,
    Message,
    Opaque,
    Text,
    Thinking,
    ToolResult,
    ToolUse,
    Usage,
)
from tests.data_folders import CORPORA, records

ENGLISH = partial(say, "en")
PARSER = MarkdownIt("commonmark").enable("table")


def telling(level: Level = "messages", **more: Any) -> Telling:
    return Telling(level, ENGLISH, **more)


def message(*blocks: ContentBlock, role: Any = "assistant", **more: Any) -> Message:
    return Message(role, blocks, **more)


def document(*messages: Message, level: Level = "messages", title: str = "T", **more: Any) -> str:
    return "".join(exported(title, messages, telling(level, **more)))


def skeleton(text: str) -> list[str]:
    return [token.type for token in PARSER.parse(text)]


def fences(text: str) -> list[Token]:
    return [token for token in PARSER.parse(text) if token.type == "fence"]


HEADING = ["heading_open", "inline", "heading_close"]
PARAGRAPH = ["paragraph_open", "inline", "paragraph_close"]
FOLDED = ["html_block", "fence", "html_block"]


@pytest.mark.parametrize("case", records(CORPORA / "export-bodies.jsonl"), ids=lambda case: case["id"])
@pytest.mark.parametrize("kind", ["text", "result", "folded", "thinking", "input"])
def test_a_body_stays_in_its_fence(case: dict[str, Any], kind: str) -> None:
    body = case["body"]
    content = case.get("content", body)
    blocks: dict[str, ContentBlock] = {
        "text": Text(body),
        "result": ToolResult("1", "ls", body, False),
        "folded": ToolResult("1", "ls", body, False),
        "thinking": Thinking(body),
        "input": ToolUse("1", "ls", body, body),
    }
    block = blocks[kind]
    levels: dict[str, Level] = {"text": "messages", "folded": "tools"}
    level = levels.get(kind, "everything")
    text = document(message(block), level=level)
    label = {"text": ["fence"], "folded": FOLDED}.get(kind, [*PARAGRAPH, "fence"])
    assert skeleton(text) == [*HEADING, *HEADING, *label, *PARAGRAPH]
    (fence,) = fences(text)
    assert fence.content == content + "\n"
    assert len(fence.markup) >= case["fence_min"]
    assert fence.markup == "`" * len(fence.markup)
    assert fence.info == ""


@pytest.mark.parametrize("case", records(CORPORA / "terminal-escapes.jsonl"), ids=lambda case: case["id"])
def test_nothing_that_a_terminal_acts_on_is_left(case: dict[str, Any]) -> None:
    text = document(message(Text(case["text"])), title=case["text"])
    (fence,) = fences(text)
    assert fence.content == case["clean"] + "\n"
    assert not [char for char in text if (ord(char) < 32 and char not in "\n\t") or 127 <= ord(char) < 160]


PIECES = [
    *(
        "`",
        "```",
        "````",
        "~~~",
        "\n",
        "\n\n",
        "    ",
        "# h",
        "---",
        "===",
        "> q",
        "- i",
        "| a |",
        "\\",
        "&lt;",
    ),
    *(
        "<b>",
        "</details>",
        "<details>",
        "[x](javascript:1)",
        "![i](u)",
        "\r",
        "\r\n",
        "\t",
        "\x1b[31m",
        "\x00",
    ),
    *("\u202e", "\u2028", "text"),
]


@pytest.mark.parametrize("seed", range(20))
def test_random_bodies_names_and_titles_never_get_out(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(40):
        body, name, title = ("".join(chance.choices(PIECES, k=chance.randint(0, 12))) for _ in range(3))
        blocks = (Text(body), ToolResult("1", name, body, chance.random() < 0.5))
        text = document(message(*blocks, time=title), title=title, level="tools")
        assert skeleton(text) == [*HEADING, *HEADING, "fence", *FOLDED, *PARAGRAPH], (body, name, title)
        found = [token for token in PARSER.parse(text) if token.type == "html_block"]
        assert found[0].content.count("<") == 3
        inline = [child.type for token in PARSER.parse(text) for child in token.children or ()]
        assert set(inline) <= {"text", "text_special"}
        everything = document(message(*blocks), title=title, level="everything")
        assert skeleton(everything) == [*HEADING, *HEADING, "fence", *PARAGRAPH, "fence", *PARAGRAPH]


HOSTILE = [
    "[a](command:x)",
    "<img src=x onerror=1>",
    "https://host.invalid/a",
    "www.host.invalid",
    "a&lt;b",
    "*b* _c_ `d` ~~e~~",
    "# x #",
    "a\n\n# b",
]


@pytest.mark.parametrize("title", HOSTILE)
def test_a_title_is_shown_as_it_is_and_does_nothing(title: str) -> None:
    parser = MarkdownIt("gfm-like", {"linkify": False})
    tokens = parser.parse(document(title=title))
    assert [token.type for token in tokens] == [*HEADING, *PARAGRAPH]
    children = tokens[1].children or []
    assert {child.type for child in children} <= {"text", "text_special"}
    assert "".join(child.content for child in children) == " ".join(title.split())


def test_a_long_or_blank_title() -> None:
    assert document(title="x" * 500).startswith("# " + "x" * 119 + "…\n")
    assert document(title=" \n ").startswith("# Session\n")


TALK = (
    message(Text("be brief"), role="system"),
    message(Text("hi"), role="user"),
    message(
        Thinking("hmm"),
        Text("yes"),
        ToolUse("1", "ls", {"path": "/w"}, '{"path": "/w"}'),
        usage=Usage(1, 2, 3, 4),
    ),
    message(ToolResult("1", "ls", "a\nb", False), role="user"),
    message(Opaque("citation", {"type": "citation", "n": 1})),
)


def test_messages_only() -> None:
    text = document(*TALK)
    assert [token.content for token in fences(text)] == ["hi\n", "yes\n"]
    assert "## User\n" in text
    assert "## Assistant\n" in text
    assert text.endswith("End of the session: 5 messages.\n\n2 of 5 messages are shown here.\n")


def test_with_tool_calls_folded() -> None:
    text = document(*TALK, level="tools")
    assert [token.content for token in fences(text)] == ["hi\n", "yes\n", '{\n  "path": "/w"\n}\n', "a\nb\n"]
    assert "<summary>Tool call: ls</summary>" in text
    assert "## Tool\n\n<details>\n<summary>Result: ls</summary>\n" in text


def test_everything() -> None:
    text = document(*TALK, level="everything")
    assert [token.content for token in fences(text)] == [
        "be brief\n",
        "hi\n",
        "hmm\n",
        "yes\n",
        '{\n  "path": "/w"\n}\n',
        "a\nb\n",
        '{\n  "type": "citation",\n  "n": 1\n}\n',
    ]
    assert "<details>" not in text
    assert "**Thinking**" in text
    assert "Tokens: input 1, output 2, cache written 3, cache read 4." in text
    assert text.endswith("End of the session: 5 messages.\n")


def test_a_failure_and_a_nameless_tool() -> None:
    text = document(message(ToolResult("1", "", "x", True), role="tool"), level="tools")
    assert "<summary>Failed: –</summary>" in text


def test_deep_json_ends_in_an_ellipsis() -> None:
    value: Any = "bottom"
    for _ in range(500):
        value = [value]
    text = document(message(ToolUse("1", "t", value, "…")), level="everything")
    assert "[…]" in text
    assert "bottom" not in text


def test_pictures_are_told_by_their_size() -> None:
    data = "A" * 46_000
    assert size_of(data) == "[image 34 KB]"
    blocks = (
        Opaque(
            "image", {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": data}}
        ),
        Opaque("image", {"type": "image", "data": data, "mimeType": "image/png"}),
        Text(f"see data:image/png;base64,{data} here"),
    )
    text = document(message(*blocks))
    assert [token.content for token in fences(text)] == [
        "[image 34 KB]\n",
        "[image 34 KB]\n",
        "see [image 34 KB] here\n",
    ]
    sound = Opaque("audio", {"type": "audio", "mimeType": "audio/wav", "data": data})
    assert '"data": "[data 34 KB]"' in document(message(sound), level="everything")


def test_half_a_surrogate_pair_can_be_written() -> None:
    text = document(message(Text("a\ud83d"), ToolUse("1", "t", {"k": "\ude00"}, "")), level="everything")
    assert text.encode("utf-8").count("\ufffd".encode()) == 2


def test_silent_turns_are_marked_and_may_be_folded() -> None:
    turn = message(Text("NO_REPLY"))
    assert "not delivered" not in document(turn)
    marked = document(turn, silent_tokens=("NO_REPLY", "HEARTBEAT_OK"))
    assert "## Assistant · not delivered\n\n```\nNO_REPLY\n```\n" in marked
    folded = document(turn, silent_tokens=("NO_REPLY",), folds_silent=True)
    assert skeleton(folded) == [*HEADING, *HEADING, *FOLDED, *PARAGRAPH]
    assert "not delivered" not in document(message(Text("NO_REPLYThe")), silent_tokens=("NO_REPLY",))
    assert "not delivered" not in document(
        message(Text("NO_REPLY"), role="user"), silent_tokens=("NO_REPLY",)
    )
    assert "not delivered" in document(
        message(Text("HEARTBEAT_OK")), silent_tokens=("NO_REPLY", "HEARTBEAT_OK")
    )


TOKEN = "ghp_" + "FAKEnotREAL0123456789abcdefghijklmnop"


def test_secrets_are_marks_wherever_they_stand() -> None:
    blocks = (
        Text(f"token {TOKEN} here [redacted:github-token]"),
        ToolUse("1", f"call-{TOKEN}", {"token": TOKEN}, f'{{"token":"{TOKEN}"}}'),
        ToolResult("1", "ls", f"Authorization: Bearer {TOKEN}", False),
    )
    for level in LEVELS:
        text = "".join(exported(TOKEN, [message(*blocks, time=TOKEN)], telling(level), facts=[("Id", TOKEN)]))
        assert TOKEN[:14] not in text
        assert "[redacted:github-token] here" in text
    assert "3 secrets are masked." in document(message(*blocks), level="everything")
    assert "1 secret is masked." in document(message(blocks[0]))


def test_nothing_is_masked_on_request_and_the_file_says_so() -> None:
    guard = Guard(redacts=False)
    text = document(message(Text(f"{TOKEN}\x1b[31m")), guard=guard)
    assert TOKEN in text
    assert "\x1b" not in text
    assert "Secrets in this file are not masked." in text
    assert file_name("abc", guard) == "abc.unredacted.md"
    assert file_name("abc", Guard()) == "abc.md"


def test_home_and_user_are_shortened_to_share() -> None:
    guard = Guard(home="/home/ann", user="ann")
    text = document(message(Text("/home/ann/proj and ann")), guard=guard)
    assert "~/proj and user" in text


def test_a_preview_counts_what_an_export_masks() -> None:
    talk = [
        message(Text(f"{TOKEN} /home/ann/x")),
        message(Thinking(TOKEN)),
        message(Text("plain"), role="user"),
    ]
    guard = Guard(home="/home/ann")
    assert preview(talk, telling(guard=guard)) == Preview(3, 2, (("github-token", 1),), True)
    assert preview(talk, telling("everything")) == Preview(3, 3, (("github-token", 2),), False)
    assert preview(talk, telling(guard=Guard(redacts=False))).masked == ()


def test_each_kind_of_secret_is_a_token_a_key_or_a_password() -> None:
    found = Preview(1, 1, tuple((kind, 1) for kind in KINDS), False).groups
    assert sum(found.values()) == len(KINDS)
    assert found["passwords"] == 3
    masks = tuple((kind, 1) for kind in ("github-token", "aws-secret-key", "url-password", "private-key"))
    assert Preview(1, 1, masks, False).groups == {"tokens": 1, "keys": 2, "passwords": 1}


def test_facts_and_damage() -> None:
    text = "".join(
        exported("T", [], telling(), facts=[("Agent", "a*b"), ("Folder", "/w\n/x")], damaged_lines=2)
    )
    assert "- Agent: a\\*b\n- Folder: /w /x\n" in text
    assert "2 lines of the session file could not be read." in text


def test_the_document_comes_in_pieces_as_the_messages_do() -> None:
    taken = 0

    def talk() -> Iterator[Message]:
        nonlocal taken
        for number in range(1000):
            taken += 1
            yield message(Text(f"message {number}"))

    pieces = exported("T", talk(), telling())
    next(pieces)
    assert taken == 0
    for expected in range(1, 4):
        piece = next(pieces)
        assert taken == expected
        assert f"message {expected - 1}" in piece
    assert sum(1 for _ in pieces) == 1000 - 3 + 1


@pytest.mark.parametrize("locale", LOCALES)
def test_every_language_gives_the_same_skeleton(locale: str) -> None:
    other = Telling("everything", partial(say, locale))
    assert skeleton("".join(exported("T", TALK, other))) == skeleton(document(*TALK, level="everything"))
    one = Telling("tools", partial(say, locale))
    assert told(TALK[0], one) == ""
    assert told(TALK[3], one).startswith("## ")
