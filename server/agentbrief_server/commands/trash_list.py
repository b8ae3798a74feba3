"""``agentbrief.trash.list``: what lies in the trash of the stores and of the workspace's own sessions."""

from __future__ import annotations

from typing import Any

from agentbrief.report.session_record import masked_json
from agentbrief.report.store_trash_text import trash_record
from agentbrief_server.commands.arguments import Arguments
from agentbrief_server.sessions.commands import in_worker, show_session_page
from agentbrief_server.state import Snapshot
from agentbrief_server.store.commands import about_of, stores_setup, trashing_places
from agentbrief_server.store.pages import trashes
from agentbrief_server.surface import Surface


async def run(snapshot: Snapshot, surface: Surface, arguments: Arguments) -> dict[str, Any]:
    """Show the trash of the store that ``uri`` names, else all of it."""
    places = await trashing_places(snapshot, arguments)
    found = await in_worker(arguments, lambda: trashes(snapshot, places))
    days = stores_setup(snapshot).settings.number("maintenance.trashDays") or 0
    shown = await show_session_page(snapshot, surface, arguments, "trash", **about_of(places))
    locale = snapshot.client.locale
    return {**shown, "stores": [masked_json(trash_record(each, days, locale)) for each in found]}
