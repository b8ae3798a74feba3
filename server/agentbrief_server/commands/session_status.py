"""``agentbrief.session.status``: how full the context of a session is."""

from __future__ import annotations

from typing import Any

from agentbrief.report.session_record import masked_json, status_record
from agentbrief.sessions.context_used import SessionStatus
from agentbrief.tasks.sessions.read import NotASession
from agentbrief.tasks.sessions.status import status_of, used_now
from agentbrief_server.commands.arguments import Arguments
from agentbrief_server.sessions.commands import (
    folder_of,
    in_worker,
    item_of,
    named_id,
    named_path,
    not_done,
    require_trust,
)
from agentbrief_server.sessions.place import file_at, is_own, listed, sessions_setup
from agentbrief_server.state import Snapshot
from agentbrief_server.surface import Surface
from agentbrief_server.uris import uri_of


async def run(snapshot: Snapshot, surface: Surface, arguments: Arguments) -> dict[str, Any] | None:
    """What ``agentbrief/didChangeSession`` says of the session that ``uri`` or ``id`` names.

    Without a name, of the newest session of the workspace folder; None where there is none.
    """
    folder = folder_of(snapshot, arguments)
    if named_path(snapshot, arguments) is not None or named_id(arguments) is not None:
        item = await item_of(snapshot, arguments)
    else:
        found = await in_worker(arguments, lambda: listed(snapshot, folder))
        usable = (each for each in found.items if each.problem is None and not each.is_foreign)
        readable = (each for each in usable if snapshot.trusted or not each.is_own)
        newest = next(readable, None)
        if newest is None:
            return None
        item = newest
    if is_own(snapshot, item.path):
        require_trust(snapshot, arguments)

    def made() -> SessionStatus | NotASession:
        file = file_at(snapshot, item.path)
        if isinstance(file, NotASession):
            return file
        setup = sessions_setup(snapshot, folder)
        told = item.window if file.agent.id == "openclaw" else None
        return status_of(setup, file, used_now(setup, file), file.stamp, told)

    status = await in_worker(arguments, made)
    if isinstance(status, NotASession):
        raise not_done(arguments, status.path, status.why)
    record = masked_json({"uri": uri_of(status.path), **status_record(status)})
    assert isinstance(record, dict)
    return {**record, "title": masked_json(item.title)}
