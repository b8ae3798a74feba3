"""``agentbrief.session.flush``: add what happened in a session to its transcript and its history."""

from __future__ import annotations

from typing import Any

from agentbrief.tasks.sessions.own import NotOwn
from agentbrief_server.commands.arguments import Arguments
from agentbrief_server.sessions.commands import desk_of, done, folder_of, in_worker, named_id, require_trust
from agentbrief_server.sessions.place import sessions_setup
from agentbrief_server.state import Snapshot
from agentbrief_server.surface import Surface


async def run(snapshot: Snapshot, surface: Surface, arguments: Arguments) -> dict[str, Any]:
    """Write the entries of the session ``id``, else of the current one, and the events of the workspace."""
    require_trust(snapshot, arguments)
    folder = folder_of(snapshot, arguments)
    desk, fs = desk_of(snapshot), sessions_setup(snapshot, folder).fs
    own = desk.own(folder)
    session_id = named_id(arguments) or own.current
    if session_id is None:
        raise arguments.missing("session.none-named")

    def made() -> tuple[int, int] | NotOwn:
        desk.require_trust()
        return own.flush(fs, session_id)

    entries, events = done(arguments, await in_worker(arguments, made))
    return {"id": session_id, "entries": entries, "events": events}
