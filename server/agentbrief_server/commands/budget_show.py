"""``agentbrief.budget.show``: where the budget goes, by file and by section."""

from __future__ import annotations

from typing import Any

from agentbrief_server.commands.arguments import Arguments
from agentbrief_server.commands.showing import show_page
from agentbrief_server.state import Snapshot
from agentbrief_server.surface import Surface


async def run(snapshot: Snapshot, surface: Surface, arguments: Arguments) -> dict[str, Any]:
    """Show the budget page; with ``uri`` the sections are those of that file."""
    path = arguments.path()
    about = {"path": path} if path is not None and snapshot.names.has(path) else {}
    start = arguments.start(snapshot)
    pictures = snapshot.settings_of(snapshot.folder_of(start)).text("pictures")
    return await show_page(snapshot, surface, arguments, "budget", start=start, pictures=pictures, **about)
