"""``agentbrief.session.repair``: a repaired copy of a session; the session itself stays as it is."""

from __future__ import annotations

import os
from typing import Any

from agentbrief.changes.apply import Site
from agentbrief.disk.read import real_roots
from agentbrief.tasks.sessions.repair import Repair, copy_paths, free_paths, planned_repair, repaired
from agentbrief_server.commands.arguments import Arguments
from agentbrief_server.sessions.commands import (
    desk_of,
    file_of,
    folder_of,
    in_worker,
    is_interactive,
    not_done,
    require_trust,
    target_of,
)
from agentbrief_server.sessions.place import sessions_setup
from agentbrief_server.state import Snapshot
from agentbrief_server.surface import Surface
from agentbrief_server.uris import uri_of


async def run(snapshot: Snapshot, surface: Surface, arguments: Arguments) -> dict[str, Any]:
    """Write the copy to ``output``, else beside a session of the workspace or into the workspace folder.

    ``dryRun: true`` only says what would be changed.
    """
    dry_run = arguments.flag("dryRun", False)
    if not dry_run:
        require_trust(snapshot, arguments)
    folder = folder_of(snapshot, arguments)
    output = target_of(snapshot, arguments, folder)
    file = await file_of(snapshot, surface, arguments)
    if file is None:
        return {"written": False}
    desk, setup = desk_of(snapshot), sessions_setup(snapshot, folder)
    beside = os.path.dirname(file.path) if snapshot.folder_of(file.path) else folder

    def made() -> tuple[Repair, str, str]:
        repair = planned_repair(setup.fs, file)
        copy, bad = copy_paths(file, output) if output else free_paths(setup.fs, file, beside)
        if repair.is_needed and not dry_run:
            with desk.lock_folder() as store:
                roots = real_roots(setup.fs, snapshot.folders)
                desk.require_trust()
                repaired(Site(setup.fs, store, desk.caller(), roots), repair, copy, bad)
        return repair, copy, bad

    repair, copy, bad = await in_worker(arguments, made)
    if repair.problem is not None:
        raise not_done(arguments, file.path, repair.problem)
    written = repair.is_needed and not dry_run
    changes = [
        {"line": change.line, "code": change.code, "putIn": len(change.put_in)}
        for change in repair.plan.changes
    ]
    reply: dict[str, Any] = {
        "needed": repair.is_needed,
        "written": written,
        "changes": changes,
        "records": repair.records,
        "brokenLinks": repair.broken_links,
    }
    if written:
        reply |= {"copy": uri_of(copy), "badLines": uri_of(bad)}
        desk.changed()
    if is_interactive(arguments):
        surface.say(_sentence(arguments, repair, copy, bad, written))
    return reply


def _sentence(arguments: Arguments, repair: Repair, copy: str, bad: str, written: bool) -> str:
    from agentbrief.messages import say

    if written:
        return say(arguments.locale, "session.repair.written", copy=copy, bad=bad)
    return say(arguments.locale, "session.repair.nothing", name=os.path.basename(repair.file.path))
