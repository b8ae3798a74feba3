"""``agentbrief.session.append``: add a message to a session of the workspace's own, in memory."""

from __future__ import annotations

from typing import Any

from agentbrief.sessions.model import Role
from agentbrief.tasks.sessions.own import ROLES, message_of
from agentbrief_server.commands.arguments import Arguments
from agentbrief_server.sessions.commands import (
    desk_of,
    done,
    folder_of,
    in_worker,
    named_id,
    require_trust,
    words_of,
)
from agentbrief_server.sessions.place import sessions_setup
from agentbrief_server.state import Snapshot
from agentbrief_server.surface import Surface


async def run(snapshot: Snapshot, surface: Surface, arguments: Arguments) -> dict[str, Any]:
    """Add ``text`` with the role ``role`` (else user) to the session ``id``, else to the current one."""
    require_trust(snapshot, arguments)
    folder = folder_of(snapshot, arguments)
    named = arguments.text("role") or "user"
    roles: list[Role] = [each for each in ROLES if each == named]
    if not roles:
        raise arguments.wrong("role")
    message = message_of(roles[0], words_of(arguments))
    own, fs = desk_of(snapshot).own(folder), sessions_setup(snapshot, folder).fs
    session_id = named_id(arguments) or own.current
    if session_id is None:
        raise arguments.missing("session.none-named")
    found = done(arguments, await in_worker(arguments, lambda: own.append(fs, session_id, message)))
    return {
        "id": session_id,
        "messages": len(found.session.messages),
        "unflushed": len(found.transcript.entries),
        "saved": not found.is_changed,
    }
