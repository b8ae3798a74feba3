"""Which sessions does an agent keep on this machine, and what does one of them show?"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from agentbrief.disk.read import Roots, real_roots
from agentbrief.disk.seam import FS
from agentbrief.disk.stream import Stream, streamed
from agentbrief.profiles.profile import AgentProfile
from agentbrief.profiles.roots import root_folders
from agentbrief.sessions.facts import TranscriptFacts
from agentbrief.sessions.formats import claude_code, codex, pi_facts
from agentbrief.sessions.formats.claude_index import CLAUDE_INDEX
from agentbrief.sessions.formats.codex_transcript import look as look_at_rollout
from agentbrief.sessions.jsonl.tail import index_of
from agentbrief.sessions.listing import ListedSession, given_names, listed_sessions
from agentbrief.sessions.locations import subagents, transcripts
from agentbrief.sessions.readers import TRANSCRIPTS


@dataclass(frozen=True, slots=True)
class AgentStore:
    """One agent's sessions. ``folders`` are its own that exist or may exist; ``sessions`` newest first.

    ``readable`` are the folders below which its files may be read.
    """

    profile: AgentProfile
    folders: tuple[str, ...]
    readable: Roots
    sessions: tuple[ListedSession, ...]

    def by_id(self, session_id: str) -> ListedSession | None:
        """The session with that identifier."""
        return next((each for each in self.sessions if each.session_id == session_id), None)

    def in_folders(self, folders: Iterable[str]) -> tuple[ListedSession, ...]:
        """The sessions that were begun in one of ``folders`` or below."""
        prefixes = tuple(folder.rstrip(os.sep) + os.sep for folder in folders)
        return tuple(each for each in self.sessions if each.cwd and (each.cwd + os.sep).startswith(prefixes))


def store_of(
    fs: FS,
    agent: AgentProfile,
    home: str,
    env: Mapping[str, str],
    *,
    roots: Iterable[str] = (),
    known: Mapping[str, ListedSession] | None = None,
    pause: Callable[[], None] | None = None,
) -> AgentStore:
    """The sessions of ``agent``, none for one whose files are not read.

    ``roots`` replace the agent's own folders. ``known`` are the sessions of an earlier look by path.
    """
    data = agent.sessions
    folders = tuple(roots) or (root_folders(data.roots, home, env) if data else ())
    readable = real_roots(fs, folders)
    if data is None or data.adapter is None or data.adapter not in TRANSCRIPTS:
        return AgentStore(agent, folders, readable, ())
    names: dict[str, str] = {}
    for folder in reversed(folders) if data.names else ():
        names |= given_names(fs, os.path.join(folder, data.names or ""), readable)
    places = transcripts(fs, folders, data)
    found = listed_sessions(fs, places, readable, data.adapter, known, names, pause)
    return AgentStore(agent, folders, readable, found)


def facts_of(fs: FS, store: AgentStore, path: str) -> TranscriptFacts | None:
    """What the transcript at ``path`` shows; None if it cannot be read.

    Raises:
        Refused: the disk reports an error.
    """
    data = store.profile.sessions
    with streamed(fs, path, store.readable) as stream:
        if not isinstance(stream, Stream) or data is None:
            return None
        if data.adapter == "claude-code":
            found = claude_code.look(stream.chunks(), path)
            return claude_code.facts_of(found, stream.stamp, _Elsewhere(fs, store, path))
        if data.adapter == "codex":
            rollout = look_at_rollout(stream.chunks(), path)
            after = store.profile.after_compaction
            keeps = after.keeps_user_messages_tokens if after else None
            parent = parent_totals(fs, store, rollout.origin.parent_id) if rollout.origin.is_fork else None
            return codex.facts_of(rollout, keeps or 0, stream.stamp, parent)
        if data.adapter in ("pi", "openclaw"):
            return pi_facts.facts_of(stream.chunks(), path, data.adapter, stream.stamp)
    return None


def parent_totals(fs: FS, store: AgentStore, parent_id: str | None) -> frozenset[int] | None:
    """The running totals of the session that another was forked from; None if it is not there."""
    parent = store.by_id(parent_id) if parent_id else None
    if parent is None:
        return None
    with streamed(fs, parent.path, store.readable) as stream:
        if not isinstance(stream, Stream):
            return None
        return look_at_rollout(stream.chunks(), parent.path).totals


class _Elsewhere:
    """The identifiers in the other transcripts of a project, read when one is first asked for."""

    def __init__(self, fs: FS, store: AgentStore, path: str) -> None:
        self._fs = fs
        self._store = store
        self._path = path
        self._known: frozenset[str] | None = None

    def __contains__(self, identifier: object) -> bool:
        if self._known is None:
            self._known = frozenset(self._identifiers())
        return identifier in self._known

    def _identifiers(self) -> Iterator[str]:
        data = self._store.profile.sessions
        folder = os.path.dirname(self._path)
        others = [each.path for each in self._store.sessions]
        if data is not None:
            others += subagents(self._fs, self._store.folders, data)
        for path in others:
            if path == self._path or not path.startswith(folder + os.sep):
                continue
            with streamed(self._fs, path, self._store.readable) as stream:
                if isinstance(stream, Stream):
                    yield from filter(None, index_of(stream, CLAUDE_INDEX).ids)
