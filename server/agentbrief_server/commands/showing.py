"""How does a command show its page?"""

from __future__ import annotations

import asyncio
from typing import Any

from agentbrief.messages import say
from agentbrief_server.commands.arguments import Arguments
from agentbrief_server.pages import address, page_at
from agentbrief_server.state import Snapshot
from agentbrief_server.surface import Surface


async def show_page(
    snapshot: Snapshot, surface: Surface, arguments: Arguments, kind: str, **about: str
) -> dict[str, Any]:
    """Make the page of ``kind`` about the start folder that the arguments name, show it, and say where it is.

    With the argument ``show: false`` it is only made: the client shows it in its own way.

    Raises:
        JsonRpcException: there is nothing to make it of.
    """
    if "start" not in about and kind not in ("rule", "context", "hidden", "copies", "rotation"):
        about["start"] = arguments.start(snapshot)
    title = say(snapshot.client.locale, f"page.{kind}")
    uri = address(kind, title, **about)
    page = await asyncio.to_thread(page_at, snapshot, uri)
    if page is None:
        raise arguments.missing("no-page")
    if not arguments.flag("show", True):
        return {"uri": uri, "title": title, "shown": False, "text": page.text}
    return await surface.show(snapshot, uri, page, title)
