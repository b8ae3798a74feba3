"""How is a list of sessions printed, and how does it stand on a page?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from agentbrief.messages import say
from agentbrief.redact import escape_markdown, mask
from agentbrief.report.session_words import (
    UNKNOWN,
    age_text,
    agent_title,
    name_of,
    size_of,
    state_text,
    tokens_text,
)
from agentbrief.report.table import cell, table
from agentbrief.sessions.session_items import SessionItem
from agentbrief.text.columns import columns, shortened

COLUMNS = ("id", "agent", "title", "turns", "tokens", "size", "age", "state")
_RIGHT = frozenset((3, 4, 5))
_LONGEST_TITLE = 48
_LEAST_TITLE = 12


def list_lines(
    items: Sequence[SessionItem], now_ms: int, locale: str, width: int | None, expiring_days: int
) -> Iterator[str]:
    """The list as columns for a terminal of ``width`` columns; titles give way."""
    rows = [list(_row(item, now_ms, locale, expiring_days)) for item in items]
    head = [say(locale, f"session.column.{name}") for name in COLUMNS]
    lines = [head, *rows]
    widths = [max(columns(line[at]) for line in lines) for at in range(len(COLUMNS))]
    others = sum(widths) - widths[2] + 2 * (len(COLUMNS) - 1)
    longest = _LONGEST_TITLE if width is None else max(width - others, _LEAST_TITLE)
    widths[2] = min(widths[2], longest)
    for line in lines:
        line[2] = shortened(line[2], widths[2])
        cells = [_padded(text, widths[at], at in _RIGHT) for at, text in enumerate(line)]
        yield "  ".join(cells).rstrip()


def list_page(
    items: Sequence[SessionItem],
    looked_in: Iterable[str],
    problems: Iterable[tuple[str, str]],
    now_ms: int,
    locale: str,
    expiring_days: int,
) -> str:
    """The list as a Markdown page; where nothing was found, what was looked at."""
    parts = [f"# {say(locale, 'page.sessions')}"]
    if items:
        head = [say(locale, f"session.column.{name}") for name in COLUMNS]
        rows = [
            [cell(escape_markdown(mask(text))) for text in _row(item, now_ms, locale, expiring_days)]
            for item in items
        ]
        parts.append(table(head, rows, _RIGHT))
    else:
        places = ", ".join(f"`{mask(place)}`" for place in looked_in)
        parts.append(f"{say(locale, 'session.none')} {say(locale, 'session.looked-in', places=places)}")
    for path, why in problems:
        parts.append(say(locale, "session.problem", path=escape_markdown(mask(path)), reason=why))
    return "\n\n".join(parts) + "\n"


def _row(item: SessionItem, now_ms: int, locale: str, expiring_days: int) -> Iterator[str]:
    yield item.session_id
    yield agent_title(item)
    yield mask(name_of(item))
    yield UNKNOWN if item.turns is None else f"{item.turns:,}"
    yield tokens_text(item.used_tokens, item.is_reported, None, locale)
    yield size_of(item)
    yield age_text(item.updated_ms, now_ms, locale)
    yield state_text(item, locale, expiring_days)


def _padded(text: str, width: int, right: bool) -> str:
    blanks = " " * max(width - columns(text), 0)
    return blanks + text if right else text + blanks
