"""What is true now? The one object that changes, and the snapshots that everything else works with."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from agentbrief.disk.files import DiskFiles, Files
from agentbrief.disk.look import Same
from agentbrief.disk.open_files import OpenFiles
from agentbrief.disk.seam import FS
from agentbrief.instructions.names import InstructionNames
from agentbrief.rules.finding import Finding
from agentbrief.tasks.automatic_agent import with_automatic
from agentbrief.tasks.settings import AUTOMATIC, Settings
from agentbrief.tasks.setup import Setup, names_of
from agentbrief_server.client import Client
from agentbrief_server.config import Configuration
from agentbrief_server.documents import BriefWorkspace, OpenDocument
from agentbrief_server.sessions.seen import SessionsSeen

if TYPE_CHECKING:
    from agentbrief.tasks.project import Project


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What was true when a message arrived. Handlers read this and nothing else."""

    generation: int
    client: Client
    trusted: bool
    folders: tuple[str, ...]
    documents: Mapping[str, OpenDocument]
    files: Files
    projects: Mapping[str, Project]
    settings_of: Callable[[str | None], Settings]
    names: InstructionNames
    findings: Mapping[str, tuple[Finding, ...]]
    chosen_agents: tuple[str, ...]
    sessions: SessionsSeen

    def setup(self, folder: str | None) -> Setup:
        """What one answer on instruction files needs, with the settings of that workspace folder: it looks at
        each file once.
        """
        return Setup(self.files.glance(), self.folders, self.settings_of(folder))

    def folder_of(self, path: str) -> str | None:
        """The outermost workspace folder that holds ``path``."""
        return outermost(self.folders, path)


class State:
    """The open documents, the folders, the settings and what was found so far.

    Changed on the event loop only.
    """

    def __init__(self) -> None:
        self.client = Client()
        self.configuration = Configuration()
        self.disk = DiskFiles(FS(), time.time_ns)
        self.folders: tuple[str, ...] = ()
        self.workspace: BriefWorkspace | None = None
        self.projects: dict[str, Project] = {}
        self.findings: dict[str, tuple[Finding, ...]] = {}
        self.chosen_agents: tuple[str, ...] = ()
        self.sessions = SessionsSeen()
        self.storage: str | None = None
        self.generation = 0
        self._snapshot: Snapshot | None = None

    def changed(self) -> None:
        """Mark that something is true now that was not before; results of older snapshots are worthless."""
        self.generation += 1
        self._snapshot = None

    def other_document_changed(self) -> None:
        """Mark that a document is another one on which no finding rests, such as a store of sessions."""
        self._snapshot = None

    def is_automatic(self, folder: str) -> bool:
        """Whether the agents of a workspace folder follow from what lies in it."""
        given = self.configuration.settings(folder)
        return AUTOMATIC in (self.chosen_agents or given.strings("agents"))

    def settings(self, folder: str | None) -> Settings:
        """The settings in force for a workspace folder, with the agents that were chosen for this session
        over them.
        """
        found = self.configuration.settings(folder)
        if self.chosen_agents:
            found = _with_agents(Same(found), self.chosen_agents)
        if found.strings("customProfiles"):
            from agentbrief_server.custom_profiles import with_custom

            found = with_custom(found)
        if found.is_automatic:
            found = _automatic(Same(found), self.disk, folder)
        if "openclaw" in found.strings("agents"):
            from agentbrief_server.openclaw import with_own_settings

            found = with_own_settings(found)
        return found

    @property
    def names(self) -> InstructionNames:
        """The names of instruction files of every profile that is known."""
        return names_of(self.settings(None))

    def snapshot(self) -> Snapshot:
        """What is true now. The same object until something changes."""
        if self._snapshot is None:
            opened = self.workspace.documents if self.workspace is not None else ()
            texts: Mapping[str, str] = self.workspace.texts if self.workspace is not None else {}
            self._snapshot = Snapshot(
                self.generation,
                self.client,
                self.configuration.trusted,
                self.folders,
                {document.path: document for document in opened if document.path is not None},
                OpenFiles(self.disk, texts) if texts else self.disk,
                dict(self.projects),
                self.settings,
                self.names,
                dict(self.findings),
                self.chosen_agents,
                self.sessions,
            )
        return self._snapshot


def _automatic(settings: Same[Settings], disk: Files, folder: str | None) -> Settings:
    """The same object as long as the folder holds the same names."""
    return disk.glance().remembered(
        ("automatic agent", settings, folder),
        lambda files: with_automatic(settings.value, files, folder),
    )


@lru_cache(maxsize=64)
def _with_agents(settings: Same[Settings], agents: tuple[str, ...]) -> Settings:
    return settings.value.replaced("agents", agents)


@lru_cache(maxsize=1024)
def outermost(folders: tuple[str, ...], path: str) -> str | None:
    """The outermost of ``folders`` that holds ``path``."""
    holding = [
        folder for folder in folders if path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)
    ]
    return min(holding, key=len, default=None)
