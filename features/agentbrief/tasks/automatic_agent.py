"""Which agent is a folder made for, where the user leaves the choice to us?

The setting ``agents`` may name ``auto`` in place of a profile: the agent with the most specific evidence in
the folder. Evidence are the names in it that the profile lists. First counts how many of them no other family
of agents reads, then how many no other profile reads, then how many there are; of equals Claw leads. Names
that only agents of one folder read, such as ``TOOLS.md``, are everyday words: one alone says nothing.

Source: ux.md 9 (``agents``).
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from agentbrief.disk.files import Files
from agentbrief.profiles.profile import AgentProfile
from agentbrief.tasks.settings import AUTOMATIC, Settings
from agentbrief.tasks.setup import all_agents, names_of

DEFAULT = "claw"
FEWEST_EVERYDAY = 2


def with_automatic(settings: Settings, files: Files, folder: str | None) -> Settings:
    """``settings`` with the agent that ``folder`` is made for in place of ``auto``; None: the default one."""
    if not settings.is_automatic:
        return settings
    chosen = DEFAULT if folder is None else agent_for(settings, files, folder)
    named = (chosen if name == AUTOMATIC else name for name in settings.strings("agents"))
    return settings.replaced("agents", tuple(dict.fromkeys(named)))


def agent_for(settings: Settings, files: Files, folder: str) -> str:
    """The identifier of the profile with the most specific evidence in ``folder``."""
    known = all_agents(settings)
    everyday = names_of(settings).single
    there = [(each, _there(each, files, folder, everyday)) for each in known]
    return max(known, key=lambda each: _weight(each, there)).id


def _there(agent: AgentProfile, files: Files, folder: str, everyday: frozenset[str]) -> frozenset[str]:
    """The names of the profile's files and folders of rules that are in ``folder``."""
    inside = files.names(folder) or frozenset()
    names = {file.name for layer in agent.layers for file in layer.files if file.tool is None}
    found = frozenset(
        name
        for name in names
        if name.split("/", 1)[0] in inside and ("/" not in name or files.exists(os.path.join(folder, name)))
    )
    return found if len(found & everyday) >= FEWEST_EVERYDAY else found - everyday


def _weight(
    agent: AgentProfile, there: Sequence[tuple[AgentProfile, frozenset[str]]]
) -> tuple[int, int, int, bool]:
    own = next(names for each, names in there if each is agent)
    of_others = frozenset[str]().union(*(names for each, names in there if each is not agent))
    of_strangers = frozenset[str]().union(*(names for each, names in there if each.family != agent.family))
    return len(own - of_strangers), len(own - of_others), len(own), agent.id == DEFAULT
