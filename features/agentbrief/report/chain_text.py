"""How is the chain printed in a terminal?"""

from __future__ import annotations

from collections.abc import Iterator

from agentbrief.brief import Brief
from agentbrief.messages import say
from agentbrief.profiles.profile import AgentProfile
from agentbrief.redact import clean
from agentbrief.report.chain import ChainRow, chain_rows
from agentbrief.report.chain_page import characters, reason
from agentbrief.text.columns import columns

MARKS = {
    "sent": "✓",
    "cut": "⚠",
    "duplicate": "⧉",
    "omitted": "⊘",
    "not-loaded": "⛔",
    "unread": "⊘",
    "above": "↥",
    "near-miss": "≈",
}


def chain_text(profile: AgentProfile, brief: Brief, locale: str, width: int | None = None) -> Iterator[str]:
    """The chain, one file a line, as in an editor's tree.

    Below 60 columns the reasons stand on lines of their own.
    """
    rows = chain_rows(profile, brief)
    yield say(locale, "chain.title", agent=profile.title)
    yield say(
        locale,
        "chain.total",
        agent=profile.title,
        sent=brief.sent_chars,
        max=brief.limits.total,
        remaining=brief.remaining,
    )
    if not rows:
        yield say(locale, "chain.none")
    names = [clean(_name(row)) for row in rows]
    numbers = [characters(row, locale) for row in rows]
    name_width = max((columns(name) for name in names), default=0)
    number_width = max((columns(number) for number in numbers), default=0)
    for row, name, number in zip(rows, names, numbers, strict=True):
        left = f"  {MARKS[row.state]} {name}{' ' * (name_width - columns(name))}"
        middle = f"{' ' * (number_width - columns(number))}{number}"
        if width is not None and width < 60:
            yield f"  {MARKS[row.state]} {name} {number}".rstrip()
            yield f"      {reason(row, locale)}"
        else:
            yield f"{left}  {middle}  {reason(row, locale)}"


def _name(row: ChainRow) -> str:
    return f"{row.label} → {row.link_to}" if row.link_to else row.label
