"""What does the leading agent make of one open file? What hovers, lenses and hints are made from."""

from __future__ import annotations

import os
from dataclasses import dataclass

from agentbrief.brief import Brief, Placement
from agentbrief.profiles.profile import AgentProfile
from agentbrief.tasks.settings import Settings
from agentbrief.tasks.setup import Setup, agents, brief_from, names_of, profile_of
from agentbrief.text.line_index import LineIndex
from agentbrief_server.documents import line_index
from agentbrief_server.state import Snapshot
from agentbrief_server.uris import path_of


@dataclass(frozen=True, slots=True)
class Seen:
    """An instruction file as the leading agent sees it from the file's own folder."""

    path: str
    setup: Setup
    agent: AgentProfile
    brief: Brief
    placed: Placement
    index: LineIndex

    @property
    def settings(self) -> Settings:
        """The settings in force for the file."""
        return self.setup.settings

    @property
    def target_outside(self) -> str | None:
        """Where the file leads, if it is a link to a place outside the workspace, which is not read."""
        problem = self.placed.file.problem
        return problem.detail if problem is not None and problem.kind == "outside-roots" else None

    @property
    def target_shown(self) -> str:
        """The same place, the home folder left out; empty if there is none."""
        from agentbrief.redact.shown import shorten_home

        return shorten_home(self.target_outside or "", os.path.expanduser("~"))

    @property
    def hidden(self) -> int:
        """The characters at the start of the file that the editor's text lacks."""
        return self.placed.file.hidden

    @property
    def editor_text(self) -> str:
        """The text as the editor has it."""
        return self.placed.file.text[self.hidden :]


def seen(snapshot: Snapshot, uri: str) -> Seen | None:
    """The file at ``uri``.

    None when it is no instruction file, or not one of the leading agent's chain, or switched off.
    """
    path = path_of(uri)
    if path is None or not snapshot.names.has(path):
        return None
    return seen_in(snapshot.setup(snapshot.folder_of(path)), path)


def seen_in(setup: Setup, path: str) -> Seen | None:
    """The instruction file at ``path``; see :func:`seen`."""
    if not setup.settings.flag("enable"):
        return None
    start = names_of(setup.settings).start_of(path)
    for agent in agents(setup.settings):
        brief = brief_from(setup, agent, start)
        placed = brief.placement(path)
        if placed is not None:
            text = placed.file.text
            hidden = placed.file.hidden
            return Seen(path, setup, agent, brief, placed, line_index(text[hidden:] if hidden else text))
    return None


def reference_of(found: Seen) -> tuple[AgentProfile, Brief] | None:
    """The agent that the leading one is always compared with, and its brief from the same folder."""
    if found.agent.compared_with is None:
        return None
    other = profile_of(found.settings, found.agent.compared_with)
    return other, brief_from(found.setup, other, found.placed.file.folder)
