"""``agentbrief/rows``: the rows of a view, ready to be shown."""

from __future__ import annotations

import asyncio
from typing import Any

from agentbrief.tasks.setup import agents, brief_from, start_folder
from agentbrief_server.loose import as_object, as_text
from agentbrief_server.rows import budget_rows, file_rows
from agentbrief_server.state import Snapshot
from agentbrief_server.uris import path_of

_VIEWS = {"files": file_rows, "budget": budget_rows}


async def handle(snapshot: Snapshot, params: Any) -> list[dict[str, Any]]:
    """The rows of ``view`` for the workspace folder ``folder`` (a path or a URI).

    Below ``parent`` those of one row.
    """
    given = as_object(params)
    folder, parent = as_text(given.get("folder")), as_text(given.get("parent"))
    if folder is not None and folder.startswith("file:"):
        folder = path_of(folder)
    rows = _VIEWS.get(as_text(given.get("view")) or "")
    if rows is None or folder is None or folder not in snapshot.folders:
        return []

    def made() -> list[dict[str, Any]]:
        setup = snapshot.setup(folder)
        agent = agents(setup.settings)[0]
        brief = brief_from(setup, agent, start_folder(setup, folder))
        return rows(snapshot, agent, brief, parent)

    return await asyncio.to_thread(made)
