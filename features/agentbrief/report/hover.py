"""What does an editor say about a place in an instruction file?

Words that come from files are escaped. A hover never repeats a finding.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from agentbrief.brief import Brief, CutAt, Entry, Omitted
from agentbrief.messages import say
from agentbrief.profiles.profile import AgentProfile
from agentbrief.redact import escape_markdown, mask
from agentbrief.report import bars
from agentbrief.report.budget_page import section_segments
from agentbrief.report.chain import ChainRow, chain_rows
from agentbrief.report.chain_page import characters, reason
from agentbrief.report.hover_places import hidden_hover, rule_hover
from agentbrief.report.section_rows import SectionRow, largest, section_rows, sent_span
from agentbrief.text.span import Span
from agentbrief.tokens.estimator import estimate
from agentbrief.tokens.parity import FORMULAS


@dataclass(frozen=True, slots=True)
class HoverFacts:
    """What a hover is made from: the agent's brief from the file's own folder, and that of the agent it is
    compared with.
    """

    profile: AgentProfile
    brief: Brief
    path: str
    reference: tuple[AgentProfile, Brief] | None
    locale: str
    pictures: bool
    link: Callable[[str], str]
    token_reference: str


@dataclass(frozen=True, slots=True)
class HoverText:
    """Markdown, and the part of the file that it is about."""

    markdown: str
    span: Span


def hover_text(facts: HoverFacts, offset: int) -> HoverText | None:
    """The hover at ``offset``; None where there is nothing to say.

    Hidden text and the code of a rule come first, then the first line, a heading, or text that is not sent.
    """
    placed = facts.brief.placement(facts.path)
    if placed is None or placed.file.problem is not None:
        return None
    text = placed.file.text
    if (place := hidden_hover(text, offset, facts.locale) or rule_hover(text, offset)) is not None:
        return HoverText(mask(place[0]), place[1])
    line_end = text.find("\n")
    first = Span(0, len(text) if line_end < 0 else line_end)
    if offset <= first.end:
        return HoverText(mask(_first_line(facts)), first)
    sent = sent_span(facts.brief, facts.path)
    for row in section_rows(text, sent):
        if row.section.level and row.section.heading.start <= offset <= row.section.heading.end:
            return HoverText(mask(_heading(facts, row, text)), row.section.heading)
    if isinstance(placed, CutAt) and placed.lost.start <= offset <= placed.lost.end:
        return HoverText(mask(_not_sent(facts, placed.at)), placed.lost)
    if isinstance(placed, Omitted) and placed.why == "budget":
        return HoverText(mask(_not_sent(facts, 0)), Span(0, len(text)))
    return None


def _first_line(facts: HoverFacts) -> str:
    locale, profile, brief = facts.locale, facts.profile, facts.brief
    rows = chain_rows(profile, brief)
    row = next(each for each in rows if each.path == facts.path)
    placed = brief.placement(facts.path)
    assert placed is not None
    ranked, in_prompt = sum(each.rank > 0 for each in rows), len(brief.entries)
    parts = [
        say(
            locale,
            "hover.reach",
            sent=row.sent,
            total=row.total,
            agent=profile.title,
            max=brief.limits.per_file,
        )
    ]
    if row.rank:
        place = str(row.place) if row.place else "–"
        parts.append(say(locale, "hover.rank", rank=row.rank, count=ranked, place=place, places=in_prompt))
    if isinstance(placed, Entry):
        before = placed.charge.budget_before
        parts.append(
            say(
                locale,
                "hover.budget",
                before=before,
                after=before - placed.charge.consumed,
                max=brief.limits.total,
            )
        )
    else:
        parts.append(reason(row, locale))
    if facts.reference is not None:
        parts.append(_reference_line(facts))
    parts.append(_token_line(facts, placed.file.text))
    if facts.pictures and placed.file.text:
        segments = section_segments(brief, facts.path, locale)
        words = escape_markdown(bars.alternative(segments, placed.file.chars))
        image = bars.data_image(bars.svg_bar(segments, placed.file.chars, placed.file.name))
        parts.append(f"![{words}]({image})")
    parts.append("\n".join(f"- {_chain_line(each, facts)}" for each in rows))
    return "\n\n".join(parts)


def _chain_line(row: ChainRow, facts: HoverFacts) -> str:
    name = f"[{escape_markdown(row.label)}]({facts.link(row.path)})"
    numbers = characters(row, facts.locale)
    words = reason(row, facts.locale)
    return f"{name} {numbers} · {words}" if numbers else f"{name} · {words}"


def _reference_line(facts: HoverFacts) -> str:
    assert facts.reference is not None
    profile, brief = facts.reference
    rows = {each.path: each for each in chain_rows(profile, brief)}
    row = rows.get(facts.path)
    if row is None:
        return say(facts.locale, "hover.reference.not-found", agent=profile.title)
    placed = brief.placement(facts.path)
    if isinstance(placed, Entry):
        before = placed.charge.budget_before
        after = before - placed.charge.consumed
        return say(
            facts.locale,
            "hover.reference",
            agent=profile.title,
            sent=row.sent,
            total=row.total,
            before=before,
            after=after,
        )
    return f"{profile.title}: {reason(row, facts.locale)}"


def _token_line(facts: HoverFacts, text: str) -> str:
    count = FORMULAS[facts.profile.token_formula](text)
    found = estimate(text, facts.token_reference)
    how = say(facts.locale, f"tokens.{facts.profile.token_formula}", agent=facts.profile.title)
    estimated = say(facts.locale, "hover.estimate", tokens=found.tokens, reference=found.reference)
    return f"{count:,} {how} · {estimated}"


def _heading(facts: HoverFacts, row: SectionRow, text: str) -> str:
    piece = text[row.section.span.start : row.section.span.end]
    tokens = FORMULAS[facts.profile.token_formula](piece)
    return say(
        facts.locale,
        f"hover.heading.{row.reach}",
        title=escape_markdown(row.title),
        chars=row.chars,
        tokens=tokens,
        share=row.share,
        sent=row.sent,
        agent=facts.profile.title,
    )


def _not_sent(facts: HoverFacts, at: int) -> str:
    placed = facts.brief.placement(facts.path)
    assert placed is not None
    rows = largest(section_rows(placed.file.text, sent_span(facts.brief, facts.path)))[:3]
    names = " · ".join(
        f"{escape_markdown(row.title or say(facts.locale, 'budget.before-headings'))} {row.chars:,}"
        for row in rows
    )
    return say(facts.locale, "hover.not-sent", agent=facts.profile.title, at=at + 1, sections=names)
