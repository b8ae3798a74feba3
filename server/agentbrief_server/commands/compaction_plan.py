"""``agentbrief.compaction.plan``: what a compaction would do. Nothing is changed."""

from __future__ import annotations

from typing import Any

from agentbrief_server.commands.arguments import Arguments
from agentbrief_server.compaction.pages import show_preview
from agentbrief_server.compaction.work import asked_of, previewed, reply_of
from agentbrief_server.sessions.commands import file_of, folder_of, is_interactive
from agentbrief_server.state import Snapshot
from agentbrief_server.surface import Surface


async def run(snapshot: Snapshot, surface: Surface, arguments: Arguments) -> dict[str, Any]:
    """Plan the compaction of the session that ``uri`` or ``id`` names, and show it.

    ``token`` of the reply carries out exactly this, while the session stays as it is. A session that is only
    read is planned into a copy, as is any with ``output``.
    """
    folder = folder_of(snapshot, arguments)
    asked = asked_of(snapshot, arguments, folder)
    file = await file_of(snapshot, surface, arguments)
    if file is None:
        return {"ended": "cancelled", "token": None}
    preview, token = await previewed(snapshot, arguments, folder, file, asked, "if-needed")
    reply = reply_of(preview, token, snapshot.client.locale)
    if token is None:
        if is_interactive(arguments):
            surface.say(str(reply["message"]))
        return reply
    return reply | await show_preview(snapshot, surface, arguments, "compaction", token)
