"""How is work shown that takes long, and how does the client end it?

Progress of the server's own, only for a client that has it, and only once the work has taken a while.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable
from typing import Any

from agentbrief_server.brief_server import BriefServer
from agentbrief_server.log import LOG

SHOWN_AFTER_S = 0.4
"""Work that is done sooner shows no progress."""

_CREATED_WITHIN_S = 5
_REPORT_S = 0.5

_numbers = itertools.count(1)


async def show_progress(
    server: BriefServer,
    work: asyncio.Future[Any],
    title: str,
    message: Callable[[], str],
    cancel: Callable[[], None],
) -> None:
    """Show ``title`` with what ``message`` says from time to time, until ``work`` is done.

    ``cancel`` is called, on the loop, when the user wants it to end.
    """
    await asyncio.wait([work], timeout=SHOWN_AFTER_S)
    if work.done():
        return
    progress: Any = server.work_done_progress
    token = f"agentbrief-work-{next(_numbers)}"
    try:
        await asyncio.wait_for(progress.create_async(token), _CREATED_WITHIN_S)
    except Exception:
        LOG.warning("the client made no progress")
        return

    def tell(value: dict[str, Any]) -> None:
        server.protocol.notify("$/progress", {"token": token, "value": value})

    def ended(_: object) -> None:
        cancel()

    progress.tokens[token].add_done_callback(ended)
    tell({"kind": "begin", "title": title, "cancellable": True})
    said = ""
    try:
        while not work.done():
            await asyncio.wait([work], timeout=_REPORT_S)
            if not work.done() and (now := message()) != said:
                said = now
                tell({"kind": "report", "message": said})
    finally:
        tell({"kind": "end"})
        progress.tokens.pop(token, None)
