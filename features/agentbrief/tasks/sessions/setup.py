"""What does every task on sessions need?"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field

from agentbrief.disk.read import Roots, real_roots
from agentbrief.disk.seam import FS
from agentbrief.profiles.load import profile, profile_ids
from agentbrief.profiles.profile import AgentProfile
from agentbrief.profiles.roots import root_folders
from agentbrief.sessions.readers import TRANSCRIPTS
from agentbrief.sessions.workspace_session import store_folder
from agentbrief.tasks.settings import Settings


@dataclass(frozen=True, slots=True)
class SessionsSetup:
    """The disk, the workspace folders (absolute), the settings in force, and what features do not know:

    ``home`` and ``env`` of the user, ``now_ms`` since 1970. ``trusted``: the workspace's own sessions may be
    read, not only listed.
    """

    fs: FS
    folders: tuple[str, ...]
    settings: Settings
    home: str
    now_ms: int
    env: Mapping[str, str] = field(default_factory=dict[str, str], hash=False)
    trusted: bool = True


def session_agents() -> tuple[AgentProfile, ...]:
    """The profiles of the agents whose sessions can be read."""
    found = (profile(name) for name in profile_ids())
    return tuple(each for each in found if each.sessions and each.sessions.adapter in TRANSCRIPTS)


def agent_folders(setup: SessionsSetup, agent: AgentProfile) -> tuple[str, ...]:
    """The folders in which the sessions of ``agent`` are looked for: those of the settings, else its own.

    None of its own where the user does not want them read.
    """
    given = setup.settings.strings("sessions.roots")
    if given:
        return tuple(dict.fromkeys(_at_home(folder, setup.home) for folder in given))
    if agent.sessions is None or not setup.settings.flag("readHomeSessions"):
        return ()
    return root_folders(agent.sessions.roots, setup.home, setup.env)


def own_folders(folder: str) -> tuple[str, str]:
    """The folders in the workspace folder ``folder`` that hold its own sessions and those of claw-code."""
    return store_folder(folder), os.path.join(folder, ".claw", "sessions")


def readable_folders(setup: SessionsSetup) -> tuple[str, ...]:
    """The folders whose sessions may be read, by their spelling. Those of the workspace need trust."""
    own = [each for folder in setup.folders for each in own_folders(folder)] if setup.trusted else []
    homes = [folder for agent in session_agents() for folder in agent_folders(setup, agent)]
    return tuple(dict.fromkeys((*own, *homes)))


def readable_roots(setup: SessionsSetup) -> Roots:
    """The real paths of :func:`readable_folders`. A folder of the workspace stays inside the workspace."""
    roots = real_roots(setup.fs, readable_folders(setup))
    workspace = real_roots(setup.fs, setup.folders) if setup.trusted else frozenset[str]()
    homes = real_roots(
        setup.fs, tuple(folder for agent in session_agents() for folder in agent_folders(setup, agent))
    )
    return frozenset(root for root in roots if root in homes or _is_in(root, workspace))


def _is_in(path: str, roots: Roots) -> bool:
    return any(path == root or path.startswith(root.rstrip(os.sep) + os.sep) for root in roots)


def _at_home(folder: str, home: str) -> str:
    return os.path.normpath(home + folder[1:] if folder.startswith("~/") or folder == "~" else folder)
