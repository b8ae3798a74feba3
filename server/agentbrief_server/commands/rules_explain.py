"""``agentbrief.rules.explain``: the page of one rule."""

from __future__ import annotations

from typing import Any

from agentbrief.messages import say
from agentbrief.rules.registry import rules
from agentbrief_server.commands.arguments import Arguments
from agentbrief_server.commands.showing import show_page
from agentbrief_server.findings import findings_of
from agentbrief_server.state import Snapshot
from agentbrief_server.surface import Surface


async def run(snapshot: Snapshot, surface: Surface, arguments: Arguments) -> dict[str, Any]:
    """Show the page of the argument ``code``.

    Without it ask which, offering the rules that found something in the file first.
    """
    known = [rule.code for rule in rules()]
    code = arguments.text("code")
    if code is None:
        path = arguments.path()
        here = (
            [each.code for each in findings_of(snapshot, path)] if path and snapshot.names.has(path) else []
        )
        choices = list(dict.fromkeys(here)) or known
        code = await surface.choose(say(snapshot.client.locale, "ask-rule"), choices)
        if code is None:
            return {"shown": False, "codes": known}
    if code not in known:
        raise arguments.wrong("code")
    return await show_page(snapshot, surface, arguments, "rule", code=code)
