"""``agentbrief.context.show``: what is in the project."""

from __future__ import annotations

from typing import Any

from agentbrief_server.commands.arguments import Arguments
from agentbrief_server.commands.showing import show_page
from agentbrief_server.state import Snapshot
from agentbrief_server.surface import Surface


async def run(snapshot: Snapshot, surface: Surface, arguments: Arguments) -> dict[str, Any]:
    """Show the context page of the workspace folder that the arguments name."""
    path = arguments.path("folder") or arguments.path()
    folder = snapshot.folder_of(path) if path is not None else next(iter(snapshot.folders), None)
    if folder is None:
        raise arguments.missing("no-folder")
    if folder not in snapshot.projects:
        raise arguments.missing("still-reading")
    return await show_page(snapshot, surface, arguments, "context", folder=folder)
