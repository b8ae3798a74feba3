"""``agentbrief.runRestore.show``: what the next run of a session would send, part by part."""

from __future__ import annotations

from typing import Any

from agentbrief.report.session_record import masked_json
from agentbrief.report.store_run_page import run_record
from agentbrief_server.commands.arguments import Arguments
from agentbrief_server.sessions.commands import in_worker, show_session_page
from agentbrief_server.state import Snapshot
from agentbrief_server.store.commands import places_of
from agentbrief_server.store.runs import facts_of_run, wanted_of
from agentbrief_server.surface import Surface


async def run(snapshot: Snapshot, surface: Surface, arguments: Arguments) -> dict[str, Any]:
    """Show it for the session of the store ``uri`` with the key ``key``, or for the transcript ``uri``."""
    places = await places_of(snapshot, arguments)
    wanted = await wanted_of(snapshot, surface, arguments, places)
    if wanted is None:
        return {"shown": False}
    look, entry = wanted
    facts = await in_worker(arguments, lambda: facts_of_run(snapshot, look, entry))
    if facts is None:
        raise arguments.missing("run.none")
    about = {"path": look.place.path, "key": entry.key}
    shown = await show_session_page(snapshot, surface, arguments, "run-restore", **about)
    return {**shown, "run": masked_json(run_record(facts))}
