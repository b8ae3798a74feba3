"""S13 of reliability.md 13, Markdown: a body never leaves its fence, a name does nothing in a hover."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from agentbrief.redact import clean, escape_markdown, fence, fenced, mark
from tests.data_folders import CORPORA, records

PARSER = MarkdownIt("commonmark").enable("table")
SKELETON = ["heading_open", "inline", "heading_close", "fence", "paragraph_open", "inline", "paragraph_close"]


def in_document(content: str) -> tuple[list[str], str, str]:
    """Types of the blocks, what stands in the fence, and the fence, of a document as an export writes it."""
    tokens = PARSER.parse(f"## user\n\n{fenced(content, 'text')}\nnext\n")
    found = [token for token in tokens if token.type == "fence"]
    assert len(found) == 1
    return [token.type for token in tokens], found[0].content, found[0].markup


@pytest.mark.parametrize("case", records(CORPORA / "export-bodies.jsonl"), ids=lambda case: case["id"])
def test_body_stays_inside(case: dict[str, Any]) -> None:
    content = case.get("content", case["body"])
    assert mark(case["body"]) == content
    types, inside, markup = in_document(mark(case["body"]))
    assert types == SKELETON
    assert inside == content + "\n"
    assert len(markup) >= case["fence_min"]
    assert fence(content) == markup


def check(body: str) -> None:
    content = clean(body)
    types, inside, markup = in_document(content)
    assert types == SKELETON
    assert inside == content + "\n"
    assert set(markup) == {"`"}
    assert not any(char < " " and char not in "\n\t" for char in inside)


BODIES = st.text(
    st.sampled_from([*"``````~~~ \n\n\t#>-+*_|:<>[]()!a1\\&=\r\x1b\x00\u2028\u202e中"]), max_size=80
)


@given(BODIES)
@settings(max_examples=400)
def test_any_body_stays_inside(body: str) -> None:
    check(body)


def test_bodies_made_of_fences() -> None:
    chance = random.Random(11)
    pieces = [
        "`",
        "``",
        "```",
        "````",
        "~~~",
        "\n",
        "\n\n",
        " ",
        "    ",
        "\t",
        "> ",
        "- ",
        "# ",
        "<b>",
        "|",
        "x",
        "\r\n",
        "\r",
    ]
    for _ in range(2000):
        check("".join(chance.choices(pieces, k=chance.randrange(1, 24))))


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("plain text.", "plain text."),
        ("[a](command:x)", r"\[a\]\(command:x\)"),
        ("<img onerror=x> \\ * _ # | `c`", r"\<img onerror=x\> \\ \* \_ \# \| \`c\`"),
    ],
)
def test_escaped(text: str, wanted: str) -> None:
    assert escape_markdown(text) == wanted


@given(st.text(st.sampled_from([*"[]()<>\\*_#|`!ab: "]), min_size=1, max_size=40))
@settings(max_examples=300)
def test_an_escaped_name_is_text_and_nothing_else(name: str) -> None:
    (block,) = [token for token in PARSER.parse(f"x{escape_markdown(name)}x") if token.type == "inline"]
    assert {token.type for token in block.children or ()} <= {"text", "text_special"}
    assert "".join(token.content for token in block.children or ()) == f"x{name}x"
