"""How does an agent share its limits among its files? The way that its profile names.

What few agents need is imported when one of them asks.
"""

from __future__ import annotations

from agentbrief.brief.place import place as place_by_distance
from agentbrief.brief.placement import Brief, Limits
from agentbrief.instructions import Discovered
from agentbrief.profiles.profile import AgentProfile


def place(profile: AgentProfile, found: Discovered, limits: Limits) -> Brief:
    """The brief of an agent for the files that were found."""
    if profile.rendering is not None and profile.rendering.cut == "head-and-tail":
        from agentbrief.brief.head_and_tail import place_head_and_tail

        return place_head_and_tail(profile, found, limits)
    return place_by_distance(profile, found, limits)
