"""Which sessions belong to a workspace folder, or lie on this machine, whatever agent wrote them?

A file that an earlier list knows by its stamp is not opened again. Sessions of a workspace are those that
were begun in its folder or below it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from agentbrief.disk.read import Roots, real_roots
from agentbrief.disk.refusal import Refused
from agentbrief.profiles.profile import AgentProfile
from agentbrief.profiles.strategies.claude import claude_slug
from agentbrief.sessions.formats.claw_store import Listed
from agentbrief.sessions.formats.pi import folder_name
from agentbrief.sessions.listing import ListedSession, days_left
from agentbrief.sessions.session_items import SessionItem, newest_first
from agentbrief.sessions.store.entries import StoreEntry
from agentbrief.sessions.workspace_list import claw_sessions, own_sessions
from agentbrief.tasks.openclaw_names import StoreNames, store_names
from agentbrief.tasks.sessions.agent import AgentStore, store_of
from agentbrief.tasks.sessions.facts import claw_item, port_item, transcript_item
from agentbrief.tasks.sessions.roots import claw_in_roots, of_its_format
from agentbrief.tasks.sessions.scene import agent_settings
from agentbrief.tasks.sessions.setup import SessionsSetup, agent_folders, own_folders, session_agents
from agentbrief.tasks.store.retention import removed_after_days


@dataclass(frozen=True, slots=True)
class SessionList:
    """The sessions, newest first, and what they were made of, for the next list.

    ``looked_in`` are the folders that were looked in, whether they exist or not. ``problems`` are folders and
    stores that could not be read, with the word for why. ``databases`` are those of a newer OpenClaw.
    """

    items: tuple[SessionItem, ...] = ()
    looked_in: tuple[str, ...] = ()
    problems: tuple[tuple[str, str], ...] = ()
    databases: tuple[str, ...] = ()
    stores: tuple[AgentStore, ...] = ()
    own: tuple[Listed, ...] = ()
    names: dict[str, StoreNames] = field(default_factory=dict[str, StoreNames], hash=False)

    def at(self, path: str) -> SessionItem | None:
        """The session whose file is ``path``."""
        return next((item for item in self.items if item.path == path), None)

    def store_with(self, path: str) -> AgentStore | None:
        """The agent's store that the transcript ``path`` is in."""
        return next(
            (store for store in self.stores if any(path == each.path for each in store.sessions)), None
        )


NO_SESSIONS = SessionList()


def sessions_of(
    setup: SessionsSetup,
    folder: str | None,
    before: SessionList = NO_SESSIONS,
    pause: Callable[[], None] | None = None,
) -> SessionList:
    """The sessions of the workspace folder ``folder``; None: all on this machine.

    ``pause`` is called after each file.
    """
    folders = setup.folders if folder is None else (folder,)
    own, problems = _own(setup, folders, before)
    stores: list[AgentStore] = []
    items = [*own.values()]
    looked = [each for one in folders for each in own_folders(one)]
    names: dict[str, StoreNames] = {}
    for agent in session_agents():
        store = _store(setup, agent, folder, before, pause)
        stores.append(store)
        looked += _places(store)
        found, named = _agent_items(setup, store, folder, before)
        items += found
        names |= named
    problems += [(each.path, each.problem) for each in names.values() if each.problem]
    return SessionList(
        newest_first(_each_once(items)),
        tuple(dict.fromkeys(looked)),
        tuple(problems),
        tuple(each.database.path for each in names.values() if each.database),
        tuple(stores),
        tuple(own),
        names,
    )


def _own(
    setup: SessionsSetup, folders: Iterable[str], before: SessionList
) -> tuple[dict[Listed, SessionItem], list[tuple[str, str]]]:
    known = {row.path: row for row in before.own}
    found: dict[Listed, SessionItem] = {}
    problems: list[tuple[str, str]] = []
    for folder in folders:
        roots = real_roots(setup.fs, (folder,))
        real = next(iter(roots), folder)
        try:
            found |= {row: port_item(row) for row in own_sessions(setup.fs, folder, roots, known)}
            found |= {
                row: claw_item(row, setup.now_ms) for row in claw_sessions(setup.fs, real, roots, known)
            }
        except Refused as refusal:
            problems.append((refusal.where, refusal.what))
        for row in claw_in_roots(setup, real, known):
            found[row] = claw_item(replace(row, is_foreign=True), setup.now_ms)
    return found, problems


def _store(
    setup: SessionsSetup,
    agent: AgentProfile,
    folder: str | None,
    before: SessionList,
    pause: Callable[[], None] | None,
) -> AgentStore:
    roots = agent_folders(setup, agent)
    if not roots:
        return AgentStore(agent, (), frozenset(), ())
    known = {each.path: each for store in before.stores for each in store.sessions}
    narrow = agent if folder is None else _narrowed(setup, agent, folder)
    store = store_of(setup.fs, narrow, setup.home, setup.env, roots=roots, known=known, pause=pause)
    return replace(of_its_format(setup, store), profile=agent)


def _narrowed(setup: SessionsSetup, agent: AgentProfile, folder: str) -> AgentProfile:
    """``agent``, as if it kept no sessions but those whose folder has the name of ``folder``.

    The names of the folders below begin the same way, and those of others may.
    """
    data = agent.sessions
    if data is None or setup.settings.strings("sessions.roots"):
        return agent
    if data.slug is not None and not setup.env.get(data.slug.name_env or ""):
        names = {claude_slug(each, data.slug) for each in _spellings(setup, folder)}
        if len(names) == 1:
            first, *rest = data.glob.split("/")
            return replace(
                agent, sessions=replace(data, glob="/".join([first, f"{names.pop()}*", *rest[1:]]))
            )
    return agent


def _agent_items(
    setup: SessionsSetup, store: AgentStore, folder: str | None, before: SessionList
) -> tuple[list[SessionItem], dict[str, StoreNames]]:
    listed = store.sessions if folder is None else _of_workspace(setup, store, folder)
    listed = tuple(each for each in listed if folder is None or not each.sketch.is_subagent)
    names: dict[str, StoreNames] = {}
    if store.profile.id == "openclaw":
        names = store_names(setup.fs, (each.path for each in listed), store.readable, before.names)
    days = _retention_days(setup, store)
    removed: dict[str, int | None] = {}
    known = {item.path: item for item in before.items}
    found: list[SessionItem] = []
    for each in listed:
        named = names.get(os.path.dirname(each.path))
        entry = named.entries.get(os.path.basename(each.path)) if named else None
        item = transcript_item(setup, store, each, entry, known.get(each.path))
        if named is not None and named.database is not None:
            item = replace(item, writable=False)
        if named is not None:
            days = _days_of_store(setup, named, entry, removed)
        left = days_left(each.mtime_ms, days, setup.now_ms) if days is not None else None
        found.append(replace(item, expires_in_days=left))
    return found, names


def _of_workspace(setup: SessionsSetup, store: AgentStore, folder: str) -> tuple[ListedSession, ...]:
    """The sessions begun in ``folder`` or below it, and those that name no folder but lie in its own."""
    spelled = _spellings(setup, folder)
    inside = store.in_folders(spelled)
    data = store.profile.sessions
    own: set[str] = set()
    if data is not None and data.slug is not None:
        own = {claude_slug(each, data.slug) for each in spelled}
    elif store.profile.id == "pi":
        own = {folder_name(each) for each in spelled}
    nameless = (each for each in store.sessions if each.cwd is None)
    here = [each for each in nameless if os.path.basename(os.path.dirname(each.path)) in own]
    return (*inside, *here)


def _spellings(setup: SessionsSetup, folder: str) -> tuple[str, ...]:
    """``folder`` as it was given, and with its links resolved."""
    return tuple(dict.fromkeys((folder, *real_roots(setup.fs, (folder,)))))


def _retention_days(setup: SessionsSetup, store: AgentStore) -> int | None:
    data = store.profile.sessions
    if data is None or data.retention is None or not store.sessions:
        return None
    given = agent_settings(setup.fs, store, setup.folders if setup.trusted else ()).get(
        data.retention.setting or ""
    )
    is_days = isinstance(given, int) and not isinstance(given, bool) and given > 0
    return given if is_days and isinstance(given, int) else data.retention.days


def _days_of_store(
    setup: SessionsSetup, named: StoreNames, entry: StoreEntry | None, known: dict[str, int | None]
) -> int | None:
    """After how many days OpenClaw removes the session ``entry``; None where the store does not name it."""
    if entry is None or named.database is not None:
        return None
    folder = os.path.dirname(named.path)
    if folder not in known:
        known[folder] = removed_after_days(setup, folder)
    return known[folder]


def _places(store: AgentStore) -> list[str]:
    data = store.profile.sessions
    first = data.glob.split("/")[0] if data is not None else ""
    return [os.path.join(folder, first) for folder in store.folders]


def _each_once(items: Iterable[SessionItem]) -> Iterable[SessionItem]:
    return {item.path: item for item in reversed(list(items))}.values()


def readable_of(store: AgentStore | None) -> Roots:
    """The real folders below which the files of ``store`` may be read."""
    return store.readable if store is not None else frozenset()
