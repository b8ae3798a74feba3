"""``agentbrief.session.save``: write a session of the workspace's own to its file."""

from __future__ import annotations

from typing import Any

from agentbrief.tasks.sessions.own import NotOwn
from agentbrief_server.commands.arguments import Arguments
from agentbrief_server.sessions.commands import desk_of, done, folder_of, in_worker, named_id, require_trust
from agentbrief_server.sessions.own import OpenSession
from agentbrief_server.sessions.place import sessions_setup
from agentbrief_server.state import Snapshot
from agentbrief_server.surface import Surface
from agentbrief_server.uris import uri_of


async def run(snapshot: Snapshot, surface: Surface, arguments: Arguments) -> dict[str, Any]:
    """Write the session ``id``, else the current one; a file that was there is copied first."""
    require_trust(snapshot, arguments)
    folder = folder_of(snapshot, arguments)
    desk, fs = desk_of(snapshot), sessions_setup(snapshot, folder).fs
    own = desk.own(folder)
    session_id = named_id(arguments) or own.current
    if session_id is None:
        raise arguments.missing("session.none-named")

    def made() -> OpenSession | NotOwn:
        desk.require_trust()
        return own.save(fs, session_id)

    found = done(arguments, await in_worker(arguments, made))
    desk.changed()
    return {"id": session_id, "uri": uri_of(found.file.path), "messages": len(found.session.messages)}
