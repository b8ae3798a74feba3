"""The steps that make one line of a text, held against the plainest way to say them."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentbrief.compaction.claw.cleaning import (
    clean,
    clean_start,
    cut,
    defused,
    flattened,
    without_analysis,
)
from agentbrief.compaction.claw.collecting import parts_of
from agentbrief.compaction.claw.key_files import extension_of, files_in
from agentbrief.sessions.model import Message, Text
from agentbrief.text.whitespace import LINE_BREAKS, WHITE_SPACE

PIECES = (
    "<analysis>", "</analysis>", "<ana", "lysis>", "</ana", "<summary>", "</summary>", "a", " ", "\n",
    "\u2028", "\x1c", "\u3000", "漢", "<", ">",
)  # fmt: skip
TEXTS = st.lists(st.sampled_from(PIECES), max_size=24).map("".join)


def plain_without_analysis(text: str) -> str:
    while (start := text.find("<analysis>")) >= 0 and (end := text.find("</analysis>", start)) >= 0:
        text = text[:start] + text[end + len("</analysis>") :]
    return text


def plain_clean(text: str) -> str:
    for tag in ("analysis", "/analysis", "summary", "/summary"):
        text = text.replace(f"<{tag}>", f"‹{tag}›")
    return re.sub(f"[{WHITE_SPACE}]*[{LINE_BREAKS}][{WHITE_SPACE}]*", " ", text)


@settings(max_examples=400)
@given(TEXTS)
def test_analysis_goes_as_often_as_it_is_there(text: str) -> None:
    assert without_analysis(text) == plain_without_analysis(text)


@settings(max_examples=400)
@given(TEXTS)
def test_a_text_becomes_one_line_without_tags(text: str) -> None:
    assert clean(text) == plain_clean(text)
    assert defused(defused(text)) == defused(text)
    assert flattened(flattened(text)) == flattened(text)


@settings(max_examples=200)
@given(st.integers(0, 5000), TEXTS, st.integers(1, 400))
def test_the_start_of_a_long_text_is_the_start_of_all_of_it(at: int, piece: str, chars: int) -> None:
    text = "w \n " * (at // 4) + piece * 30
    assert cut(clean_start(text, chars), chars) == cut(clean(text), chars)


def plain_files(text: str, extensions: set[str]) -> list[str]:
    found = []
    for word in re.split(f"[{WHITE_SPACE}]+", text):
        word = word.strip(",.:;()\"'`")
        name = next((part for part in reversed(word.split("/")) if part not in ("", ".")), "")
        stem, dot, extension = name.rpartition(".")
        if "/" in word and dot and stem and name != ".." and extension.lower() in extensions:
            found.append(word)
    return found


FILE_PIECES = (
    "a", "/", ".", ".md", ".Rs", ".ts", ".tsx", ".py", ",", ":", "`", "(", " ", "\n", "\u3000", "\u200b",
    "..", "é", "src/x", "\x1c", "-",
)  # fmt: skip


@settings(max_examples=600)
@given(st.lists(st.sampled_from(FILE_PIECES), max_size=30).map("".join))
def test_files_are_found_as_word_by_word(text: str) -> None:
    known = {"rs", "ts", "tsx", "js", "json", "md"}
    assert list(files_in(text)) == plain_files(text, known)
    assert list(files_in(text, (".py",))) == plain_files(text, known | {"py"})


@pytest.mark.parametrize(
    ("path", "extension"),
    [
        ("a/b.md", "md"),
        ("a/.md", ""),
        ("a/b.md/", "md"),
        ("a/b.md/./", "md"),
        ("a/b.md/..", ""),
        ("..md", "md"),
    ],
)
def test_the_extension_is_that_of_the_last_part(path: str, extension: str) -> None:
    assert extension_of(path) == extension


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "text",
    [
        "<analysis></analysis>" * 20_000,
        "<analysis>" * 50_000,
        "<ana" * 20_000 + "<analysis>x</analysis>" + "lysis>" * 20_000,
        " " * 300_000 + "x",
        " \n" * 150_000,
        "a/b.md" + "`" * 300_000,
        "a/b.md," * 50_000,
        "x" * 300_000 + "/a.md",
        ("y" * 1000 + "/a.md ") * 300,
        "<" * 300_000,
    ],
    ids=range(10),
)
def test_hostile_texts_take_no_longer_than_their_length(text: str) -> None:
    """One that goes back over what it has read needs minutes; the time limit only protects against that."""
    assert parts_of((Message("user", (Text(text),)),)).scope is not None
