"""``agentbrief.maintenance.plan``: what a cleanup of the stores would do. Nothing is changed."""

from __future__ import annotations

from typing import Any

from agentbrief_server.commands.arguments import Arguments
from agentbrief_server.sessions.commands import desk_of, in_worker, show_session_page
from agentbrief_server.state import Snapshot
from agentbrief_server.store.commands import about_of, in_use_of, places_of, previewed, stores_setup
from agentbrief_server.store.work import reply_of
from agentbrief_server.surface import Surface


async def run(snapshot: Snapshot, surface: Surface, arguments: Arguments) -> dict[str, Any]:
    """Plan the cleanup of the store that ``uri`` names, else of all, and show it.

    ``token`` of the reply carries out exactly this, less what came into use since; none where there is
    nothing to do. ``fixMissing: true`` also drops sessions without a transcript, ``cron: true`` those of old
    runs of scheduled jobs. The question of the reply leaves out what ``keep`` names.
    """
    fix_missing, cron = arguments.flag("fixMissing", False), arguments.flag("cron", False)
    places, setup, in_use = await places_of(snapshot, arguments), stores_setup(snapshot), in_use_of(snapshot)
    locale = snapshot.client.locale
    preview = await in_worker(
        arguments, lambda: previewed(setup, places, in_use, locale, fix_missing=fix_missing, cron=cron)
    )
    kept = desk_of(snapshot).stores.previews.keep(preview)
    more = {name: "true" for name, is_set in (("missing", fix_missing), ("cron", cron)) if is_set}
    shown = await show_session_page(
        snapshot, surface, arguments, "cleanup", **about_of(places), **more, token=kept
    )
    unticked = frozenset(arguments.strings("keep"))
    return shown | reply_of(preview, kept if preview.changes else None, locale, unticked)
