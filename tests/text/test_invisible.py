"""What is found as hidden, where, and what it says; and what is left alone."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentbrief.text.invisible import MOST_OF_A_KIND, Hidden, invisible, reported
from agentbrief.text.invisible_payload import payload
from agentbrief.text.invisible_removal import carriers, removals, without
from agentbrief.text.span import Span
from agentbrief.text.visible import visible, wider
from tests.data_folders import CORPORA, records

HIDDEN = records(CORPORA / "hidden-text.jsonl")
CLEAN = records(CORPORA / "hidden-text-clean.jsonl")

ZWSP, ZWNJ, ZWJ, WORD_JOINER, BOM, SOFT_HYPHEN = "\u200b", "\u200c", "\u200d", "\u2060", "\ufeff", "\u00ad"
RLO, LRI, RLI, PDF, PDI = "\u202e", "\u2066", "\u2067", "\u202c", "\u2069"
FLAG = "\U0001f3f4"


def tags(text: str) -> str:
    return "".join(chr(0xE0000 + ord(char)) for char in text)


def bits(text: str, zero: str, one: str, size: int = 8) -> str:
    return "".join(f"{ord(char):0{size}b}" for char in text).translate({48: zero, 49: one})


def told(text: str) -> list[tuple[str, int, int, str]]:
    return [(each.kind, each.span.start, each.span.end, payload(text, each)) for each in invisible(text)]


@pytest.mark.parametrize("case", HIDDEN, ids=lambda case: case["id"])
def test_found_and_decoded(case: dict[str, Any]) -> None:
    wanted = [(case["code"], *span, part) for span, part in zip(case["spans"], case["parts"], strict=True)]
    assert told(case["text"]) == wanted
    assert "".join(each[3] for each in told(case["text"])) == case["payload"]


@pytest.mark.parametrize("case", CLEAN, ids=lambda case: case["id"])
def test_left_alone(case: dict[str, Any]) -> None:
    assert told(case["text"]) == []
    assert visible(case["text"]) == case["text"]
    assert removals(case["text"]) == ()


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        # Flags: only the exact sequence behind the black flag.
        (f"{FLAG}{tags('gbwls')}\U000e007f", []),
        (f"x{tags('gbwls')}\U000e007f", [(1, 7, "gbwls")]),
        (f"{FLAG}{tags('gbeng')}\U000e007f{tags('gbsct')}\U000e007f", [(7, 13, "gbsct")]),
        (f"{FLAG}{tags('GBENG')}\U000e007f", [(1, 7, "GBENG")]),
        ("a\U000e0001b", [(1, 2, "")]),
        ("a\U000e0000\U000e0041b", [(1, 3, "A")]),
    ],
)
def test_tags(text: str, wanted: list[tuple[int, int, str]]) -> None:
    assert told(text) == [("hidden-text", *each) for each in wanted]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        # One alone counts only between ASCII letters …
        (f"a{ZWSP}b", [(1, 2, "U+200B")]),
        (f"a{ZWSP}1", []),
        (f"é{ZWSP}b", []),
        (f"a{ZWSP}", []),
        (f"{ZWSP}b", []),
        (f"a{SOFT_HYPHEN}b", [(1, 2, "U+00AD")]),
        (f"a{WORD_JOINER}b", [(1, 2, "U+2060")]),
        # … the operators everywhere, the byte-order mark everywhere but at the start.
        ("。\u2064。", [(1, 2, "U+2064")]),
        (BOM, []),
        (f"{BOM}{BOM}a", [(1, 2, "U+FEFF")]),
        (f"{BOM}{ZWSP}a", []),
        (f"{BOM}{ZWSP}{ZWSP}a", [(1, 3, "U+200B U+200B")]),
        # Two or more count, unless they touch a script that is joined; eight or more always.
        (f"语{ZWSP}{ZWSP}言", [(1, 3, "U+200B U+200B")]),
        (f"می{ZWNJ}{ZWNJ}خ", []),
        (f"می{ZWNJ}{ZWNJ} x", []),
        (f"x {ZWNJ}{ZWNJ}می", []),
        (f"क्{ZWJ}{ZWJ} ", []),
        (f"،{ZWNJ}{ZWNJ}x", [(1, 3, "U+200C U+200C")]),
        (f"می{ZWNJ * 7}خ", []),
        (f"می{ZWNJ * 8}خ", [(2, 10, " ".join(["U+200C"] * 8))]),
        (f"می{ZWNJ * 9}خ", [(2, 11, " ".join(["U+200C"] * 8))]),
        (f"می{ZWNJ}\u2063{ZWNJ}خ", [(3, 4, "U+2063")]),
        # The marks are silent, and end a run.
        (f"a{ZWSP}\u200e{ZWSP}b", []),
    ],
)
def test_zero_width(text: str, wanted: list[tuple[int, int, str]]) -> None:
    assert told(text) == [("invisible-character", *each) for each in wanted]


@pytest.mark.parametrize(
    ("characters", "wanted"),
    [
        (bits("run it", ZWSP, ZWNJ), "run it"),
        (bits("run it", ZWNJ, ZWSP), "run it"),
        (bits("sevenths", ZWSP, WORD_JOINER, 7), "sevenths"),
        (bits("sevenths", WORD_JOINER, ZWSP, 7), "sevenths"),
        (bits("a\nb", ZWSP, ZWJ), "a\nb"),
        ("".join(f"{byte:08b}" for byte in "规则".encode()).replace("0", ZWSP).replace("1", ZWJ), "规则"),
        (ZWJ.join(bits(char, ZWSP, ZWNJ, 1) for char in "hé🚀"), "hé🚀"),
        (ZWSP.join(bits(char, ZWJ, ZWNJ, 8) for char in "ok") + ZWSP, "ok"),
        # Fifteen of two kinds, or sixteen of one, say nothing.
        ((ZWSP + ZWNJ) * 7 + ZWSP, None),
        (ZWSP * 16, None),
        ((ZWSP + ZWNJ + ZWJ + WORD_JOINER) * 4, None),
    ],
)
def test_written_in_bits(characters: str, wanted: str | None) -> None:
    named = " ".join(f"U+{ord(char):04X}" for char in characters[:8])
    assert told(f"x {characters} y") == [("invisible-character", 2, 2 + len(characters), wanted or named)]


def selectors(codes: bytes) -> str:
    return "".join(chr(0xFE00 + code if code < 16 else 0xE0100 + code - 16) for code in codes)


@pytest.mark.parametrize(
    ("codes", "wanted"),
    [
        (b"ab", "ab"),
        ("规则".encode(), "规则"),
        (b"two\nlines", "two\nlines"),
        (bytes((6, 7, 6, 15)), "go"),
        (b"\xff\xfe", "0xfffe"),
        (b"\x00\x01", "0x0001"),
        (b"\x0f\x0f\x0f", "0x0f0f0f"),
        (b"\x09\x09", "0x0909"),
        (b"a\x00", "0x6100"),
    ],
)
def test_selectors(codes: bytes, wanted: str) -> None:
    assert told(f"x{selectors(codes)}") == [("variation-selector-data", 1, 1 + len(codes), wanted)]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (f"{RLO}ab{PDF}c", [(0, 3, "ab")]),
        (f"{RLO}ab\r\nc{PDF}", [(0, 3, "ab")]),
        (f"{RLO}ab\rc", [(0, 3, "ab")]),
        (f"{RLO}", [(0, 1, "")]),
        (f"a{PDF}b{PDI}c", []),
        # Each opening has its own end, and the text between goes without controls.
        (f"{RLO}a{RLO}b{PDF}c{PDF}d", [(0, 6, "abc"), (2, 4, "b")]),
        (f"{RLI}a{RLO}b{PDI}c", [(0, 4, "ab"), (2, 4, "b")]),
        (f"{RLO}a{LRI}b{PDF}c{PDI}d", [(0, 8, "abcd"), (2, 6, "bc")]),
        (f"{RLO}a{PDI}b", [(0, 4, "ab")]),
        (f"{RLO}{RLO}\n{RLO}", [(0, 2, ""), (1, 2, ""), (3, 4, "")]),
    ],
)
def test_directions(text: str, wanted: list[tuple[int, int, str]]) -> None:
    assert told(text) == [("direction-control", *each) for each in wanted]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (f"<!--{'x' * 193}-->", [(0, 200, "x" * 193)]),
        (f"<!--{'x' * 192}-->", []),
        (f"<!--{' ' * 300}-->", []),
        (f"a <!-- one\r\n{'y' * 200}\r\n--> b", [(2, 217, f"one\r\n{'y' * 200}")]),
        (f"<!--> {'z' * 300} -->", []),
        (f"<!-- a -->{'z' * 300}<!-- b -->", []),
        # A comment that begins a block and never ends hides the rest.
        (f"x\n<!-- {'w' * 300}\n", [(2, 307, "w" * 300)]),
        (f"x <!-- {'w' * 300}\n", []),
        (f"```\n<!-- {'w' * 300}\n```\n", []),
        (f"a{' ' * 200}b\n", [(1, 202, "b")]),
        (f"a{' ' * 199}b\n", []),
        (f"{' ' * 199}\nb\n", []),
        (f"a{' ' * 300}\n", []),
        (f"a{' ' * 300}\r\nb", []),
        (f"a{chr(9) * 100}{chr(0xA0) * 50}{chr(0x3000) * 50}b \t\r\n", [(1, 202, "b")]),
        (f"a{' ' * 200}b{' ' * 250}c d", [(1, 202, "b"), (202, 455, "c d")]),
        (f"| a{' ' * 300}|\n", []),
        (f"| a{' ' * 300}| b |\n", [(3, 308, "| b |")]),
        (f"<!-- a{' ' * 300}b -->", [(0, 311, f"a{' ' * 300}b")]),
        ("a" + " " * 49 + "b" + (" " * 49 + "c") * 20, []),
    ],
)
def test_out_of_sight(text: str, wanted: list[tuple[int, int, str]]) -> None:
    assert told(text) == [("easy-to-miss-text", *each) for each in wanted]


@pytest.mark.parametrize("shift", range(0, 60, 7))
def test_blanks_are_found_wherever_they_start(shift: int) -> None:
    text = "x" * shift + " " * 200 + "late"
    assert told(text) == [("easy-to-miss-text", shift, shift + 204, "late")]


def test_kinds_side_by_side_are_told_in_order() -> None:
    text = f"a{tags('one')}{ZWSP}{ZWSP}{selectors(b'xy')}{RLO}b"
    assert told(text) == [
        ("hidden-text", 1, 4, "one"),
        ("invisible-character", 4, 6, "U+200B U+200B"),
        ("variation-selector-data", 6, 8, "xy"),
        ("direction-control", 8, 10, "b"),
    ]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (f"a{tags('Also send x')}.", "a⟦tag: Also send x⟧."),
        (f"a{RLO}b{PDF}c", "a⟦U+202E⟧b⟦U+202C⟧c"),
        (f"pass{ZWSP}word", "pass⟦U+200B⟧word"),
        (f"x {bits('hi you', ZWSP, ZWNJ)}", "x ⟦zero-width: hi you⟧"),
        (f"x{selectors(b'data')}", "x⟦selectors: data⟧"),
        ("a\U000e0001b", "a⟦U+E0001⟧b"),
        (f"{RLO}a{tags('b')}c", "⟦U+202E⟧a⟦tag: b⟧c"),
        (f"a{' ' * 250}b", f"a{' ' * 250}b"),
    ],
)
def test_stand_ins(text: str, wanted: str) -> None:
    assert visible(text) == wanted


@pytest.mark.parametrize(
    ("text", "span", "wanted"),
    [
        ("abcd", (1, 2), (0, 3)),
        ("abcd", (0, 4), (0, 4)),
        ("a\nb\nc", (2, 3), (2, 3)),
        (f"{FLAG}{tags('gbeng')}\U000e007f{tags('x')}.", (7, 8), (0, 9)),
        (f"e\u0301{ZWSP}x", (2, 3), (0, 4)),
    ],
)
def test_shown_range_holds_a_visible_character(
    text: str, span: tuple[int, int], wanted: tuple[int, int]
) -> None:
    assert wider(text, Span(*span)) == Span(*wanted)


def test_removing_one_direction_takes_both_its_controls() -> None:
    text = f"{RLO}ab{PDF}c"
    (hidden,) = invisible(text)
    assert carriers(hidden) == (Span(0, 1), Span(3, 4))
    assert without(text, carriers(hidden)) == "abc"
    assert carriers(Hidden("easy-to-miss-text", Span(0, 9))) == ()


def test_removing_all_also_takes_what_comes_together() -> None:
    text = f"a{ZWSP}{RLO}{ZWSP}b"
    assert [each.kind for each in invisible(text)] == ["direction-control"]
    assert removals(text) == (Span(1, 4),)


ALPHABET = st.sampled_from(
    [*f"ab1 \n。ی{ZWSP}{ZWNJ}{ZWJ}{BOM}{RLO}{RLI}{PDF}{PDI}{FLAG}", *tags("gb\x7f"), "\ufe0f"]
)


@given(st.text(ALPHABET, max_size=40))
@settings(max_examples=300)
def test_nothing_is_left_and_nothing_visible_goes(text: str) -> None:
    spans = removals(text)
    assert list(spans) == sorted(spans)
    assert all(one.end < other.start for one, other in pairwise(spans))
    left = without(text, spans)
    assert removals(left) == ()
    seen = str.maketrans("", "", "".join(char for char in set(text) if char not in "ab1 \n。ی" + FLAG))
    assert left.translate(seen) == text.translate(seen)


@given(st.text(ALPHABET, max_size=60))
@settings(max_examples=200)
def test_one_finding_an_opening_control(text: str) -> None:
    found = [each for each in invisible(text) if each.kind == "direction-control"]
    assert [each.span.start for each in found] == [
        offset for offset, char in enumerate(text) if char in (RLO, RLI)
    ]
    assert all("\n" not in text[each.span.start : each.span.end] for each in found)


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "unit",
    [RLO, RLI, RLI + PDF, f"{ZWSP}a", f"a{ZWSP}b", f"{BOM} ", "<!--", "<!-- -->", "<!--\n", " ",
     f"{' ' * 250}|", f"{' ' * 250}a", selectors(b"\xff"), FLAG + tags("g"), f"{RLO}\n", f"می{ZWNJ}{BOM}"],
)  # fmt: skip
def test_long_texts_of_one_kind_end(unit: str) -> None:
    text = unit * (100_000 // len(unit))
    assert all(len(of_kind) <= MOST_OF_A_KIND for of_kind in reported(text).values())
    shown = visible(text)
    assert not {RLO, RLI, PDF, *tags("g")} & set(shown)
    assert invisible(without(text, removals(text))) == tuple(
        each for each in invisible(text) if each.kind == "easy-to-miss-text"
    )
