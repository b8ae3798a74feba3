"""What goes to the trash when a session goes?"""

from __future__ import annotations

import os
from collections.abc import Iterable

from agentbrief.changes.apply import Site
from agentbrief.changes.steps import MoveToTrash, Step
from agentbrief.disk.folder import stamp_of
from agentbrief.disk.lock import Caller
from agentbrief.disk.seam import FS
from agentbrief.sessions.session_items import SessionItem
from agentbrief.sessions.sniff import claw_code, pi, port_sessions
from agentbrief.sessions.workspace_session import history_path, session_path, transcript_path
from agentbrief.tasks.sessions.own import NotOwn


def steps_to_trash(fs: FS, item: SessionItem) -> tuple[Step, ...] | NotOwn:
    """What moving the session ``item`` to the trash takes; or why it stays.

    ``read-only``: it is another program's. ``running``: something wrote to it just now.

    Raises:
        Refused: a file may not be looked at.
    """
    if not item.writable or item.format not in (port_sessions.FORMAT, claw_code.FORMAT, pi.FORMAT):
        return NotOwn("read-only", item.path)
    if item.state == "running" and item.format != port_sessions.FORMAT:
        return NotOwn("running", item.path)
    steps: list[Step] = []
    for path in _files(item):
        if (stamp := stamp_of(fs, path)) is not None:
            steps.append(MoveToTrash(path, stamp, item.title))
    return tuple(steps) if steps else NotOwn("no-session", item.path)


def trash_site(fs: FS, item: SessionItem, caller: Caller) -> Site:
    """Where that is done: in the folder of the session."""
    return Site(fs, os.path.dirname(item.path), caller)


def _files(item: SessionItem) -> Iterable[str]:
    yield item.path
    folder = os.path.dirname(item.path)
    if item.format == port_sessions.FORMAT:
        assert session_path(folder, item.session_id) == item.path
        yield transcript_path(folder, item.session_id)
        yield history_path(folder, item.session_id)
    for name in item.rotated:
        yield os.path.join(folder, name)
