"""``agentbrief.store.doctor``: what is wrong with the stores, and what helps."""

from __future__ import annotations

from typing import Any

from agentbrief.report.session_record import masked_json
from agentbrief.report.store_doctor import doctor_record
from agentbrief_server.commands.arguments import Arguments
from agentbrief_server.sessions.commands import in_worker, show_session_page
from agentbrief_server.state import Snapshot
from agentbrief_server.store.commands import about_of, places_of
from agentbrief_server.store.pages import diagnoses
from agentbrief_server.surface import Surface


async def run(snapshot: Snapshot, surface: Surface, arguments: Arguments) -> dict[str, Any]:
    """Examine the store that ``uri`` names, else all."""
    places = await places_of(snapshot, arguments)
    found, unread = await in_worker(arguments, lambda: diagnoses(snapshot, places))
    shown = await show_session_page(snapshot, surface, arguments, "doctor", **about_of(places))
    records = [masked_json(doctor_record(each, snapshot.client.locale)) for each in found]
    return {**shown, "stores": records, "notRead": unread}
