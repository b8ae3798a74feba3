"""``agentbrief.instructions.compare``: a file beside the other copy of its text."""

from __future__ import annotations

from typing import Any

from agentbrief.brief import DuplicateOf
from agentbrief_server.commands.arguments import Arguments
from agentbrief_server.commands.showing import show_page
from agentbrief_server.findings import findings_of
from agentbrief_server.seen import seen
from agentbrief_server.state import Snapshot
from agentbrief_server.surface import Surface
from agentbrief_server.uris import uri_of


async def run(snapshot: Snapshot, surface: Surface, arguments: Arguments) -> dict[str, Any]:
    """Show both; ``left`` and ``right`` are for a client that compares texts itself."""
    found = seen(snapshot, arguments.text("uri") or "")
    if found is None:
        raise arguments.missing("no-instruction-file")
    other = arguments.path("other") or _other_copy(snapshot, found.path)
    if isinstance(found.placed, DuplicateOf) and other is None:
        other = found.placed.survivor.path
    if other is None or snapshot.folder_of(other) is None:
        raise arguments.missing("no-copy")
    reply = await show_page(snapshot, surface, arguments, "copies", path=found.path, other=other)
    return {**reply, "left": uri_of(found.path), "right": uri_of(other)}


def _other_copy(snapshot: Snapshot, path: str) -> str | None:
    for each in findings_of(snapshot, path):
        if each.code == "duplicate-instructions":
            return str(dict(each.data)["other"])
    known = ((other, each) for other, found in snapshot.findings.items() for each in found)
    pairs = (
        other
        for other, each in known
        if each.code == "duplicate-instructions" and dict(each.data)["other"] == path
    )
    return next(pairs, None)
