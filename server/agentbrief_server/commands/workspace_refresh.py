"""``agentbrief.workspace.refresh``: read everything again."""

from __future__ import annotations

from typing import Any

from agentbrief_server.commands.arguments import Arguments
from agentbrief_server.state import Snapshot
from agentbrief_server.surface import Surface


async def run(snapshot: Snapshot, surface: Surface, arguments: Arguments) -> dict[str, Any]:
    """Forget what is known of the disk and look again."""
    surface.refresh()
    return {"folders": len(snapshot.folders)}
