"""How are the rows of the views written? Texts ready in the client's language, places in its columns."""

from __future__ import annotations

from typing import Any

from agentbrief.brief import Brief, DuplicateOf
from agentbrief.messages import say
from agentbrief.profiles.profile import AgentProfile
from agentbrief.redact import escape_markdown, mask
from agentbrief.report import bars
from agentbrief.report.chain import ChainRow, chain_rows
from agentbrief.report.chain_page import reason
from agentbrief.report.numbers import short
from agentbrief.report.section_rows import largest, section_rows, sent_span
from agentbrief.text.span import Span
from agentbrief_server.documents import line_index
from agentbrief_server.pictures import files_picture
from agentbrief_server.state import Snapshot
from agentbrief_server.to_lsp import range_of, shifted
from agentbrief_server.uris import uri_of

Row = dict[str, Any]

_ICONS = {
    "sent": "check",
    "cut": "warning",
    "duplicate": "copy",
    "omitted": "circle-slash",
    "not-loaded": "error",
    "unread": "circle-slash",
    "above": "arrow-up",
    "near-miss": "question",
}


def file_rows(snapshot: Snapshot, agent: AgentProfile, brief: Brief, parent: str | None) -> list[Row]:
    """The rows of the view *Instruction Files*: the chain, nearest file first."""
    if parent is not None:
        return []
    rows = chain_rows(agent, brief)
    return [_file_row(snapshot, agent, brief, row, rows) for row in rows]


def _file_row(
    snapshot: Snapshot, agent: AgentProfile, brief: Brief, row: ChainRow, rows: tuple[ChainRow, ...]
) -> Row:
    locale = snapshot.client.locale
    words = reason(row, locale)
    if row.state == "sent":
        description = f"{row.sent:,}"
        label = say(locale, "row.sent", name=row.label, sent=row.sent, agent=agent.title)
    elif row.state == "cut":
        description = say(locale, "row.cut.short", sent=row.sent, total=row.total)
        label = say(locale, "row.cut", name=row.label, sent=row.sent, total=row.total, agent=agent.title)
    else:
        description = words
        label = say(locale, "row.other", name=row.label, reason=words)
    target: dict[str, Any] = {"uri": uri_of(row.path)}
    placed = brief.placement(row.path)
    if row.cut is not None and placed is not None:
        index = line_index(placed.file.text[placed.file.hidden :])
        cut = shifted(Span(row.cut, row.cut), placed.file.hidden)
        target["range"] = range_of(index, cut, snapshot.client.encoding)
    kept = {"other": uri_of(placed.survivor.path)} if isinstance(placed, DuplicateOf) else {}
    return {
        "id": f"files:{row.path}",
        "label": f"{row.label} → {row.link_to}" if row.link_to else row.label,
        "description": mask(description),
        "tooltip": mask(_tooltip(snapshot, agent, brief, row, rows)),
        "icon": _ICONS[row.state],
        "accessibilityLabel": mask(label),
        "contextValue": f"instruction-file.{row.state}",
        "target": target,
        **kept,
        "hasChildren": False,
    }


def _tooltip(
    snapshot: Snapshot, agent: AgentProfile, brief: Brief, row: ChainRow, rows: tuple[ChainRow, ...]
) -> str:
    locale = snapshot.client.locale
    parts = [f"**{escape_markdown(row.label)}** · {reason(row, locale)}"]
    if row.rank:
        ranked = sum(each.rank > 0 for each in rows)
        place = str(row.place) if row.place else "–"
        parts.append(
            say(locale, "hover.rank", rank=row.rank, count=ranked, place=place, places=len(brief.entries))
        )
        parts.append(files_picture(snapshot, agent, brief))
    return "\n\n".join(part for part in parts if part)


def budget_rows(snapshot: Snapshot, agent: AgentProfile, brief: Brief, parent: str | None) -> list[Row]:
    """The rows of the view *Budget*: the total, and below it the largest sections of the largest file."""
    locale = snapshot.client.locale
    if parent == "budget:sections":
        return _sections(snapshot, brief)
    if parent is not None:
        return []
    numbers = say(
        locale,
        "row.total.numbers",
        sent=short(brief.sent_chars),
        max=short(brief.limits.total),
        percent=bars.percent(brief.sent_chars, brief.limits.total),
    )
    label = say(locale, "status.files", agent=agent.title, sent=brief.sent_chars, max=brief.limits.total)
    rows = [_plain("budget:total", say(locale, "row.total"), numbers, label, "book")]
    if brief.entries:
        title = say(locale, "row.sections")
        names = ", ".join(
            f"{row['label']} {row['description'].split(' ')[0]}" for row in _sections(snapshot, brief)[:1]
        )
        rows.append({**_plain("budget:sections", title, names, title, "list-tree"), "hasChildren": True})
    return rows


def _sections(snapshot: Snapshot, brief: Brief) -> list[Row]:
    entry = max(brief.entries, key=lambda each: each.file.chars)
    locale, file = snapshot.client.locale, entry.file
    index = line_index(file.text[file.hidden :])
    rows: list[Row] = []
    for row in largest(section_rows(file.text, sent_span(brief, file.path)))[:10]:
        title = row.title or say(locale, "budget.before-headings")
        numbers = say(locale, "row.section.numbers", chars=row.chars, share=row.share)
        place = range_of(index, shifted(row.section.heading, file.hidden), snapshot.client.encoding)
        made = _plain(
            f"budget:section:{row.section.span.start}", title, numbers, f"{title}, {numbers}", "symbol-string"
        )
        rows.append({**made, "target": {"uri": uri_of(file.path), "range": place}})
    return rows


def _plain(identifier: str, label: str, description: str, accessible: str, icon: str) -> Row:
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
