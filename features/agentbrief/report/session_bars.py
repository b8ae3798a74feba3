"""How is the context of a session drawn, by what fills it?"""

from __future__ import annotations

from agentbrief.messages import say
from agentbrief.redact import escape_markdown, mask
from agentbrief.report import bars
from agentbrief.report.bars import COLOURS, Segment
from agentbrief.report.numbers import short
from agentbrief.report.session_status import near_text
from agentbrief.report.table import cell, table
from agentbrief.sessions.context_used import KINDS, SessionStatus

_COLOUR_OF = dict(zip(KINDS, COLOURS, strict=True))
"""A kind has the same colour everywhere."""


def kind_segments(status: SessionStatus, locale: str) -> list[Segment]:
    """The bar of a session: what fills the context, what is free, and what is kept for the compaction."""
    found = [
        Segment(say(locale, f"row.session.kind.{kind}"), tokens, _COLOUR_OF[kind])
        for kind, tokens in status.by_kind
    ]
    if not status.window:
        return found
    reserve = max(status.window - status.compacts_at, 0) if status.compacts_at else 0
    free = max(status.window - status.used - reserve, 0)
    found.append(Segment(say(locale, "budget.free"), free, style="free"))
    if reserve:
        found.append(Segment(say(locale, "budget.reserve"), reserve, style="reserve"))
    return found


def session_section(status: SessionStatus, title: str, locale: str, *, pictures: bool) -> str:
    """The part of the budget page about the session."""
    how = say(locale, "status.reported" if status.reported else "status.estimate")
    name = escape_markdown(mask(title))
    parts = [f"## {say(locale, 'budget.session', title=name, how=how)}"]
    segments = kind_segments(status, locale)
    total = status.window or max(status.used, 1)
    pictures = pictures and bool(status.window)
    if pictures:
        words = escape_markdown(bars.alternative(segments, total))
        picture = bars.data_image(bars.svg_bar(segments, total, say(locale, "page.session")))
        parts.append(f"![{words}]({picture})")
    squares = bars.marks(segments)
    head = [*([""] if pictures else []), say(locale, "budget.part"), say(locale, "budget.tokens"), "%"]
    rows = [
        [
            *([square] if pictures else []),
            cell(each.label),
            short(each.size) if each.style != "solid" else f"~{short(each.size)}",
            str(bars.percent(each.size, total)) if status.window else "–",
            *([] if pictures else [bars.text_bar(each.size, total) if status.window else ""]),
        ]
        for each, square in zip(segments, squares, strict=True)
    ]
    parts.append(table(head if pictures else [*head, ""], rows, frozenset((2, 3) if pictures else (1, 2))))
    if status.compacts_at is not None:
        parts.append(near_text(status, locale))
    references = bars.swatch_references("\n".join(parts)) if pictures else []
    return "\n\n".join([*parts, *(["\n".join(references)] if references else [])]) + "\n"
