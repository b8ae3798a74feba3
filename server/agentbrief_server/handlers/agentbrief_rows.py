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
SESSIONS = "sessions"


async def handle(snapshot: Snapshot, params: Any) -> list[dict[str, Any]]:
    """The rows of ``view`` for the workspace folder ``folder`` (a path or a URI).

    Below ``parent`` those of one row.
    """
    given = as_object(params)
    folder, parent = as_text(given.get("folder")), as_text(given.get("parent"))
    if folder is not None and folder.startswith("file:"):
        folder = path_of(folder)
    view = as_text(given.get("view")) or ""
    rows = _VIEWS.get(view)
    if folder is None or folder not in snapshot.folders:
        return []
    if view == SESSIONS:
        return await _sessions(snapshot, folder, parent)
    if rows is None:
        return []

    def made() -> list[dict[str, Any]]:
        setup = snapshot.setup(folder)
        agent = agents(setup.settings)[0]
        brief = brief_from(setup, agent, start_folder(setup, folder))
        found = rows(snapshot, agent, brief, parent)
        return [*found, *_session_in_budget(snapshot, folder, parent)] if view == "budget" else found

    return await asyncio.to_thread(made)


async def _sessions(snapshot: Snapshot, folder: str, parent: str | None) -> list[dict[str, Any]]:
    from agentbrief_server.sessions.rows import session_rows

    found = await asyncio.to_thread(session_rows, snapshot, folder, parent)
    if snapshot.sessions.desk is not None:
        snapshot.sessions.desk.listed(snapshot, folder)
    return found


def _session_in_budget(snapshot: Snapshot, folder: str, parent: str | None) -> list[dict[str, Any]]:
    if folder not in snapshot.sessions.statuses:
        return []
    from agentbrief_server.sessions.rows import session_budget_rows

    return session_budget_rows(snapshot, folder, parent)
