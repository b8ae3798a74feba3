"""``agentbrief.session.open``: the end of a session as Markdown, secrets masked."""

from __future__ import annotations

from typing import Any

from agentbrief.history.parts import LEVELS
from agentbrief_server.commands.arguments import Arguments
from agentbrief_server.sessions.commands import file_of, show_session_page
from agentbrief_server.state import Snapshot
from agentbrief_server.surface import Surface


async def run(snapshot: Snapshot, surface: Surface, arguments: Arguments) -> dict[str, Any]:
    """Show the session that ``uri`` or ``id`` names, else one that the user chooses, told at ``level``."""
    level = arguments.text("level") or ""
    if level and level not in LEVELS:
        raise arguments.wrong("level")
    file = await file_of(snapshot, surface, arguments)
    if file is None:
        return {"shown": False}
    reply = await show_session_page(snapshot, surface, arguments, "session", path=file.path, level=level)
    return {**reply, "sessionId": file.session_id, "agent": file.agent.id}
