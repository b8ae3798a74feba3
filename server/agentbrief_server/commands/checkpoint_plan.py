"""``agentbrief.checkpoint.plan``: what bringing back a checkpoint would do. Nothing is changed."""

from __future__ import annotations

from typing import Any

from agentbrief_server.commands.arguments import Arguments
from agentbrief_server.compaction.pages import show_preview
from agentbrief_server.compaction.restoring import (
    checkpoints_of,
    chosen_checkpoint,
    restore_previewed,
    restore_reply,
)
from agentbrief_server.sessions.commands import file_of, folder_of
from agentbrief_server.state import Snapshot
from agentbrief_server.surface import Surface


async def run(snapshot: Snapshot, surface: Surface, arguments: Arguments) -> dict[str, Any]:
    """Plan the return of ``checkpoint`` of the session that ``uri`` or ``id`` names, and show it.

    ``token`` of the reply carries out exactly this, while the session stays as it is.
    """
    folder = folder_of(snapshot, arguments)
    file = await file_of(snapshot, surface, arguments)
    if file is None:
        return {"token": None}
    found = await checkpoints_of(snapshot, arguments, folder, file)
    checkpoint = await chosen_checkpoint(snapshot, surface, arguments, found)
    if checkpoint is None:
        return {"token": None}
    preview, token = await restore_previewed(snapshot, arguments, folder, found, checkpoint)
    reply = restore_reply(preview, token, snapshot.client.locale)
    return reply | await show_preview(snapshot, surface, arguments, "restore", token)
