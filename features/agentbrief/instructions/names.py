"""Does a path have the name of an instruction file, of any agent that is known?"""

from __future__ import annotations

import os
from functools import cache

from agentbrief.instructions.find import is_rule_name
from agentbrief.profiles.load import all_layers

_SINGLE = "workspace"
"""The layer of agents that read the files of one folder, their workspace."""


@cache
def listed_names() -> frozenset[str]:
    """The names of instruction files of all profiles, with forward slashes: ``.claude/CLAUDE.md``."""
    return frozenset(file.name for layer in all_layers() for file in layer.files if not file.glob)


@cache
def single_folder_names() -> frozenset[str]:
    """The names that only agents read whose workspace is one folder: others do not start where they lie."""
    own = {file.name for layer in all_layers() if layer.id == _SINGLE for file in layer.files}
    others = {file.name for layer in all_layers() if layer.id != _SINGLE for file in layer.files}
    return frozenset(own - others)


@cache
def rule_folders() -> frozenset[str]:
    """The names of folders of rule files of all profiles, with forward slashes."""
    return frozenset(file.name for layer in all_layers() for file in layer.files if file.glob)


def is_instruction_name(path: str) -> bool:
    """Whether ``path`` has the name of an instruction file, or lies in a folder of rule files."""
    spelled = path.replace(os.sep, "/") if os.sep != "/" else path
    *_, above, parent, name = ("", "", *spelled.split("/"))
    if name in listed_names() or f"{parent}/{name}" in listed_names():
        return True
    return f"{above}/{parent}" in rule_folders() and is_rule_name(name)
