"""``agentbrief.profile.select``: which agent leads, until the settings say otherwise."""

from __future__ import annotations

from typing import Any

from agentbrief.messages import say
from agentbrief.tasks.settings import AUTOMATIC
from agentbrief.tasks.setup import all_agents
from agentbrief_server.commands.arguments import Arguments
from agentbrief_server.state import Snapshot
from agentbrief_server.surface import Surface


async def run(snapshot: Snapshot, surface: Surface, arguments: Arguments) -> dict[str, Any]:
    """Let the argument ``agent``, or the one the user chooses, lead for this session.

    The reply names the setting to write.
    """
    known = {each.id: each.title for each in all_agents(snapshot.settings_of(None))}
    known[AUTOMATIC] = say(snapshot.client.locale, "agent-automatic")
    chosen = arguments.text("agent")
    if chosen is None:
        title = await surface.choose(say(snapshot.client.locale, "ask-agent"), list(known.values()))
        chosen = next((name for name, each in known.items() if each == title), None)
        if chosen is None:
            return {"agents": None, "known": list(known)}
    if chosen not in known:
        raise arguments.wrong("agent")
    surface.select_agents((chosen,))
    locale = snapshot.client.locale
    if chosen == AUTOMATIC:
        surface.say(say(locale, "agent-selected-automatic"))
    else:
        surface.say(say(locale, "agent-selected", agent=known[chosen], id=chosen))
    return {"agents": [chosen], "setting": "agentbrief.agents"}
