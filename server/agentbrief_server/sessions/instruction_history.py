"""Which instruction files changed since the last look? What the history of a workspace is told."""

from __future__ import annotations

import os
from dataclasses import dataclass

from agentbrief.messages import say
from agentbrief.tasks.setup import agents, brief_from, start_folder
from agentbrief_server.sessions.desk import SessionDesk
from agentbrief_server.state import Snapshot

_Files = dict[str, tuple[int, str]]


@dataclass(frozen=True, slots=True)
class _Seen:
    """The files of the chains from ``starts``. ``is_whole``: every start below the folder is known."""

    agent: str
    starts: frozenset[str]
    files: _Files
    is_whole: bool


class InstructionHistory:
    """Compares the chains of the workspace folders with what they were at the last look."""

    def __init__(self, desk: SessionDesk) -> None:
        self._desk = desk
        self._known: dict[str, _Seen] = {}

    def look(self, snapshot: Snapshot) -> None:
        """Note what changed, came or went. What is looked at for the first time is only remembered."""
        for folder in snapshot.folders:
            before = self._known.get(folder)
            now = _seen(snapshot, folder, before)
            self._known[folder] = now
            if before is not None and before.agent == now.agent:
                for title, detail in _events(folder, before, now, snapshot.client.locale):
                    self._desk.happened(folder, title, detail)


def _seen(snapshot: Snapshot, folder: str, before: _Seen | None) -> _Seen:
    setup = snapshot.setup(folder)
    starts = {start_folder(setup, folder)}
    project = snapshot.projects.get(folder)
    if project is not None:
        starts |= set(project.starts)
    elif before is not None:
        # The folder is being walked again: its starts are those that were known, until the walk is done.
        starts |= before.starts
    agent = agents(setup.settings)[0]
    found: _Files = {}
    for start in sorted(starts):
        for placed in brief_from(setup, agent, start).placements:
            file = placed.file
            found[file.path] = (file.chars, file.content_key)
    return _Seen(agent.id, frozenset(starts), found, project is not None)


def _events(folder: str, before: _Seen, now: _Seen, locale: str) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for path in sorted({*before.files, *now.files}):
        old, new = before.files.get(path), now.files.get(path)
        # Before the first walk nobody knew of the files below: that one is known now does not mean it is new.
        if old == new or (old is None and not before.is_whole and os.path.dirname(path) != folder):
            continue
        name = os.path.relpath(path, folder)
        chars = f"{old[0] if old else 0:,} → {new[0] if new else 0:,}"
        word = "changed" if old and new else "added" if new else "removed"
        title = say(locale, f"session.event.instructions-{word}")
        found.append((title, say(locale, "session.event.chars", name=name, chars=chars)))
    return found
