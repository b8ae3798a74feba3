"""``agentbrief.session.new``: begin a session of the workspace's own, in memory."""

from __future__ import annotations

from typing import Any

from agentbrief_server.commands.arguments import Arguments
from agentbrief_server.sessions.commands import desk_of, done, folder_of, in_worker, named_id, require_trust
from agentbrief_server.sessions.place import sessions_setup
from agentbrief_server.state import Snapshot
from agentbrief_server.surface import Surface
from agentbrief_server.uris import uri_of


async def run(snapshot: Snapshot, surface: Surface, arguments: Arguments) -> dict[str, Any]:
    """Begin the session ``id``, or one with an identifier made of the time. Nothing is written yet."""
    require_trust(snapshot, arguments)
    folder, session_id = folder_of(snapshot, arguments), named_id(arguments)
    own, fs = desk_of(snapshot).own(folder), sessions_setup(snapshot, folder).fs
    found = done(arguments, await in_worker(arguments, lambda: own.begin(fs, session_id)))
    return {"id": found.file.session_id, "uri": uri_of(found.file.path), "saved": False}
