"""``agentbrief.checkpoint.list``: the earlier states of a session that can come back, on a page."""

from __future__ import annotations

from typing import Any

from agentbrief.report.checkpoint_page import checkpoint_record
from agentbrief.report.session_record import masked_json
from agentbrief.tasks.compaction.shown import checkpoint_shown
from agentbrief_server.commands.arguments import Arguments
from agentbrief_server.compaction.restoring import checkpoints_of
from agentbrief_server.sessions.commands import file_of, folder_of, show_session_page
from agentbrief_server.state import Snapshot
from agentbrief_server.surface import Surface
from agentbrief_server.uris import uri_of


async def run(snapshot: Snapshot, surface: Surface, arguments: Arguments) -> dict[str, Any]:
    """Those of the session that ``uri`` or ``id`` names, newest first."""
    folder = folder_of(snapshot, arguments)
    file = await file_of(snapshot, surface, arguments)
    if file is None:
        return {"checkpoints": [], "shown": False}
    found = await checkpoints_of(snapshot, arguments, folder, file)
    shown = await show_session_page(snapshot, surface, arguments, "checkpoints", path=file.path)
    records = [masked_json(checkpoint_record(checkpoint_shown(row))) for row in found.rows]
    return {**shown, "session": uri_of(file.path), "checkpoints": records}
