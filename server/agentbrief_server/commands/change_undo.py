"""``agentbrief.change.undo``: take back the last compaction, cleanup, restore or note, to the exact bytes."""

from __future__ import annotations

from typing import Any

from agentbrief_server.commands.arguments import Arguments
from agentbrief_server.compaction.undoing import undone, undone_text
from agentbrief_server.sessions.commands import desk_of, require_trust
from agentbrief_server.state import Snapshot
from agentbrief_server.store.work import taken_back
from agentbrief_server.surface import Surface
from agentbrief_server.uris import uri_of


async def run(snapshot: Snapshot, surface: Surface, arguments: Arguments) -> dict[str, Any]:
    """Take back the change that ``change`` names, else the last one.

    A file that was changed since stays as it is.
    """
    require_trust(snapshot, arguments)
    named, desk = arguments.text("change"), desk_of(snapshot)
    kept, cleanups = desk.compactions.changes, desk.stores.changes
    token = named or (cleanups if cleanups.newest > kept.newest else kept).latest()
    if token is None:
        raise arguments.missing("change.none")
    cleanup = cleanups.at(token)
    if cleanup is not None:
        sentence = await taken_back(snapshot, arguments, token, cleanup)
        if named is None:
            surface.say(sentence)
        return {"undone": True, "uri": uri_of(cleanup.done[0][0].path), "message": sentence}
    change = await undone(snapshot, arguments, token)
    sentence = undone_text(change, snapshot.client.locale)
    if named is None:
        surface.say(sentence)
    return {"undone": True, "uri": uri_of(change.path), "message": sentence}
