"""Does a path have the name of an instruction file, of any agent that is known?"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from agentbrief.instructions.find import is_rule_name
from agentbrief.instructions.place import holder
from agentbrief.profiles.load import all_layers
from agentbrief.profiles.profile import AgentProfile, Layer

_SINGLE = "workspace"
"""The layer of agents that read the files of one folder, their workspace."""


@dataclass(frozen=True, slots=True)
class InstructionNames:
    """The names that instruction files have, with forward slashes: ``.claude/CLAUDE.md``.

    ``single`` are those of ``listed`` that only agents read whose workspace is one folder: others do not
    start where they lie. ``rule_folders`` are names of folders of rule files.
    """

    listed: frozenset[str]
    single: frozenset[str]
    rule_folders: frozenset[str]

    def has(self, path: str) -> bool:
        """Whether ``path`` has the name of an instruction file, or lies in a folder of rule files."""
        spelled = path.replace(os.sep, "/") if os.sep != "/" else path
        *_, above, parent, name = ("", "", *spelled.split("/"))
        if name in self.listed or f"{parent}/{name}" in self.listed:
            return True
        inside = parent in self.rule_folders or f"{above}/{parent}" in self.rule_folders
        return inside and is_rule_name(name)

    def start_of(self, path: str) -> str:
        """The folder that the instruction file at ``path`` belongs to."""
        return holder(path, self.listed)


@cache
def shipped_names() -> InstructionNames:
    """The names of all profiles that this package carries."""
    return _names_of(all_layers())


def names_with(profiles: Iterable[AgentProfile]) -> InstructionNames:
    """The names of this package's profiles and of ``profiles``."""
    return _names_of((*all_layers(), *(layer for each in profiles for layer in each.layers)))


def _names_of(layers: tuple[Layer, ...]) -> InstructionNames:
    own = {file.name for layer in layers if layer.id == _SINGLE for file in layer.files}
    others = {file.name for layer in layers if layer.id != _SINGLE for file in layer.files}
    files = [file for layer in layers for file in layer.files]
    return InstructionNames(
        frozenset(file.name for file in files if not file.glob),
        frozenset(own - others),
        frozenset(file.name for file in files if file.glob),
    )
