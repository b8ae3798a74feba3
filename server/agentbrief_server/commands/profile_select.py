"""``agentbrief.profile.select``: which agent leads, until the settings say otherwise."""

from __future__ import annotations

from typing import Any

from agentbrief.messages import say
from agentbrief.profiles.load import profile, profile_ids
from agentbrief_server.commands.arguments import Arguments
from agentbrief_server.state import Snapshot
from agentbrief_server.surface import Surface


async def run(snapshot: Snapshot, surface: Surface, arguments: Arguments) -> dict[str, Any]:
    """Let the argument ``agent``, or the one the user chooses, lead for this session.

    The reply names the setting to write.
    """
    known = {profile(name).title: name for name in profile_ids() if profile(name).walk is not None}
    chosen = arguments.text("agent")
    if chosen is None:
        title = await surface.choose(say(snapshot.client.locale, "ask-agent"), list(known))
        if title is None:
            return {"agents": None, "known": list(known.values())}
        chosen = known[title]
    if chosen not in known.values():
        raise arguments.wrong("agent")
    surface.select_agents((chosen,))
    surface.say(say(snapshot.client.locale, "agent-selected", agent=profile(chosen).title, id=chosen))
    return {"agents": [chosen], "setting": "agentbrief.agents"}
