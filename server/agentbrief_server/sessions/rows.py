"""How are the rows of the view *Sessions* written, and those of the session in the view *Budget*?"""

from __future__ import annotations

from typing import Any

from agentbrief.messages import say
from agentbrief.redact import escape_markdown, mask
from agentbrief.report.numbers import short
from agentbrief.report.session_status import session_lines, share_text
from agentbrief.report.session_words import (
    age_text,
    agent_title,
    expires_soon,
    name_of,
    size_of,
    state_text,
    tokens_text,
)
from agentbrief.sessions.context_used import SessionStatus
from agentbrief.sessions.session_items import SessionItem
from agentbrief.text.columns import shortened
from agentbrief_server.pages import address
from agentbrief_server.pictures import session_picture
from agentbrief_server.sessions.place import listed, now_ms
from agentbrief_server.state import Snapshot
from agentbrief_server.uris import uri_of

Row = dict[str, Any]

GROUPED_FROM = 200
"""Of more sessions there are groups: today, this week, older."""

MOST_ROWS = 1000
"""Of more sessions in one group the newest."""

LABEL_COLUMNS = 24
"""So wide may a title be: in a side bar of the usual width age and tokens are seen beside it."""

_DAY_MS = 24 * 60 * 60 * 1000
_GROUPS = (("today", 0, 1), ("week", 1, 7), ("older", 7, 1 << 30))


def session_rows(snapshot: Snapshot, folder: str, parent: str | None) -> list[Row]:
    """The rows of the sessions of a workspace folder, newest first. In a worker."""
    items = listed(snapshot, folder).items
    now = now_ms()
    if len(items) <= GROUPED_FROM:
        return [] if parent is not None else [_row(snapshot, folder, item, now) for item in items]
    groups = {name: _of_group(items, now, first, last) for name, first, last in _GROUPS}
    if parent is None:
        return [_group(snapshot, name, len(found)) for name, found in groups.items() if found]
    found = groups.get(parent.removeprefix("sessions:group:"), [])
    rows = [_row(snapshot, folder, item, now) for item in found[:MOST_ROWS]]
    return rows if len(found) <= MOST_ROWS else [*rows, _more(snapshot, folder, len(found) - MOST_ROWS)]


def session_budget_rows(snapshot: Snapshot, folder: str, parent: str | None) -> list[Row]:
    """The session in the view *Budget*: its share of the window, by kind, and where it is compacted."""
    status = snapshot.sessions.statuses.get(folder)
    if status is None:
        return []
    locale = snapshot.client.locale
    title = snapshot.sessions.titles.get(folder, "")
    if parent == "budget:session":
        return [
            _plain(
                f"budget:session:{kind}",
                say(locale, f"row.session.kind.{kind}"),
                f"~{short(tokens)}",
                "symbol-numeric",
            )
            for kind, tokens in status.by_kind
        ]
    if parent is not None:
        return []
    numbers = tokens_text(status.used, status.reported, status.window, locale)
    share = share_text(status) if status.window else ""
    # The numbers first: a title may be long.
    facts = " · ".join(fact for fact in (share, numbers, mask(title)) if fact)
    _, label = session_lines(status, title, locale)
    name = say(locale, "page.session")
    rows = [{**_plain("budget:session", name, facts, "comment-discussion"), "hasChildren": True}]
    rows[0] |= {"accessibilityLabel": label, "tooltip": _budget_tooltip(snapshot, status, title)}
    if status.compacts_at is not None:
        at = f"~{short(status.compacts_at)}"
        rows.append(_plain("budget:compacts", say(locale, "row.session.compacts"), at, "fold"))
    return rows


def _row(snapshot: Snapshot, folder: str, item: SessionItem, now: int) -> Row:
    locale = snapshot.client.locale
    days = snapshot.settings_of(folder).number("sessions.expiringDays") or 0
    age, tokens = age_text(item.updated_ms, now, locale), _tokens(snapshot, folder, item)
    state = mask(state_text(item, locale, days))
    name, agent = mask(name_of(item)), agent_title(item)
    faults = len(snapshot.sessions.findings.get(item.path, ()))
    # The numbers before the name of the agent: where a side bar is narrow, the end is not seen.
    parts = [age, tokens if item.used_tokens is not None else "", agent, state]
    if faults:
        parts.insert(0, say(locale, "row.session.faults", count=faults))
    label = say(locale, "row.session", title=name, agent=agent, age=age, tokens=tokens, state=state)
    page = address("session", say(locale, "page.session"), path=item.path)
    return {
        "id": f"session:{item.path}",
        "label": shortened(name, LABEL_COLUMNS),
        "description": " · ".join(part for part in parts if part),
        "tooltip": _tooltip(item, age, tokens, state, locale),
        "icon": _icon(item, days, faults),
        "accessibilityLabel": label,
        "contextValue": _context(item),
        "target": {"uri": page},
        "uri": uri_of(item.path),
        "hasChildren": False,
    }


def _tokens(snapshot: Snapshot, folder: str, item: SessionItem) -> str:
    """The numbers of the session that is followed are newer than the list's."""
    status, locale = snapshot.sessions.statuses.get(folder), snapshot.client.locale
    if status is not None and status.path == item.path:
        return tokens_text(status.used, status.reported, status.window, locale)
    return tokens_text(item.used_tokens, item.is_reported, item.window, locale)


def _tooltip(item: SessionItem, age: str, tokens: str, state: str, locale: str) -> str:
    head = say(
        locale,
        "row.session.tooltip",
        title=escape_markdown(mask(name_of(item))),
        agent=escape_markdown(agent_title(item)),
    )
    facts = [age, size_of(item), say(locale, "hover.session.tokens", tokens=tokens), state]
    if item.branch:
        facts.append(escape_markdown(mask(item.branch)))
    lines = [head, " · ".join(fact for fact in facts if fact)]
    if item.first:
        lines.append("> " + escape_markdown(mask(item.first)[:200].replace("\n", " ")))
    return "\n\n".join(lines)


def _icon(item: SessionItem, days: int, faults: int) -> str:
    if item.problem is not None or faults:
        return "warning"
    if item.state == "running":
        return "circle-filled"
    return "history" if expires_soon(item, days) else "circle-outline"


def _context(item: SessionItem) -> str:
    """What may be done with the row: an unreadable session is only shown, a foreign one never changed."""
    if item.problem is not None:
        return "session.unreadable"
    return f"session.own.{item.agent}" if item.writable else f"session.foreign.{item.agent}"


def _of_group(items: tuple[SessionItem, ...], now: int, first: int, last: int) -> list[SessionItem]:
    return [item for item in items if first <= max(now - item.updated_ms, 0) // _DAY_MS < last]


def _group(snapshot: Snapshot, name: str, count: int) -> Row:
    locale = snapshot.client.locale
    title, numbers = say(locale, f"row.session.{name}"), say(locale, "row.session.group", count=count)
    return {**_plain(f"sessions:group:{name}", title, numbers, "folder"), "hasChildren": True}


def _more(snapshot: Snapshot, folder: str, count: int) -> Row:
    """The row that stands for those that are not shown; their page has them all."""
    locale = snapshot.client.locale
    row = _plain("sessions:more", say(locale, "session.check.more", count=count), "", "ellipsis")
    return {**row, "target": {"uri": address("sessions", say(locale, "page.sessions"), folder=folder)}}


def _budget_tooltip(snapshot: Snapshot, status: SessionStatus, title: str) -> str:
    line, _ = session_lines(status, title, snapshot.client.locale)
    picture = session_picture(snapshot, status)
    return f"{line}\n\n{picture}" if picture else line


def _plain(identifier: str, label: str, description: str, icon: str) -> Row:
    accessible = f"{label}, {description}" if description else label
    return {
        "id": identifier,
        "label": label,
        "description": description,
        "tooltip": escape_markdown(accessible),
        "icon": icon,
        "accessibilityLabel": accessible,
        "contextValue": identifier.rsplit(":", 1)[0],
        "hasChildren": False,
    }
