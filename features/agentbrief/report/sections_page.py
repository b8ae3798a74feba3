"""Which sections of a file are largest? One table."""

from __future__ import annotations

from agentbrief.brief import Brief
from agentbrief.messages import say
from agentbrief.profiles.profile import AgentProfile
from agentbrief.redact import escape_markdown, mask
from agentbrief.report import bars
from agentbrief.report.section_rows import largest, section_rows, sent_span
from agentbrief.report.table import cell, table
from agentbrief.text.line_index import LineIndex


def sections_page(profile: AgentProfile, brief: Brief, path: str, locale: str) -> str:
    """The sections of the file at ``path`` by size, with the line each begins on.

    Raises:
        KeyError: the file is not on the chain.
    """
    placed = brief.placement(path)
    if placed is None:
        raise KeyError(path)
    text = placed.file.text
    index = LineIndex(text)
    lines = [
        [
            cell(escape_markdown(row.title or say(locale, "budget.before-headings"))),
            str(index.line_of(row.section.span.start) + 1),
            f"{row.chars:,}",
            str(row.share),
            say(locale, f"budget.reach.{row.reach}"),
            bars.text_bar(row.chars, len(text)),
        ]
        for row in largest(section_rows(text, sent_span(brief, path)))
    ]
    header = [
        say(locale, "budget.part"),
        say(locale, "sections.line"),
        say(locale, "budget.characters"),
        "%",
        say(locale, "budget.reach"),
        "",
    ]
    title = say(locale, "sections.title", name=escape_markdown(placed.file.name), agent=profile.title)
    return mask(f"# {title}\n\n{table(header, lines, frozenset({1, 2, 3}))}\n")
