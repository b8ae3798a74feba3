"""A cell of a table shows the text that was put into it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from agentbrief.redact import escape_markdown
from agentbrief.report.table import cell, table

MARKDOWN = MarkdownIt("commonmark").enable("table")
TEXTS = st.text(alphabet="\\|*_[]()<>#`ab1 ", max_size=20)


def shown(markdown: str) -> list[str]:
    """The texts of the body's cells, as a reader sees them."""
    tokens = MARKDOWN.parse(table(["One", "Two"], [[markdown, "end"]]))
    rows = [token for token in tokens if token.type == "inline"][2:]
    return ["".join(child.content for child in token.children or ()) for token in rows]


@given(TEXTS)
def test_escaped_text_is_shown_as_it_is(text: str) -> None:
    assert shown(cell(escape_markdown(text))) == [text.strip(), "end"]


@given(TEXTS)
def test_no_text_ends_its_cell(text: str) -> None:
    assert shown(cell(text))[-1] == "end"
    assert len(shown(cell(text))) == 2


def test_line_ends_are_blanks() -> None:
    assert cell("a\nb") == "a b"
