"""``agentbrief/rows``: the rows of a view, ready to be shown."""

from __future__ import annotations

import asyncio
from typing import Any

from agentbrief.tasks.setup import agents, brief_from, start_folder
from agentbrief_server.rows import budget_rows, file_rows
from agentbrief_server.state import Snapshot
from agentbrief_server.uris import path_of


async def handle(snapshot: Snapshot, params: Any) -> list[dict[str, Any]]:
    """The rows of ``view`` for the workspace folder ``folder`` (a path or a URI).

    Below ``parent`` those of one row.
    """
    given = params if isinstance(params, dict) else {}
    folder = given.get("folder")
    if isinstance(folder, str) and folder.startswith("file:"):
        folder = path_of(folder)
    if not isinstance(folder, str) or folder not in snapshot.folders:
        return []
    parent = given.get("parent")
    view = given.get("view")
    rows = {"files": file_rows, "budget": budget_rows}.get(view) if isinstance(view, str) else None
    if rows is None:
        return []

    def made() -> list[dict[str, Any]]:
        setup = snapshot.setup(folder)
        agent = agents(setup.settings)[0]
        brief = brief_from(setup, agent, start_folder(setup, folder))
        return rows(snapshot, agent, brief, parent if isinstance(parent, str) else None)

    return await asyncio.to_thread(made)
