"""What does a profile hold?

The keys are those of the profile schema (agents.md 3); a part that an agent's data leaves out is None. Limits
and defaults of an agent are written in its data file and nowhere else.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from agentbrief.profiles.claw_data import AutomaticCompactionData, PythonEngineData, SessionFileData
    from agentbrief.profiles.openclaw_data import OpenClawData
    from agentbrief.profiles.sessions_data import AfterCompaction, Gate, SessionsData, WindowsData

Unit = Literal["chars", "bytes", "lines", "tokens"]
LimitScope = Literal["file", "total", "index"]
Then = Literal["cut", "skip-file", "advice"]
Scope = Literal["managed", "team", "user", "project", "local", "memory", "dot-folder", "rule"]

LATE_PARTS = {
    "AfterCompaction": "agentbrief.profiles.sessions_data",
    "AutomaticCompactionData": "agentbrief.profiles.claw_data",
    "Gate": "agentbrief.profiles.sessions_data",
    "OpenClawData": "agentbrief.profiles.openclaw_data",
    "PythonEngineData": "agentbrief.profiles.claw_data",
    "SessionFileData": "agentbrief.profiles.claw_data",
    "SessionsData": "agentbrief.profiles.sessions_data",
    "WindowsData": "agentbrief.profiles.sessions_data",
}
"""The shapes of parts that few profiles have, and the modules they are imported from when one has them."""


@dataclass(frozen=True, slots=True)
class Verified:
    """What the data describes: the agent's version (None:

    it has none) and the day it was checked (ISO date).
    """

    version: str | None
    date: str


@dataclass(frozen=True, slots=True)
class Walk:
    """How far up the folders are looked at: ``bound`` names a strategy, ``order`` is that of discovery."""

    bound: Literal["outer-of-workspace-and-git", "git-or-start", "start-only"]
    order: Literal["outermost-first", "nearest-first"]


@dataclass(frozen=True, slots=True)
class LayerFile:
    """A file name or a folder of rule files (``glob``), relative to a folder of the walk.

    ``tool`` names the other tool whose file it is; such files can be left out by a setting.
    ``file_or_folder`` marks a name that may be a file itself or a folder of rule files.
    """

    name: str
    scope: Scope
    glob: bool = False
    tool: str | None = None
    file_or_folder: bool = False


@dataclass(frozen=True, slots=True)
class Layer:
    """Files of one origin, in load order."""

    id: str
    files: tuple[LayerFile, ...]


@dataclass(frozen=True, slots=True)
class Limit:
    """A limit in ``unit``; ``setting`` names the editor setting that replaces ``max``;

    ``order`` is who pays first.
    """

    id: str
    unit: Unit
    scope: LimitScope
    max: int
    then: Then
    order: Literal["nearest-first", "outermost-first", "in-order"] | None = None
    setting: str | None = None


@dataclass(frozen=True, slots=True)
class Dedup:
    """When two files are one. The first of them in the order of the walk stays."""

    by: Literal["content-hash", "none"]


@dataclass(frozen=True, slots=True)
class Rendering:
    """How the instruction files are written into the prompt.

    ``cut`` names a strategy of the room ``brief``; ``scope`` is the folder that a heading names, and
    ``heading_name`` whether the heading has the name as it is listed (``.claude/CLAUDE.md``) or the bare file
    name. ``kinds`` are the agent's words for its files by the last two parts of their path or the last one,
    the word of all others under an empty name.
    """

    title: str
    cut: Literal["clean-marker", "charged-marker", "head-and-tail"]
    marker: str
    omission_note: str
    omission_place: Literal["after-title", "last"]
    scope: Literal["own-folder", "first-listed-ancestor"]
    heading_name: Literal["listed", "bare"]
    kinds: Mapping[str, str] = field(default_factory=dict[str, str], hash=False)

    def kind_of(self, path: str) -> str | None:
        """The agent's word for the file at ``path``, None if it has no such words.

        Source: claw.md 3.1 (``source``).
        """
        parts = path.replace(os.sep, "/").split("/")
        return self.kinds.get("/".join(parts[-2:])) or self.kinds.get(parts[-1]) or self.kinds.get("")


@dataclass(frozen=True, slots=True)
class PromptData:
    """What the prompt says around the files:

    the default model family, the nouns of its bullets, how settings are shown.
    """

    default_model_family: str
    files_bullet: str
    no_settings_bullet: str
    settings_bullet: str | None


@dataclass(frozen=True, slots=True)
class CompactionDefaults:
    """Thresholds of a compaction: messages kept as they are, and tokens from which it is due.

    0 is allowed for both.
    """

    preserve_recent_messages: int
    max_estimated_tokens: int


@dataclass(frozen=True, slots=True)
class PortContextData:
    """Where the parts of a project lie, relative to its folder, and which folder names are not entered.

    ``archive_is_any_path`` counts a file in place of the archive root as an archive. ``max_entries`` bounds
    the entries below the roots that are looked at.
    """

    source: str
    tests: str
    assets: str
    archive: str
    exclude: tuple[str, ...]
    archive_is_any_path: bool
    max_entries: int


@dataclass(frozen=True, slots=True)
class AgentProfile:
    """One agent's rules. ``title`` is its name in messages;

    ``compared_with`` a profile whose result is always shown beside.
    """

    id: str
    title: str
    family: str
    kind: Literal["agent", "standard"]
    tier: Literal["full", "sessions-basic", "files"]
    verified: Verified
    delivery: Literal["user-message", "system-prompt", "unstated"]
    sources: tuple[str, ...]
    start: Literal["cwd", "workspace-folder", "repository"] = "cwd"
    walk: Walk | None = None
    layers: tuple[Layer, ...] = ()
    limits: tuple[Limit, ...] = ()
    dedup: Dedup | None = None
    bad_file: Literal["skipped", "aborts-all"] = "skipped"
    rendering: Rendering | None = None
    prompt: PromptData | None = None
    token_formula: Literal["utf8-bytes-4-plus-1", "characters-4"] = "characters-4"
    unread: tuple[str, ...] = ()
    compared_with: str | None = None
    compaction: CompactionDefaults | None = None
    port_context: PortContextData | None = None
    openclaw: OpenClawData | None = None
    session_file: SessionFileData | None = None
    python_engine: PythonEngineData | None = None
    automatic_compaction: AutomaticCompactionData | None = None
    sessions: SessionsData | None = None
    windows: WindowsData | None = None
    after_compaction: AfterCompaction | None = None
    gates: tuple[Gate, ...] = ()

    def limit(self, scope: LimitScope) -> Limit | None:
        """The limit of that scope that cuts, if the agent has one."""
        for limit in self.limits:
            if limit.scope == scope and limit.then == "cut":
                return limit
        return None

    @property
    def names(self) -> tuple[str, ...]:
        """The plain file names of all layers, in load order, folders of rule files left out."""
        return tuple(file.name for layer in self.layers for file in layer.files if not file.glob)
