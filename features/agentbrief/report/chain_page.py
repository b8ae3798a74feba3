"""Which instruction files are in effect, in which order, and why is a file not?

One page, or several agents side by side.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from agentbrief.brief import Brief
from agentbrief.messages import say
from agentbrief.profiles.profile import AgentProfile
from agentbrief.redact import escape_markdown, mask, shorten_home
from agentbrief.report.chain import ChainRow, chain_rows
from agentbrief.report.table import cell, table

Link = Callable[[str], str]


def chain_page(
    profile: AgentProfile, brief: Brief, locale: str, link: Link | None = None, *, home: str = ""
) -> str:
    """The chain as Markdown; ``link`` turns a path into an address, without it names are plain text.

    The folder ``home`` is written as ``~`` where the page says what was looked at.
    """
    rows = chain_rows(profile, brief)
    lines = [
        [
            str(row.rank) if row.rank else "–",
            str(row.place) if row.place else "–",
            cell(_name(row, link)),
            characters(row, locale),
            cell(reason(row, locale)),
        ]
        for row in rows
    ]
    header = [say(locale, f"chain.{name}") for name in ("rank", "place", "file", "characters", "why")]
    title = say(locale, "chain.title", agent=profile.title)
    total = say(
        locale,
        "chain.total",
        agent=profile.title,
        sent=brief.sent_chars,
        max=brief.limits.total,
        remaining=brief.remaining,
    )
    start = looked_at(brief, locale, home)
    body = table(header, lines, frozenset({0, 1})) if lines else say(locale, "chain.none")
    return mask(f"# {title}\n\n{start}\n\n{total}\n\n{body}\n")


def looked_at(brief: Brief, locale: str, home: str) -> str:
    """Where the agent is started and how far up files are looked for, in a sentence; ``home`` is ``~``."""
    start, bound = (escape_markdown(shorten_home(folder, home)) for folder in (brief.start, brief.bound))
    if start == bound:
        return say(locale, "chain.start.alone", start=start)
    return say(locale, "chain.start", start=start, bound=bound)


def compare_page(briefs: Sequence[tuple[AgentProfile, Brief]], locale: str) -> str:
    """The chains of several agents in one table, one column an agent."""
    by_path: dict[str, dict[str, ChainRow]] = {}
    for profile, brief in briefs:
        for row in chain_rows(profile, brief):
            if row.state not in ("unread", "above", "near-miss"):
                by_path.setdefault(row.path, {})[profile.id] = row
    lines: list[list[str]] = []
    for rows in by_path.values():
        label = next(iter(rows.values())).label
        cells = [
            cell(reason(rows[profile.id], locale)) if profile.id in rows else say(locale, "compare.not-read")
            for profile, _ in briefs
        ]
        lines.append([cell(escape_markdown(label)), *cells])
    header = [say(locale, "chain.file"), *(profile.title for profile, _ in briefs)]
    titles = ", ".join(profile.title for profile, _ in briefs)
    title = say(locale, "compare.title", agents=titles)
    totals = "\n".join(
        "- "
        + say(locale, "compare.total", agent=profile.title, sent=brief.sent_chars, max=brief.limits.total)
        for profile, brief in briefs
    )
    return mask(f"# {title}\n\n{totals}\n\n{table(header, lines)}\n")


def characters(row: ChainRow, locale: str) -> str:
    """The size of a row's file, and how much of it is sent where that is less."""
    if not row.total:
        return ""
    if row.sent == row.total:
        return f"{row.sent:,}"
    return say(locale, "budget.of", sent=row.sent, total=row.total)


def reason(row: ChainRow, locale: str) -> str:
    """Why a row's file is sent, cut or left out, in words."""
    return say(locale, row.reason, **dict(row.arguments))


def _name(row: ChainRow, link: Link | None) -> str:
    name = escape_markdown(row.label)
    shown = f"[{name}]({link(row.path)})" if link else name
    return f"{shown} → {escape_markdown(row.link_to)}" if row.link_to else shown
