"""``agentbrief.instructions.goToCut``: the first character that is not sent."""

from __future__ import annotations

from typing import Any

from agentbrief.brief import CutAt, Omitted
from agentbrief.messages import say
from agentbrief.text.span import Span
from agentbrief_server.commands.arguments import Arguments
from agentbrief_server.seen import seen
from agentbrief_server.state import Snapshot
from agentbrief_server.surface import Surface
from agentbrief_server.to_lsp import range_of, shifted


async def run(snapshot: Snapshot, surface: Surface, arguments: Arguments) -> dict[str, Any]:
    """Put the cursor there; the reply holds the place, or null where everything is sent."""
    uri = arguments.text("uri") or ""
    found = seen(snapshot, uri)
    if found is None:
        raise arguments.missing("no-instruction-file")
    placed = found.placed
    if isinstance(placed, CutAt):
        offset = placed.at
    elif isinstance(placed, Omitted) and placed.why == "budget":
        offset = 0
    else:
        surface.say(say(snapshot.client.locale, "nothing-cut", agent=found.agent.title))
        return {"uri": uri, "range": None, "shown": False}
    place = range_of(found.index, shifted(Span(offset, offset), found.hidden), snapshot.client.encoding)
    shown = arguments.flag("show", True) and await surface.show_document(snapshot, uri, place)
    return {"uri": uri, "range": place, "shown": shown}
