"""``agentbrief.session.trash``: move one session to the trash of its folder."""

from __future__ import annotations

from typing import Any

from agentbrief.changes.apply import apply
from agentbrief.changes.steps import touched
from agentbrief.tasks.sessions.own import NotOwn
from agentbrief.tasks.sessions.trash import steps_to_trash, trash_site
from agentbrief_server.commands.arguments import Arguments
from agentbrief_server.sessions.commands import (
    chosen_item,
    desk_of,
    done,
    folder_of,
    in_worker,
    item_of,
    named_id,
    named_path,
    require_trust,
)
from agentbrief_server.sessions.place import sessions_setup
from agentbrief_server.state import Snapshot
from agentbrief_server.surface import Surface
from agentbrief_server.uris import uri_of


async def run(snapshot: Snapshot, surface: Surface, arguments: Arguments) -> dict[str, Any]:
    """Move the session that ``uri`` or ``id`` names; ``dryRun: true`` only says which files would go."""
    require_trust(snapshot, arguments)
    dry_run = arguments.flag("dryRun", False)
    folder = folder_of(snapshot, arguments)
    if named_path(snapshot, arguments) is None and named_id(arguments) is None:
        item = await chosen_item(snapshot, surface, arguments, folder)
        if item is None:
            return {"trashed": []}
    else:
        item = await item_of(snapshot, arguments)
    desk, setup = desk_of(snapshot), sessions_setup(snapshot, folder)

    def made() -> list[str] | NotOwn:
        steps = steps_to_trash(setup.fs, item)
        if isinstance(steps, NotOwn):
            return steps
        if dry_run:
            return [touched(step) for step in steps]
        desk.require_trust()
        receipt = apply(trash_site(setup.fs, item, desk.caller()), steps)
        return [each.path for each in receipt.done]

    paths = [uri_of(path) for path in done(arguments, await in_worker(arguments, made))]
    if dry_run:
        return {"trashed": [], "wouldTrash": paths}
    desk.own(folder).forget(item.session_id)
    desk.changed()
    return {"trashed": paths, "sessionId": item.session_id}
