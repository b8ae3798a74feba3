"""What stands in the one line above an instruction file?"""

from __future__ import annotations

from dataclasses import dataclass

from agentbrief.brief import Brief, CutAt
from agentbrief.messages import say
from agentbrief.profiles.profile import AgentProfile
from agentbrief.report.chain import chain_rows
from agentbrief.report.chain_page import reason
from agentbrief.report.numbers import short


@dataclass(frozen=True, slots=True)
class LensEntry:
    """A title and the command that a click on it runs, whose argument names the file."""

    title: str
    command: str


def lens_entries(profile: AgentProfile, brief: Brief, path: str, locale: str) -> tuple[LensEntry, ...]:
    """At most three entries, always in this order: what is read, rank and budget, comparing copies."""
    rows = chain_rows(profile, brief)
    row = next((each for each in rows if each.path == path), None)
    placed = brief.placement(path)
    if row is None or placed is None:
        return ()
    if row.rank:
        words = say(locale, "lens.reads", agent=profile.title, sent=row.sent, total=row.total)
    else:
        words = say(locale, "lens.not-read", agent=profile.title, reason=reason(row, locale))
    target = "agentbrief.instructions.goToCut" if isinstance(placed, CutAt) else "agentbrief.prompt.show"
    entries = [LensEntry(words, target)]
    if row.rank:
        ranked = sum(each.rank > 0 for each in rows)
        budget = f"{short(brief.sent_chars)}/{short(brief.limits.total)}"
        title = say(locale, "lens.rank", rank=row.rank, count=ranked, budget=budget)
        entries.append(LensEntry(title, "agentbrief.budget.show"))
    if row.state == "duplicate":
        entries.append(LensEntry(say(locale, "lens.compare"), "agentbrief.instructions.compare"))
    return tuple(entries)
