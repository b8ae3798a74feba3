"""``agentbrief.trash.restore``: bring something back out of the trash."""

from __future__ import annotations

from typing import Any

from agentbrief.maintenance.cleaned import Restored, StoreTrash
from agentbrief.messages import say
from agentbrief.redact import mask
from agentbrief.report.session_record import masked_json
from agentbrief.report.store_trash_text import choices_of, restored_record, restored_text
from agentbrief.tasks.store.place import StorePlace
from agentbrief.tasks.store.trash import restore
from agentbrief_server.commands.arguments import Arguments
from agentbrief_server.sessions.commands import desk_of, in_worker, require_trust
from agentbrief_server.state import Snapshot
from agentbrief_server.store.commands import stores_setup, trashing_places
from agentbrief_server.store.pages import trashes
from agentbrief_server.surface import Surface

MOST_CHOICES = 20

Wanted = list[tuple[StorePlace, list[str]]]


async def run(snapshot: Snapshot, surface: Surface, arguments: Arguments) -> dict[str, Any]:
    """Bring back what ``ids`` names of the list of ``trash.list``; without it the user chooses.

    A name that is taken by now stays in the trash.
    """
    require_trust(snapshot, arguments)
    ids, places = arguments.strings("ids"), await trashing_places(snapshot, arguments)
    found = await in_worker(arguments, lambda: trashes(snapshot, places))
    pairs = list(zip(places, found, strict=True))
    wanted = _named(pairs, ids) if ids else await _chosen(snapshot, surface, arguments, pairs)
    if ids and {name for _, names in wanted for name in names} != set(ids):
        raise arguments.wrong("ids")
    desk, fs = desk_of(snapshot), stores_setup(snapshot).fs

    def put_back() -> list[Restored]:
        back: list[Restored] = []
        for place, names in wanted:
            desk.require_trust()
            back.append(restore(fs, place, desk.caller(), names))
        return back

    back = await in_worker(arguments, put_back)
    desk.changed()
    sentence = mask(restored_text(back, snapshot.client.locale)) if back else ""
    if back and not ids:
        surface.say(sentence)
    return {"restored": [masked_json(restored_record(each)) for each in back], "message": sentence}


def _named(pairs: list[tuple[StorePlace, StoreTrash]], ids: tuple[str, ...]) -> Wanted:
    found = [(place, sorted(set(ids) & trash.ids)) for place, trash in pairs]
    return [(place, names) for place, names in found if names]


async def _chosen(
    snapshot: Snapshot, surface: Surface, arguments: Arguments, pairs: list[tuple[StorePlace, StoreTrash]]
) -> Wanted:
    locale = snapshot.client.locale
    offered: dict[str, tuple[StorePlace, str]] = {}
    for place, trash in pairs:
        for identifier, words in choices_of(trash, locale):
            offered.setdefault(mask(words), (place, identifier))
    if not offered:
        raise arguments.missing("trash.nothing-to-restore")
    chosen = await surface.choose(say(locale, "trash.which"), list(offered)[:MOST_CHOICES])
    if chosen not in offered:
        return []
    place, identifier = offered[chosen]
    return [(place, [identifier])]
