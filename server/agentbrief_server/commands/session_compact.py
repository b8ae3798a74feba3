"""``agentbrief.session.compact``: compact a session in its place, a checkpoint first."""

from __future__ import annotations

from typing import Any

from agentbrief_server.commands.arguments import Arguments
from agentbrief_server.compaction.flow import run_compaction
from agentbrief_server.state import Snapshot
from agentbrief_server.surface import Surface


async def run(snapshot: Snapshot, surface: Surface, arguments: Arguments) -> dict[str, Any]:
    """Carry out the preview that ``token`` names, without a question.

    Without a token the session of ``uri`` or ``id`` is previewed, the user is asked, and then offered the way
    back.
    """
    return await run_compaction(snapshot, surface, arguments, into_copy=False)
