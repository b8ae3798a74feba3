"""``agentbrief.store.status``: how the stores and their sessions stand."""

from __future__ import annotations

from typing import Any

from agentbrief.report.session_record import masked_json
from agentbrief_server.commands.arguments import Arguments
from agentbrief_server.sessions.commands import in_worker, show_session_page
from agentbrief_server.state import Snapshot
from agentbrief_server.store.commands import about_of, places_of
from agentbrief_server.store.pages import facts_of
from agentbrief_server.surface import Surface


async def run(snapshot: Snapshot, surface: Surface, arguments: Arguments) -> dict[str, Any]:
    """Show the store that ``uri`` names, else all; with ``key`` one session in full."""
    key, places = arguments.text("key"), await places_of(snapshot, arguments)
    found, unread = await in_worker(arguments, lambda: facts_of(snapshot, places, key))
    if key is not None and not found:
        raise arguments.missing("store.no-session-here")
    about = about_of(places) | ({"key": key} if key is not None else {})
    shown = await show_session_page(snapshot, surface, arguments, "stores", **about)
    return {**shown, "stores": [masked_json(each.record()) for each in found], "notRead": unread}
