"""Which stores does a command mean, what of them is in use, and what would be done to them?"""

from __future__ import annotations

import os

from agentbrief.disk.folder import entries
from agentbrief.disk.read import real_roots
from agentbrief.disk.refusal import Refused
from agentbrief.disk.values import ReadProblem
from agentbrief.maintenance.values import CleanupChoices
from agentbrief.messages import say
from agentbrief.redact import mask
from agentbrief.report.refusal import refusal_text
from agentbrief.report.session_words import why_text
from agentbrief.sessions.store.names import STORE_NAME
from agentbrief.tasks.sessions.setup import SessionsSetup, own_folders
from agentbrief.tasks.store.cron import swept
from agentbrief.tasks.store.look import InUse, StoreLook, look_at
from agentbrief.tasks.store.place import StoreConfig, StorePlace, state_folders, stores
from agentbrief.tasks.store.plan import plan_of
from agentbrief.tasks.store.told import told
from agentbrief_server.commands.arguments import Arguments
from agentbrief_server.sessions.commands import desk_of, in_worker
from agentbrief_server.sessions.place import sessions_setup
from agentbrief_server.state import Snapshot
from agentbrief_server.store.desk import CleanupPreview, PlannedStore
from agentbrief_server.uris import path_of

OWN = "claw"
"""What the workspace's own sessions are listed as."""


def stores_setup(snapshot: Snapshot) -> SessionsSetup:
    """The setup for stores, which belong to no workspace folder."""
    return sessions_setup(snapshot, None)


async def places_of(snapshot: Snapshot, arguments: Arguments) -> tuple[StorePlace, ...]:
    """The store that ``uri`` names, by itself, its folder or a file in it; else all that there are.

    Raises:
        JsonRpcException: there is none, or it is not where stores are looked for.
    """
    uri = arguments.text("uri") or ""
    path = path_of(uri) if uri.startswith("file:") else None
    setup = stores_setup(snapshot)
    found = await in_worker(arguments, lambda: stores(setup))
    if not found:
        folders = ", ".join(map(mask, state_folders(setup))) or "–"
        raise arguments.missing("store.none", folders=folders)
    named = named_stores(found, path)
    if not named:
        raise arguments.wrong("uri")
    return named


def named_stores(known: tuple[StorePlace, ...], path: str | None) -> tuple[StorePlace, ...]:
    """The store of ``known`` that ``path`` belongs to; all for a path that has nothing to do with stores."""
    if path is None:
        return known
    holding = tuple(each for each in known if path in (each.path, each.folder))
    beside = tuple(each for each in known if os.path.dirname(path) == each.folder)
    if not holding and not beside and os.path.basename(path) != "sessions.json":
        return known
    return holding or beside


async def trashing_places(snapshot: Snapshot, arguments: Arguments) -> tuple[StorePlace, ...]:
    """As :func:`places_of`, and the workspace's own folders of sessions, which have a trash too.

    Raises:
        JsonRpcException: there is none, or it is not where stores are looked for.
    """
    uri = arguments.text("uri") or ""
    path = path_of(uri) if uri.startswith("file:") else None
    setup = stores_setup(snapshot)
    found = await in_worker(arguments, lambda: with_own(snapshot, stores(setup)))
    named = named_stores(found, path)
    if found and not named:
        raise arguments.wrong("uri")
    return named


def with_own(snapshot: Snapshot, found: tuple[StorePlace, ...]) -> tuple[StorePlace, ...]:
    """``found`` with the workspace's own folders that hold sessions, of a workspace that is trusted."""
    own = [each for folder in snapshot.folders for each in own_folders(folder)] if snapshot.trusted else []
    fs = stores_setup(snapshot).fs
    there = [folder for folder in own if entries(fs, folder, real_roots(fs, snapshot.folders)) is not None]
    return (
        *found,
        *(StorePlace(OWN, os.path.join(folder, STORE_NAME), None, StoreConfig("")) for folder in there),
    )


def about_of(places: tuple[StorePlace, ...]) -> dict[str, str]:
    """What the address of a page about ``places`` says: the one that was named, or nothing for all."""
    return {"path": places[0].path} if len(places) == 1 else {}


def in_use_of(snapshot: Snapshot) -> InUse:
    """What the editor has open, and what is being compacted here."""
    running = frozenset(desk_of(snapshot).compactions.running)
    return InUse(open_files=frozenset(snapshot.documents) | running)


def looked_at(
    setup: SessionsSetup, place: StorePlace, locale: str, in_use: InUse | None = None
) -> StoreLook | str:
    """What there is to know of a store; a sentence where it cannot be read. In a worker."""
    try:
        found = look_at(setup.fs, place, setup.now_ms, in_use or InUse())
    except Refused as refusal:
        return mask(refusal_text(locale, refusal))
    if isinstance(found, ReadProblem):
        reason = why_text(found.kind, locale)
        return say(locale, "store.not-read", path=mask(found.path), reason=reason)
    return found


def previewed(
    setup: SessionsSetup,
    places: tuple[StorePlace, ...],
    in_use: InUse,
    locale: str,
    *,
    fix_missing: bool = False,
    cron: bool = False,
) -> CleanupPreview:
    """What a cleanup of the stores would do; with ``cron`` sessions of old runs go too. In a worker."""
    planned: list[PlannedStore] = []
    unread: list[str] = []
    choices = CleanupChoices(dry_run=True, fix_missing=fix_missing)
    for place in places:
        look = looked_at(setup, place, locale, in_use)
        if isinstance(look, str):
            unread.append(look)
            continue
        try:
            found = plan_of(look, setup.settings, choices, setup.now_ms)
            found = swept(found, setup.now_ms) if cron else found
            planned.append(PlannedStore(found, told(setup, found)))
        except Refused as refusal:
            unread.append(mask(refusal_text(locale, refusal)))
    return CleanupPreview(tuple(planned), tuple(unread))
