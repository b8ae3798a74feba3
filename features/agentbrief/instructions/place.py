"""From where is the agent started, and how far up does it look?"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from agentbrief.disk.files import Files
from agentbrief.profiles.profile import AgentProfile
from agentbrief.profiles.strategies.claw import BOUNDS

Bound = Literal["workspace", "git", "root"]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a look begins.

    ``start`` is a folder or a document, absolute; ``bound`` the setting ``discovery.bound``; ``top`` the
    file-system root. ``tools`` are the other tools whose files claw-code imports (None: all of them). Files
    may be read below the bound, the workspace folders and ``allowed_roots``.
    """

    start: str
    workspace_folders: tuple[str, ...] = ()
    bound: Bound = "workspace"
    top: str = os.sep
    tools: tuple[str, ...] | None = None
    allowed_roots: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Chain:
    """The folders that are looked at, nearest first, the bound last; ``above`` those beyond it."""

    start: str
    folders: tuple[str, ...]
    above: tuple[str, ...]

    @property
    def bound(self) -> str:
        """The outermost folder of the chain."""
        return self.folders[-1]


def folders_up(folder: str, top: str = os.sep) -> tuple[str, ...]:
    """``folder`` and its lexical parents up to ``top``, nearest first.

    ``..`` is a name like any other here.
    """
    found = [folder]
    while folder != top and (parent := os.path.dirname(folder)) != folder:
        found.append(parent)
        folder = parent
    return tuple(found)


def chain_of(profile: AgentProfile, place: Place, files: Files) -> Chain:
    """The folders from the start up to the profile's bound.

    Profiles of the strategy ``outer-of-workspace-and-git`` resolve ``..`` lexically and take the folder of a
    document, and their bound follows the setting; claw-code takes its working directory as it is given.
    """
    assert profile.walk is not None
    exact = profile.walk.bound == "git-or-start"
    start = _without_last_separator(place.start) if exact else os.path.normpath(place.start)
    if not exact and files.is_folder(start) is False:
        start = os.path.dirname(start)
    up = folders_up(start, place.top)

    def has_git(folder: str) -> bool:
        return files.is_folder(os.path.join(folder, ".git")) is not None

    if profile.walk.bound == "start-only":
        return Chain(start, up[:1], ())
    if exact or place.bound == "workspace":
        workspace = min((folder for folder in place.workspace_folders if folder in up), key=len, default=None)
        bound = BOUNDS[profile.walk.bound](up, workspace, has_git)
    elif place.bound == "git":
        bound = BOUNDS["git-or-start"](up, None, has_git)
    else:
        bound = up[-1]
    last = up.index(bound)
    return Chain(start, up[: last + 1], up[last + 1 :])


def _without_last_separator(path: str) -> str:
    return path.rstrip(os.sep) or os.sep


def holder(path: str, names: Iterable[str]) -> str:
    """The folder that an instruction file belongs to: that of ``.claude/CLAUDE.md`` is the one which holds
    ``.claude``.

    ``names`` are listed names with forward slashes; of several that fit the longest counts.
    """
    spelled = path.replace(os.sep, "/")
    fitting = [name for name in names if spelled.endswith("/" + name)]
    depth = max(fitting, key=len).count("/") if fitting else 0
    folder = os.path.dirname(path)
    for _ in range(depth):
        folder = os.path.dirname(folder)
    return folder
