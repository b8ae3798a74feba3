"""``agentbrief.session.compactCopy``: a compacted copy of a session; the session itself stays as it is."""

from __future__ import annotations

from typing import Any

from agentbrief_server.commands.arguments import Arguments
from agentbrief_server.compaction.flow import run_compaction
from agentbrief_server.state import Snapshot
from agentbrief_server.surface import Surface


async def run(snapshot: Snapshot, surface: Surface, arguments: Arguments) -> dict[str, Any]:
    """As ``session.compact``, into ``output``, else beside a session of the workspace or into its folder."""
    return await run_compaction(snapshot, surface, arguments, into_copy=True)
