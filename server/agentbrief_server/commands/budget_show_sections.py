"""``agentbrief.budget.showSections``: the sections of one file by size."""

from __future__ import annotations

from typing import Any

from agentbrief.report.section_rows import largest, section_rows, sent_span
from agentbrief_server.commands.arguments import Arguments
from agentbrief_server.commands.showing import show_page
from agentbrief_server.documents import line_index
from agentbrief_server.seen import seen
from agentbrief_server.state import Snapshot
from agentbrief_server.surface import Surface
from agentbrief_server.to_lsp import range_of, shifted


async def run(snapshot: Snapshot, surface: Surface, arguments: Arguments) -> dict[str, Any]:
    """Show the sections page.

    The reply holds the sections themselves, for a client with a list to pick from.
    """
    found = seen(snapshot, arguments.text("uri") or "")
    if found is None:
        raise arguments.missing("no-instruction-file")
    index = line_index(found.editor_text)
    rows = largest(section_rows(found.placed.file.text, sent_span(found.brief, found.path)))
    sections = [
        {
            "title": row.title,
            "characters": row.chars,
            "share": row.share,
            "reach": row.reach,
            "range": range_of(index, shifted(row.section.heading, found.hidden), snapshot.client.encoding),
        }
        for row in rows
    ]
    start = found.placed.file.folder
    reply = await show_page(
        snapshot, surface, arguments, "sections", start=start, path=found.path, agent=found.agent.id
    )
    return {**reply, "sections": sections}
