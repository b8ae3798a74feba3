"""``agentbrief.instructions.revealTarget``: where an instruction file leads that is a link to elsewhere."""

from __future__ import annotations

from typing import Any

from agentbrief.messages import say
from agentbrief_server.commands.arguments import Arguments
from agentbrief_server.seen import seen
from agentbrief_server.state import Snapshot
from agentbrief_server.surface import Surface


async def run(snapshot: Snapshot, surface: Surface, arguments: Arguments) -> dict[str, Any]:
    """Say the place; nothing there is opened."""
    found = seen(snapshot, arguments.text("uri") or "")
    if found is None:
        raise arguments.missing("no-instruction-file")
    if found.target_outside is None:
        raise arguments.missing("no-link-outside")
    name, target = found.placed.file.name, found.target_shown
    surface.say(say(snapshot.client.locale, "target-revealed", name=name, target=target))
    return {"target": found.target_outside}
