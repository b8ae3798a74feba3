"""``agentbrief.history.export``: the history of a session as a Markdown file, secrets masked, mode 0600."""

from __future__ import annotations

import os
from typing import Any

from agentbrief.disk.read import real_roots
from agentbrief.history.parts import LEVELS
from agentbrief.messages import say
from agentbrief.redact import mask
from agentbrief.tasks.sessions.history import (
    TellingOptions,
    as_unredacted,
    export_name,
    exported_to,
    free_name,
    preview_of,
)
from agentbrief.tasks.sessions.read import SessionFile
from agentbrief.tasks.sessions.titles import title_of
from agentbrief_server.commands.arguments import Arguments
from agentbrief_server.sessions.commands import (
    desk_of,
    file_of,
    folder_of,
    in_worker,
    is_interactive,
    require_trust,
    target_of,
)
from agentbrief_server.sessions.pages import options
from agentbrief_server.sessions.place import sessions_setup
from agentbrief_server.state import Snapshot
from agentbrief_server.surface import Surface
from agentbrief_server.uris import uri_of


async def run(snapshot: Snapshot, surface: Surface, arguments: Arguments) -> dict[str, Any]:
    """Write the session that ``uri`` or ``id`` names, told at ``level``, to ``output`` in the workspace.

    ``preview: true`` only says what would be masked. ``redact: false`` asks once, and the name says so.
    """
    require_trust(snapshot, arguments)
    level = arguments.text("level") or ""
    if level and level not in LEVELS:
        raise arguments.wrong("level")
    folder = folder_of(snapshot, arguments)
    target = target_of(snapshot, arguments, folder)
    setup = sessions_setup(snapshot, folder)
    redacts = arguments.flag("redact", True) and setup.settings.flag("export.redact")
    file = await file_of(snapshot, surface, arguments)
    if file is None:
        return {"written": False}
    telling = options(snapshot, level, redacts=redacts)
    if arguments.flag("preview", False):
        found = await in_worker(arguments, lambda: preview_of(setup, file, telling))
        return {"written": False, "messages": found.messages, "shown": found.shown, "masked": found.groups}
    if not level and is_interactive(arguments):
        chosen = await _asked_level(snapshot, surface, arguments, file, telling)
        if chosen is None:
            return {"written": False}
        telling = options(snapshot, chosen, redacts=redacts)
    desk = desk_of(snapshot)
    target = target or os.path.join(folder, export_name(file, redacts))
    target = target if redacts else as_unredacted(target)
    if not redacts and not await _agreed(snapshot, surface, target):
        return {"written": False}

    def made() -> str:
        path = target if arguments.text("output") else free_name(setup.fs, target)
        desk.require_trust()
        roots = real_roots(setup.fs, snapshot.folders)
        exported_to(setup, file, path, roots, telling, desk.own(folder).events_for(file.path))
        return path

    path = await in_worker(arguments, made)
    if is_interactive(arguments):
        surface.say(say(snapshot.client.locale, "session.export.written", path=path))
    return {"written": True, "uri": uri_of(path), "path": path, "redacted": redacts}


async def _asked_level(
    snapshot: Snapshot, surface: Surface, arguments: Arguments, file: SessionFile, telling: TellingOptions
) -> str | None:
    locale = snapshot.client.locale
    setup = sessions_setup(snapshot, snapshot.folder_of(file.path))
    found = await in_worker(arguments, lambda: preview_of(setup, file, telling))
    masked = (
        say(locale, "history.preview.masked", **found.groups)
        if any(found.groups.values())
        else say(locale, "history.preview.nothing-masked")
    )
    title = mask(await in_worker(arguments, lambda: title_of(setup, file)))
    levels = {say(locale, f"history.level.{level}"): level for level in LEVELS}
    question = say(locale, "session.ask-level", title=title, masked=masked)
    return levels.get(await surface.choose(question, list(levels)) or "")


async def _agreed(snapshot: Snapshot, surface: Surface, target: str) -> bool:
    """Whether the user wants secrets to be written as they are."""
    locale = snapshot.client.locale
    yes, no = say(locale, "fix.yes"), say(locale, "fix.no")
    question = say(locale, "session.export.ask-unredacted", path=target)
    return await surface.choose(question, (yes, no)) == yes
