"""Which sessions lie in the folders that the user's settings name, whatever agent keeps them there?"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import replace

from agentbrief.disk.read import real_roots
from agentbrief.disk.refusal import Refused
from agentbrief.disk.stream import Stream, streamed
from agentbrief.sessions.formats.claw_store import Listed
from agentbrief.sessions.listing import listed_sessions
from agentbrief.sessions.locations import Location, matches
from agentbrief.sessions.sniff import SNIFFED_BYTES, claw_code, format_of
from agentbrief.sessions.workspace_list import claw_sessions_in
from agentbrief.tasks.sessions.agent import AgentStore
from agentbrief.tasks.sessions.setup import SessionsSetup

_DIRECTLY = ("*.jsonl", "*/*.jsonl")


def of_its_format(setup: SessionsSetup, store: AgentStore) -> AgentStore:
    """``store`` without files of other agents, and with those of its own that lie in a named folder itself.

    In an agent's own folders all is its own; a folder that a person named may hold anything.
    """
    if not setup.settings.strings("sessions.roots"):
        return store
    known = {each.path for each in store.sessions}
    found = {path: root for root in store.folders for path in _direct(setup, root) if path not in known}
    data = store.profile.sessions
    adapter = data.adapter if data else None
    places = [
        Location(path, root, os.path.splitext(os.path.basename(path))[0])
        for path, root in found.items()
        if _format(setup, store, path) == adapter
    ]
    more = listed_sessions(setup.fs, places, store.readable, adapter) if adapter and places else ()
    kept = (each for each in store.sessions if _format(setup, store, each.path) in (adapter, None))
    sessions = sorted((*kept, *more), key=lambda each: (-each.stamp.mtime_ns, each.path))
    return replace(store, sessions=tuple(sessions))


def claw_in_roots(setup: SessionsSetup, workspace: str, known: Mapping[str, Listed]) -> tuple[Listed, ...]:
    """The sessions of claw-code in the named folders and in the folders of workspaces in them."""
    roots = setup.settings.strings("sessions.roots")
    found: list[Listed] = []
    for root in roots:
        readable = real_roots(setup.fs, (root,))
        folders = (root, *dict.fromkeys(os.path.dirname(path) for path in _claw_files(setup, root)))
        try:
            rows = claw_sessions_in(setup.fs, folders, workspace, readable, known)
        except Refused:
            continue
        found += [row for row in rows if row.unreadable is None and _is_claw(setup, row.path, readable)]
    return tuple(found)


def _claw_files(setup: SessionsSetup, root: str) -> Iterable[str]:
    for pattern in ("*/*.jsonl", "*/*.json"):
        yield from matches(setup.fs, root, pattern)


def _direct(setup: SessionsSetup, root: str) -> Iterable[str]:
    for pattern in _DIRECTLY:
        yield from matches(setup.fs, root, pattern)


def _is_claw(setup: SessionsSetup, path: str, readable: frozenset[str]) -> bool:
    with streamed(setup.fs, path, readable) as stream:
        if not isinstance(stream, Stream):
            return False
        return format_of(b"".join(stream.chunks(0, SNIFFED_BYTES)), path) == claw_code.FORMAT


def _format(setup: SessionsSetup, store: AgentStore, path: str) -> str | None:
    with streamed(setup.fs, path, store.readable) as stream:
        if not isinstance(stream, Stream):
            return None
        return format_of(b"".join(stream.chunks(0, SNIFFED_BYTES)), path)
