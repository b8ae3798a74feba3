"""What does the leading agent make of one open file? What hovers, lenses and hints are made from."""

from __future__ import annotations

from dataclasses import dataclass

from agentbrief.brief import Brief, Placement
from agentbrief.instructions.place import holder
from agentbrief.profiles.load import profile
from agentbrief.profiles.profile import AgentProfile
from agentbrief.tasks.settings import Settings
from agentbrief.tasks.setup import agents, brief_from
from agentbrief.text.line_index import LineIndex
from agentbrief_server.documents import line_index
from agentbrief_server.state import Snapshot, instruction_names, is_instruction_file
from agentbrief_server.uris import path_of


@dataclass(frozen=True, slots=True)
class Seen:
    """An instruction file as the leading agent sees it from the file's own folder."""

    path: str
    folder: str | None
    settings: Settings
    agent: AgentProfile
    brief: Brief
    placed: Placement
    index: LineIndex

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
    if path is None or not is_instruction_file(path):
        return None
    folder = snapshot.folder_of(path)
    settings = snapshot.settings_of(folder)
    if not settings.flag("enable"):
        return None
    setup = snapshot.setup(folder)
    start = holder(path, instruction_names())
    for agent in agents(settings):
        brief = brief_from(setup, agent, start)
        placed = brief.placement(path)
        if placed is not None:
            text = placed.file.text[placed.file.hidden :]
            return Seen(path, folder, settings, agent, brief, placed, line_index(text))
    return None


def reference_of(snapshot: Snapshot, found: Seen) -> tuple[AgentProfile, Brief] | None:
    """The agent that the leading one is always compared with, and its brief from the same folder."""
    if found.agent.compared_with is None:
        return None
    other = profile(found.agent.compared_with)
    return other, brief_from(snapshot.setup(found.folder), other, found.placed.file.folder)
