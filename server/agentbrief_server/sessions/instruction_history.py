"""Which instruction files changed since the last look? What the history of a workspace is told."""

from __future__ import annotations

import os

from agentbrief.messages import say
from agentbrief.tasks.setup import agents, brief_from, start_folder
from agentbrief_server.sessions.desk import SessionDesk
from agentbrief_server.state import Snapshot

_Known = dict[str, tuple[int, str]]


class InstructionHistory:
    """Compares the chains of the workspace folders with what they were at the last look."""

    def __init__(self, desk: SessionDesk) -> None:
        self._desk = desk
        self._known: dict[str, _Known] = {}

    def look(self, snapshot: Snapshot) -> None:
        """Note what changed, came or went; the first look only remembers."""
        for folder in snapshot.folders:
            now = _chain(snapshot, folder)
            before = self._known.get(folder)
            self._known[folder] = now
            if before is not None and before != now:
                for title, detail in _events(folder, before, now, snapshot.client.locale):
                    self._desk.happened(folder, title, detail)


def _chain(snapshot: Snapshot, folder: str) -> _Known:
    setup = snapshot.setup(folder)
    starts = {start_folder(setup, folder)}
    if (project := snapshot.projects.get(folder)) is not None:
        starts |= set(project.starts)
    agent = agents(setup.settings)[0]
    found: _Known = {}
    for start in sorted(starts):
        for placed in brief_from(setup, agent, start).placements:
            file = placed.file
            found[file.path] = (file.chars, file.content_key)
    return found


def _events(folder: str, before: _Known, now: _Known, locale: str) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for path in sorted({*before, *now}):
        old, new = before.get(path), now.get(path)
        if old == new:
            continue
        name = os.path.relpath(path, folder)
        chars = f"{old[0] if old else 0:,} → {new[0] if new else 0:,}"
        word = "changed" if old and new else "added" if new else "removed"
        title = say(locale, f"session.event.instructions-{word}")
        found.append((title, say(locale, "session.event.chars", name=name, chars=chars)))
    return found
