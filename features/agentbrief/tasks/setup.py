"""What does every task on instruction files need?"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import lru_cache

from agentbrief.brief import Brief, Limits, place
from agentbrief.disk.files import Files
from agentbrief.disk.look import Same
from agentbrief.instructions import Place, find
from agentbrief.instructions.names import InstructionNames, names_with, shipped_names
from agentbrief.instructions.place import Bound
from agentbrief.profiles.load import profile, profile_ids
from agentbrief.profiles.profile import AgentProfile
from agentbrief.tasks.settings import Settings

BOUNDS: tuple[Bound, ...] = ("workspace", "git", "root")


@dataclass(frozen=True, slots=True)
class Setup:
    """The files that can be seen, the workspace folders (absolute, outermost ones count) and the settings in
    force.
    """

    files: Files
    folders: tuple[str, ...]
    settings: Settings


def agents(settings: Settings) -> tuple[AgentProfile, ...]:
    """The profiles whose instruction rules are shown, the leading one first; unknown ones are left out."""
    known = [found for name in settings.strings("agents") if (found := agent_of(settings, name)) is not None]
    return tuple(known) or (profile("claw"),)


def all_agents(settings: Settings) -> tuple[AgentProfile, ...]:
    """Every profile with instruction rules, to choose from: those of this package in alphabetical order, as
    they are verified, then the user's own.
    """
    own = (each for name, each in settings.profiles.items() if name not in profile_ids())
    return tuple(each for each in (*map(profile, profile_ids()), *own) if each.walk is not None)


def agent_of(settings: Settings, name: str) -> AgentProfile | None:
    """The profile with instruction rules of that identifier; None if there is none."""
    if name not in profile_ids() and name not in settings.profiles:
        return None
    found = profile_of(settings, name)
    return found if found.walk is not None else None


def names_of(settings: Settings) -> InstructionNames:
    """The names of instruction files of all profiles, the user's own among them."""
    return shipped_names() if settings.profiles.keys() <= set(profile_ids()) else _all_names(Same(settings))


@lru_cache(maxsize=16)
def _all_names(settings: Same[Settings]) -> InstructionNames:
    return names_with(settings.value.profiles.values())


def profile_of(settings: Settings, name: str) -> AgentProfile:
    """The profile of the agent ``name`` for the version and with the changes that the settings know of.

    Raises:
        KeyError: there is none.
    """
    if (found := settings.profiles.get(name)) is not None:
        return found
    version = settings.version(name)
    if name == "openclaw":
        from agentbrief.tasks.openclaw_profile import openclaw_profile

        return openclaw_profile({}, version)
    return profile(name, version)


def limits_of(agent: AgentProfile, settings: Settings) -> Limits:
    """The limits in force: the profile's, or the settings that may replace them."""
    numbers: list[int] = []
    for limit in (agent.limit("file"), agent.limit("total")):
        assert limit is not None
        given = settings.number(limit.setting) if limit.setting else None
        numbers.append(limit.max if given is None else given)
    return Limits(*numbers)


def brief_from(setup: Setup, agent: AgentProfile, start: str) -> Brief:
    """What the agent is told when it is started in ``start`` (a folder, or a document).

    As long as nothing changed, the same object comes back.
    """
    look, limits = _question(Same(setup.settings), Same(agent), setup.folders, start)
    return setup.files.remembered(
        ("brief", Same(agent), Same(look)), lambda files: place(agent, find(agent, look, files), limits)
    )


@lru_cache(maxsize=8192)
def _question(
    settings: Same[Settings], agent: Same[AgentProfile], folders: tuple[str, ...], start: str
) -> tuple[Place, Limits]:
    """Where a look begins, and the limits in force; the same objects for the same question."""
    given = settings.value
    look = Place(start, folders, _bound(given), allowed_roots=given.strings("allowedRoots"))
    return look, limits_of(agent.value, given)


def _bound(settings: Settings) -> Bound:
    wanted = settings.text("discovery.bound")
    found: list[Bound] = [bound for bound in BOUNDS if bound == wanted]
    return found[0]


def folder_of(setup: Setup, path: str) -> str | None:
    """The outermost workspace folder that holds ``path``."""
    holding = [
        folder
        for folder in setup.folders
        if path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)
    ]
    return min(holding, key=len, default=None)


def start_folder(setup: Setup, folder: str) -> str:
    """The folder that the agent is taken to start in for views: the setting ``startFolder``, else the
    workspace folder.
    """
    given = setup.settings.text("startFolder")
    return os.path.normpath(os.path.join(folder, given)) if given else folder
