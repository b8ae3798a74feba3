"""``agentbrief.prompt.show``: the assembled prompt with the exact instruction text, cut and joined."""

from __future__ import annotations

import datetime
import platform
from typing import Any

from agentbrief_server.commands.arguments import Arguments
from agentbrief_server.commands.showing import show_page
from agentbrief_server.state import Snapshot
from agentbrief_server.surface import Surface


async def run(snapshot: Snapshot, surface: Surface, arguments: Arguments) -> dict[str, Any]:
    """Show the prompt of an agent that is started today, on this system."""
    system = " ".join(part for part in (platform.system().lower(), platform.release()) if part)
    agent = arguments.text("agent") or ""
    today = datetime.date.today().isoformat()
    return await show_page(snapshot, surface, arguments, "prompt", agent=agent, date=today, platform=system)
