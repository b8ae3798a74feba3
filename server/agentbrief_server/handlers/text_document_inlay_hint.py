"""``textDocument/inlayHint``: the size of the file and of its sections; off unless a setting asks for it."""

from __future__ import annotations

from typing import Any

from lsprotocol import types as lsp

from agentbrief.report.hints import heading_hint, total_hint
from agentbrief.report.section_rows import section_rows, sent_span
from agentbrief_server.seen import seen
from agentbrief_server.state import Snapshot
from agentbrief_server.to_lsp import position


async def handle(snapshot: Snapshot, params: lsp.InlayHintParams) -> list[dict[str, Any]]:
    """The hints whose place lies in the range that is asked for."""
    found = seen(snapshot, params.text_document.uri)
    if found is None or found.placed.file.problem is not None:
        return []
    locale, encoding = snapshot.client.locale, snapshot.client.encoding
    places: list[tuple[int, str]] = []
    if found.settings.flag("inlayHints.total"):
        places.append((found.index.line_end(0), total_hint(found.agent, found.placed, locale)))
    if found.settings.flag("inlayHints.headings"):
        text = found.placed.file.text
        rows = section_rows(text, sent_span(found.brief, found.path))
        places += [
            (row.section.heading.end - found.hidden, heading_hint(found.agent, row, text, locale))
            for row in rows
            if row.section.level
        ]
    first, last = params.range.start.line, params.range.end.line
    return [
        {"position": position(found.index, offset, encoding), "label": label, "paddingLeft": True}
        for offset, label in places
        if first <= found.index.line_of(offset) <= last
    ]
