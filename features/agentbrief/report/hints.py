"""Which short words stand beside a heading or at the end of the first line?"""

from __future__ import annotations

from agentbrief.brief import Entry, Placement
from agentbrief.messages import say
from agentbrief.profiles.profile import AgentProfile
from agentbrief.report.section_rows import SectionRow
from agentbrief.text.whitespace import trim
from agentbrief.tokens.parity import FORMULAS


def total_hint(profile: AgentProfile, placed: Placement, locale: str) -> str:
    """The size of a file, and how much of it is sent where that is less."""
    total = len(trim(placed.file.text))
    sent = placed.kept_chars if isinstance(placed, Entry) else 0
    tokens = FORMULAS[profile.token_formula](placed.file.text)
    if sent == total:
        return say(locale, "hint.total", chars=total, tokens=tokens)
    return say(locale, "hint.total.part", chars=total, sent=sent, agent=profile.title)


def heading_hint(profile: AgentProfile, row: SectionRow, text: str, locale: str) -> str:
    """The size of a section."""
    piece = text[row.section.span.start : row.section.span.end]
    return say(locale, "hint.heading", chars=row.chars, tokens=FORMULAS[profile.token_formula](piece))


def section_detail(profile: AgentProfile, row: SectionRow, text: str, locale: str) -> str:
    """The size of a section and whether it is sent, for an outline."""
    return f"{heading_hint(profile, row, text, locale)} · {say(locale, f'budget.reach.{row.reach}')}"
