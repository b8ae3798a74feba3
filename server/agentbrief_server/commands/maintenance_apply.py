"""``agentbrief.maintenance.apply``: clean the stores up, into the trash."""

from __future__ import annotations

from typing import Any

from agentbrief.messages import say
from agentbrief_server.commands.arguments import Arguments
from agentbrief_server.sessions.commands import desk_of, in_worker, require_trust, show_session_page
from agentbrief_server.state import Snapshot
from agentbrief_server.store.commands import in_use_of, places_of, previewed, stores_setup
from agentbrief_server.store.desk import CleanupPreview
from agentbrief_server.store.work import cleaned_up, offer_taking_back, question_of
from agentbrief_server.surface import Surface


async def run(snapshot: Snapshot, surface: Surface, arguments: Arguments) -> dict[str, Any]:
    """Carry out the preview that ``token`` names, without a question, but for what ``keep`` names.

    ``keep`` are keys of sessions or names of files. ``yes: true`` goes on although the clock seems to have
    jumped. Without a token the stores are planned, and the user is asked and then offered the way back.
    """
    require_trust(snapshot, arguments)
    token, kept = arguments.text("token"), frozenset(arguments.strings("keep"))
    if token is not None:
        preview = desk_of(snapshot).stores.previews.at(token)
        if preview is None:
            raise arguments.missing("preview.gone")
        if preview.asks_first and not arguments.flag("yes", False):
            raise arguments.missing("store.asks-first")
        reply = await cleaned_up(snapshot, arguments, preview, kept)
        desk_of(snapshot).stores.previews.forget(token)
        return reply
    preview = await _planned(snapshot, arguments)
    if not preview.changes:
        surface.say("\n".join((say(snapshot.client.locale, "cleanup.nothing"), *preview.unread)))
        return {"cleaned": False}
    if not await _agreed(snapshot, surface, arguments, preview):
        return {"cleaned": False, "ended": "cancelled"}
    reply = await cleaned_up(snapshot, arguments, preview, kept)
    if reply["change"] is not None:
        offer_taking_back(snapshot, surface, arguments, reply["change"], reply["message"])
    else:
        surface.say(reply["message"])
    return reply


async def _planned(snapshot: Snapshot, arguments: Arguments) -> CleanupPreview:
    fix_missing, cron = arguments.flag("fixMissing", False), arguments.flag("cron", False)
    places, setup, in_use = await places_of(snapshot, arguments), stores_setup(snapshot), in_use_of(snapshot)
    locale = snapshot.client.locale
    return await in_worker(
        arguments, lambda: previewed(setup, places, in_use, locale, fix_missing=fix_missing, cron=cron)
    )


async def _agreed(
    snapshot: Snapshot, surface: Surface, arguments: Arguments, preview: CleanupPreview
) -> bool:
    locale = snapshot.client.locale
    yes, show, no = (say(locale, f"cleanup.{name}") for name in ("yes", "show", "no"))
    while (chosen := await surface.choose(question_of(preview, locale), (yes, show, no))) == show:
        token = desk_of(snapshot).stores.previews.keep(preview)
        await show_session_page(snapshot, surface, arguments, "cleanup", token=token)
    return chosen == yes
