"""``agentbrief.hiddenText.show``: the file as the agent reads it, what cannot be seen made visible."""

from __future__ import annotations

from typing import Any

from agentbrief_server.commands.arguments import Arguments
from agentbrief_server.commands.showing import show_page
from agentbrief_server.seen import seen
from agentbrief_server.state import Snapshot
from agentbrief_server.surface import Surface
from agentbrief_server.uris import uri_of


async def run(snapshot: Snapshot, surface: Surface, arguments: Arguments) -> dict[str, Any]:
    """Show the text with stand-ins.

    ``left`` is the file itself, for a client that shows both side by side.
    """
    found = seen(snapshot, arguments.text("uri") or "")
    if found is None:
        raise arguments.missing("no-instruction-file")
    reply = await show_page(snapshot, surface, arguments, "hidden", path=found.path)
    return {**reply, "left": uri_of(found.path), "right": reply["uri"]}
