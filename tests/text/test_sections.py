"""Sections as OpenClaw finds them, and headings that only look right."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentbrief.text import utf16
from agentbrief.text.section_near_misses import near_misses
from agentbrief.text.sections import joined, sections_named

LINES = st.lists(
    st.sampled_from(
        [
            "## One",
            "### One",
            "## Two",
            "# One",
            "#### One",
            "```",
            "~~~",
            "text",
            "",
            "  ```",
            "## two  ",
            "é😀",
            "\r",
        ]
    ),
    max_size=14,
)


def texts(source: str, *names: str) -> list[str]:
    return [source[found.span.start : found.span.end] for found in sections_named(source, names)]


@given(LINES)
def test_a_section_begins_with_its_heading_and_is_trimmed(lines: list[str]) -> None:
    source = "\n".join(lines)
    for section in sections_named(source, ["One", "Two"]):
        text = source[section.span.start : section.span.end]
        assert text.startswith("#" * section.level)
        assert text == utf16.trim(text)
        heading = source[section.heading.start : section.heading.end]
        assert utf16.trim(heading).lower() == "#" * section.level + " " + section.name.lower()
        assert section.heading.start == section.span.start


@given(LINES, st.integers(0, 60))
def test_a_cut_is_where_the_kept_text_ends(lines: list[str], limit: int) -> None:
    source = "\n".join(lines)
    found = sections_named(source, ["One", "Two"])
    shown = joined(source, found, limit, "|cut|")
    whole = joined(source, found, 10_000, "").text
    if utf16.length(whole) <= limit:
        assert (shown.text, shown.cut) == (whole, None)
        return
    kept = shown.text.removesuffix("|cut|")
    assert whole.startswith(kept)
    assert utf16.length(kept) <= limit
    assert shown.cut is not None
    lost = whole[len(kept) :].lstrip("\n")
    assert source[shown.cut :].lstrip("\n").startswith(lost[:1])


def test_a_deeper_section_ends_at_any_heading_and_a_higher_one_only_at_its_own_level() -> None:
    source = "### One\na\n## Two\nb\n### Inner\nc\n# Top\nd\n"
    assert texts(source, "one", "TWO") == ["### One\na", "## Two\nb\n### Inner\nc\n# Top\nd"]


def test_the_first_of_two_counts() -> None:
    assert texts("## One\na\n## One\nb\n", "One") == ["## One\na"]


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("##Red Lines", "no-blank"),
        ("## Red Lines ##", "closing-hashes"),
        ("## **Red Lines**", "emphasis"),
        ("## Red Lines:", "colon"),
        ("## **Red Lines:**", "emphasis"),
        ("# red lines", "level"),
        ("#### Red Lines", "level"),
        ("  ## Red Lines", "indent"),
        ("Red Lines\n---", "underlined"),
        ("Red Lines\n===", "underlined"),
        ("```\n## Red Lines\n```", "fence"),
    ],
)
def test_a_heading_that_only_looks_right_is_told(line: str, kind: str) -> None:
    source = f"intro\n\n{line}\ntext\n"
    assert sections_named(source, ["Red Lines"]) == ()
    (found,) = near_misses(source, ["Red Lines"])
    assert (found.name, found.kind) == ("Red Lines", kind)
    assert "red lines" in source[found.span.start : found.span.end].lower()


@pytest.mark.parametrize("line", ["## Red Lines and more", "Red Lines", "about Red Lines", "- Red Lines"])
def test_other_lines_are_no_near_miss(line: str) -> None:
    assert near_misses(f"{line}\ntext\n", ["Red Lines"]) == ()


def test_a_section_that_is_found_has_no_near_miss() -> None:
    assert near_misses("##Red Lines\n## Red Lines\nx\n", ["Red Lines"]) == ()
