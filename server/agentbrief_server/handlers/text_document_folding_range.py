"""``textDocument/foldingRange``: sections, fenced code, and the part that is not sent."""

from __future__ import annotations

from typing import Any

from lsprotocol import types as lsp

from agentbrief.brief import CutAt
from agentbrief.text.markdown import fences, sections
from agentbrief_server.seen import seen
from agentbrief_server.state import Snapshot


async def handle(snapshot: Snapshot, params: lsp.FoldingRangeParams) -> list[dict[str, Any]]:
    """Ranges by line; a section ends before the next heading of its level or a higher one."""
    found = seen(snapshot, params.text_document.uri)
    if found is None or found.placed.file.problem is not None:
        return []
    text, hidden, index = found.placed.file.text, found.hidden, found.index
    rows = [section for section in sections(text) if section.level]
    spans = [(fence.start, fence.end) for fence in fences(text)]
    for number, section in enumerate(rows):
        end = next(
            (other.span.start for other in rows[number + 1 :] if other.level <= section.level), len(text)
        )
        spans.append((section.span.start, len(text[:end].rstrip())))
    if isinstance(found.placed, CutAt):
        lost = found.placed.lost
        spans.append((lost.start, min(lost.end, len(text.rstrip()))))
    ranges: list[dict[str, Any]] = []
    for start, end in spans:
        first = index.line_of(max(0, start - hidden))
        last = index.line_of(max(0, max(start, end - 1) - hidden))
        if last > first:
            ranges.append({"startLine": first, "endLine": last, "kind": "region"})
    return ranges
