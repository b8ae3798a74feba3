"""Where does the budget go? A page with one bar and one table by file, and one by section."""

from __future__ import annotations

import os
from collections.abc import Sequence

from agentbrief.brief import Brief
from agentbrief.messages import say
from agentbrief.profiles.profile import AgentProfile
from agentbrief.redact import escape_markdown, mask
from agentbrief.report import bars
from agentbrief.report.bars import Segment
from agentbrief.report.chain import ChainRow, chain_rows
from agentbrief.report.chain_page import looked_at
from agentbrief.report.section_rows import largest, section_rows, sent_span
from agentbrief.report.table import cell, table
from agentbrief.tokens.parity import FORMULAS


def budget_page(
    profile: AgentProfile,
    brief: Brief,
    focus: str | None,
    locale: str,
    *,
    pictures: bool,
    title: str,
    home: str = "",
) -> str:
    """The page as Markdown. ``focus`` is the file whose sections are shown; None = the largest one.

    The folder ``home`` is written as ``~``.

    With ``pictures`` the bars are images carried in the text, whose addresses stand at the end; without, bars
    of characters.
    """
    rows = chain_rows(profile, brief)
    heading = say(locale, "budget.title", name=escape_markdown(title), agent=profile.title)
    parts = [f"# {heading}", looked_at(brief, locale, home), _by_file(brief, rows, locale, pictures)]
    references = [f"[by-file]: {_image(file_segments(brief, rows, locale), brief.limits.total, heading)}"]
    if focus is None and brief.entries:
        focus = max(brief.entries, key=lambda entry: entry.file.chars).file.path
    placed = brief.placement(focus) if focus else None
    if placed is not None and placed.file.text:
        sections = section_segments(brief, placed.file.path, locale)
        parts.append(_by_section(profile, brief, placed.file.path, locale, pictures))
        references.append(f"[by-section]: {_image(sections, placed.file.chars, placed.file.name)}")
    if pictures:
        references += bars.swatch_references("\n".join(parts))
        parts.append("\n".join(references))
    return mask("\n\n".join(parts)) + "\n"


def file_segments(brief: Brief, rows: Sequence[ChainRow], locale: str) -> list[Segment]:
    """The parts of the total limit: each file that is sent, and what is free."""
    ranked = [row for row in rows if row.sent]
    found = [Segment(row.label, row.sent, _colour(index)) for index, row in enumerate(ranked)]
    return [*found, Segment(say(locale, "budget.free"), brief.remaining, style="free")]


def section_segments(brief: Brief, path: str, locale: str) -> list[Segment]:
    """The parts of one file: each section that is sent, and what is not."""
    placed = brief.placement(path)
    if placed is None:
        return []
    rows = largest(section_rows(placed.file.text, sent_span(brief, path)))
    found = [
        Segment(
            row.title or say(locale, "budget.before-headings"),
            row.sent,
            _colour(index),
        )
        for index, row in enumerate(rows)
        if row.sent
    ]
    lost = placed.file.chars - sum(each.size for each in found)
    return [*found, Segment(say(locale, "budget.not-sent"), max(lost, 0), style="cut")]


def _colour(place: int) -> str:
    return bars.COLOURS[place % len(bars.COLOURS)]


def _image(segments: Sequence[Segment], total: int, title: str) -> str:
    return bars.data_image(bars.svg_bar(segments, total, title))


def _by_file(brief: Brief, rows: Sequence[ChainRow], locale: str, pictures: bool) -> str:
    total = brief.limits.total
    segments = file_segments(brief, rows, locale)
    squares = dict(zip((each.label for each in segments), bars.marks(segments), strict=True))
    lines: list[list[str]] = []
    for row in rows:
        if not row.total:
            continue
        numbers = (
            f"{row.sent:,}"
            if row.sent == row.total
            else say(locale, "budget.of", sent=row.sent, total=row.total)
        )
        line = [cell(escape_markdown(row.label)), numbers, str(bars.percent(row.sent, total))]
        if pictures:
            line.insert(0, squares.get(row.label, "") if row.sent else "")
        else:
            line.append(bars.text_bar(row.sent, total))
        lines.append(line)
    free = [say(locale, "budget.free"), f"{brief.remaining:,}", str(bars.percent(brief.remaining, total))]
    lines.append(["", *free] if pictures else [*free, bars.text_bar(brief.remaining, total)])
    header = [say(locale, "budget.part"), say(locale, "budget.characters"), "%"]
    if pictures:
        image = f"![{escape_markdown(bars.alternative(segments, total))}][by-file]\n\n"
        return image + table(["", *header], lines, frozenset({2, 3}))
    return table([*header, ""], lines, frozenset({1, 2}))


def _by_section(profile: AgentProfile, brief: Brief, path: str, locale: str, pictures: bool) -> str:
    placed = brief.placement(path)
    assert placed is not None
    text = placed.file.text
    rows = largest(section_rows(text, sent_span(brief, path)))
    formula = FORMULAS[profile.token_formula]
    squares = iter(bars.marks(section_segments(brief, path, locale)))
    lines = [
        [
            *([next(squares) if row.sent else ""] if pictures else []),
            cell(escape_markdown(row.title or say(locale, "budget.before-headings"))),
            f"{row.chars:,}",
            f"~{formula(text[row.section.span.start : row.section.span.end]):,}",
            str(row.share),
            say(locale, f"budget.reach.{row.reach}"),
            *([] if pictures else [bars.text_bar(row.chars, len(text))]),
        ]
        for row in rows
    ]
    header = ["part", "characters", "tokens"]
    titles = [*([""] if pictures else []), *(say(locale, f"budget.{name}") for name in header)]
    titles += ["%", say(locale, "budget.reach"), *([] if pictures else [""])]
    heading = say(locale, "budget.sections-of", name=escape_markdown(os.path.basename(path)))
    image = ""
    if pictures:
        segments = section_segments(brief, path, locale)
        image = f"![{escape_markdown(bars.alternative(segments, len(text)))}][by-section]\n\n"
    note = say(locale, f"tokens.{profile.token_formula}", agent=profile.title)
    right = frozenset({2, 3, 4} if pictures else {1, 2, 3})
    # In a hover the words stand behind a number; here they begin a line.
    return f"## {heading}\n\n{image}{table(titles, lines, right)}\n\n{note[:1].upper()}{note[1:]}"
