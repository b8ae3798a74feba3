"""``textDocument/documentSymbol``: the sections of an instruction file, each with its size; the entries of a
store of sessions.
"""

from __future__ import annotations

from typing import Any

from lsprotocol import types as lsp

from agentbrief.report.hints import section_detail
from agentbrief.report.section_rows import section_rows, sent_span
from agentbrief.text.span import Span
from agentbrief_server.seen import seen
from agentbrief_server.state import Snapshot
from agentbrief_server.store.documents import is_store_document
from agentbrief_server.to_lsp import range_of, shifted

_STRING = int(lsp.SymbolKind.String)


async def handle(snapshot: Snapshot, params: lsp.DocumentSymbolParams) -> list[dict[str, Any]]:
    """The sections as a tree by heading level."""
    found = seen(snapshot, params.text_document.uri)
    if found is None:
        return _in_store(snapshot, params.text_document.uri)
    if found.placed.file.problem is not None:
        return []
    encoding = snapshot.client.encoding
    text = found.placed.file.text
    top: list[dict[str, Any]] = []
    open_levels: list[tuple[int, dict[str, Any]]] = []
    rows = [row for row in section_rows(text, sent_span(found.brief, found.path)) if row.section.level]
    for number, row in enumerate(rows):
        section = row.section
        end = next(
            (
                other.section.span.start
                for other in rows[number + 1 :]
                if other.section.level <= section.level
            ),
            len(text),
        )
        symbol: dict[str, Any] = {
            "name": section.title or "#" * section.level,
            "detail": section_detail(found.agent, row, text, snapshot.client.locale),
            "kind": _STRING,
            "range": range_of(found.index, shifted(Span(section.span.start, end), found.hidden), encoding),
            "selectionRange": range_of(found.index, shifted(section.heading, found.hidden), encoding),
            "children": [],
        }
        while open_levels and open_levels[-1][0] >= section.level:
            open_levels.pop()
        (open_levels[-1][1]["children"] if open_levels else top).append(symbol)
        open_levels.append((section.level, symbol))
    return top


def _in_store(snapshot: Snapshot, uri: str) -> list[dict[str, Any]]:
    if not is_store_document(uri):
        return []
    from agentbrief_server.store.hover import store_symbols

    return store_symbols(snapshot, uri)
