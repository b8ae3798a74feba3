"""``agentbrief.session.list``: the sessions of a workspace folder, whatever agent wrote them."""

from __future__ import annotations

from typing import Any

from agentbrief.report.session_record import item_record, masked_json
from agentbrief.tasks.sessions.facts import found_by
from agentbrief_server.commands.arguments import Arguments
from agentbrief_server.sessions.commands import desk_of, folder_of, in_worker, show_session_page
from agentbrief_server.sessions.place import listed, sessions_setup
from agentbrief_server.state import Snapshot
from agentbrief_server.surface import Surface


async def run(snapshot: Snapshot, surface: Surface, arguments: Arguments) -> dict[str, Any]:
    """The list: of ``folder``, or with ``all: true`` of this machine; ``find``: those that hold the words.

    ``show: true`` shows it as a page.
    """
    every, words = arguments.flag("all", False), arguments.text("find")
    folder = None if every else folder_of(snapshot, arguments)

    def made() -> dict[str, Any]:
        found, setup = listed(snapshot, folder), sessions_setup(snapshot, folder)
        items = found_by(setup, found.items, found.stores, words) if words else found.items
        return {
            "sessions": [masked_json(item_record(item)) for item in items],
            "lookedIn": list(found.looked_in),
            "problems": [{"path": path, "reason": why} for path, why in found.problems],
            "databases": list(found.databases),
        }

    reply = await in_worker(arguments, made)
    desk_of(snapshot).listed(snapshot, folder)
    if arguments.flag("show", False):
        about = {"all": "1"} if folder is None else {"folder": folder}
        shown = await show_session_page(snapshot, surface, arguments, "sessions", find=words or "", **about)
        return {**reply, **shown}
    return reply
