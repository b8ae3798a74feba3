"""``agentbrief.brief.compare``: what several agents are told, side by side."""

from __future__ import annotations

from typing import Any

from agentbrief.tasks.setup import all_agents
from agentbrief_server.commands.arguments import Arguments
from agentbrief_server.commands.showing import show_page
from agentbrief_server.state import Snapshot
from agentbrief_server.surface import Surface


async def run(snapshot: Snapshot, surface: Surface, arguments: Arguments) -> dict[str, Any]:
    """Show the page for the argument ``agents``.

    Without it, for all agents whose instruction rules are known.
    """
    known = [each.id for each in all_agents(snapshot.settings_of(None))]
    names = arguments.strings("agents") or known
    if any(name not in known for name in names):
        raise arguments.wrong("agents")
    return await show_page(snapshot, surface, arguments, "compare", agents=",".join(names))
