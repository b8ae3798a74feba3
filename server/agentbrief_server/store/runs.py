"""Which session's next run does a command mean, and what would that send?"""

from __future__ import annotations

import os
from collections.abc import Mapping

from agentbrief.disk.refusal import Refused
from agentbrief.maintenance.values import CleanupChoices
from agentbrief.messages import say
from agentbrief.redact import mask
from agentbrief.report.run_facts import RunFacts
from agentbrief.report.store_run_page import run_page
from agentbrief.sessions.store.entries import StoreEntry
from agentbrief.sessions.store.keys import canonical_key
from agentbrief.tasks.store.look import StoreLook
from agentbrief.tasks.store.place import StorePlace, stores
from agentbrief.tasks.store.plan import plan_of
from agentbrief.tasks.store.run import run_facts
from agentbrief.tasks.store.status import title_of
from agentbrief_server.commands.arguments import Arguments
from agentbrief_server.host_zone import HostZone
from agentbrief_server.sessions.commands import MOST_CHOICES, in_worker
from agentbrief_server.sessions.place import is_plain
from agentbrief_server.state import Snapshot
from agentbrief_server.store.commands import looked_at, stores_setup
from agentbrief_server.surface import Surface
from agentbrief_server.uris import path_of

Found = tuple[StoreLook, StoreEntry]


def run_text(snapshot: Snapshot, about: Mapping[str, str]) -> str:
    """What the next run of the session ``key`` of the store at ``path`` sends.

    Raises:
        KeyError: there is no such session, or its transcript cannot be read.
    """
    path, key = about["path"], about["key"]
    if not is_plain(path):
        raise KeyError(path)
    places = [place for place in stores(stores_setup(snapshot)) if place.path == path]
    for look, entry in entries_of(snapshot, tuple(places)):
        if entry.key == key:
            found = facts_of_run(snapshot, look, entry)
            if found is not None:
                return run_page(found, snapshot.client.locale)
    raise KeyError(key)


def facts_of_run(snapshot: Snapshot, look: StoreLook, entry: StoreEntry) -> RunFacts | None:
    """The request; None where the transcript cannot be read. In a worker."""
    setup = stores_setup(snapshot)
    plan = plan_of(look, setup.settings, CleanupChoices(dry_run=True), setup.now_ms)
    try:
        return run_facts(setup, snapshot.files, plan, entry, HostZone())
    except (Refused, ValueError):
        return None


def entries_of(snapshot: Snapshot, places: tuple[StorePlace, ...]) -> list[Found]:
    """The sessions of the stores, newest first. In a worker."""
    setup = stores_setup(snapshot)
    looks = [looked_at(setup, place, snapshot.client.locale) for place in places]
    found = [
        (look, entry) for look in looks if not isinstance(look, str) for entry in look.folder.store.entries
    ]
    return sorted(found, key=lambda each: -(each[1].updated_at_ms or 0))


async def wanted_of(
    snapshot: Snapshot, surface: Surface, arguments: Arguments, places: tuple[StorePlace, ...]
) -> Found | None:
    """The session that ``key`` or the transcript ``uri`` names, else the one the user chooses; None: none.

    Raises:
        JsonRpcException: there is no such session.
    """
    key, uri = arguments.text("key"), arguments.text("uri") or ""
    path = path_of(uri) if uri.endswith(".jsonl") else None
    found = await in_worker(arguments, lambda: entries_of(snapshot, places))
    if key is None and path is None:
        return await _chosen(snapshot, surface, arguments, found)
    for look, entry in found:
        if key is not None and canonical_key(entry.key) == canonical_key(key):
            return look, entry
        is_named = key is None and path is not None and os.path.dirname(path) == look.place.folder
        if is_named and os.path.basename(path or "") in look.folder.files_of(entry):
            return look, entry
    raise arguments.missing("store.no-session-here")


async def _chosen(
    snapshot: Snapshot, surface: Surface, arguments: Arguments, found: list[Found]
) -> Found | None:
    fs = stores_setup(snapshot).fs

    def titled() -> dict[str, Found]:
        return {
            mask(f"{title_of(fs, look, entry) or entry.key} ({entry.key})"): (look, entry)
            for look, entry in found[:MOST_CHOICES]
        }

    offered = await in_worker(arguments, titled)
    if not offered:
        raise arguments.missing("store.no-session-here")
    question = say(snapshot.client.locale, "run.which")
    return offered.get(await surface.choose(question, list(offered)) or "")
