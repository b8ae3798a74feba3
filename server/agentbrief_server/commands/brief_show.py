"""``agentbrief.brief.show``: the instruction files in effect, in order, and why a file is not sent."""

from __future__ import annotations

from typing import Any

from agentbrief_server.commands.arguments import Arguments
from agentbrief_server.commands.showing import show_page
from agentbrief_server.state import Snapshot
from agentbrief_server.surface import Surface


async def run(snapshot: Snapshot, surface: Surface, arguments: Arguments) -> dict[str, Any]:
    """Show the chain page of the leading agent, or of the argument ``agent``."""
    return await show_page(snapshot, surface, arguments, "brief", agent=arguments.text("agent") or "")
