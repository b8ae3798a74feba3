"""Which session does a workspace folder run, and what is new in it? One look, in a worker."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from agentbrief.disk.refusal import Refused
from agentbrief.messages import say
from agentbrief.report.session_words import expires_soon, name_of
from agentbrief.sessions.context_used import SessionStatus
from agentbrief.sessions.jsonl.lines import Record
from agentbrief.sessions.session_items import SessionItem
from agentbrief.sessions.tool_edits import edits_in
from agentbrief.tasks.sessions.read import NotASession, session_file
from agentbrief.tasks.sessions.setup import SessionsSetup, readable_roots
from agentbrief.tasks.sessions.status import FollowedSession
from agentbrief_server.sessions.place import listed, sessions_setup
from agentbrief_server.state import Snapshot

if TYPE_CHECKING:
    from agentbrief_server.sessions.live import Followed

Seen = tuple[SessionStatus | None, str, int, tuple[tuple[str, str], ...], bool]
"""The status, the title, how many sessions expire soon, what happened, whether the list is another one."""


def look(snapshot: Snapshot, folder: str, followed: Followed, lists: bool) -> Seen:
    """What is new in the session of ``folder``. With ``lists`` the list is made anew first."""
    before = snapshot.sessions.lists.get(folder)
    found = listed(snapshot, folder) if lists or before is None else before
    setup = sessions_setup(snapshot, folder)
    days = setup.settings.number("sessions.expiringDays") or 0
    expiring = sum(expires_soon(item, days) for item in found.items)
    rows_changed = before is None or _shown(before.items) != _shown(found.items)
    item = running(snapshot, found.items)
    if item is None:
        followed.path, followed.session = None, None
        return None, "", expiring, (), rows_changed
    if followed.path != item.path or followed.session is None:
        _follow(setup, item, followed)
    try:
        seen = followed.session.look(setup) if followed.session is not None else None
    except (Refused, ValueError):
        seen = None
    if seen is None:
        followed.path, followed.session = None, None
        return None, "", expiring, (), rows_changed
    events = [*_edits(item, seen.added, snapshot.client.locale)]
    if not seen.from_start and seen.compactions > followed.compactions:
        events.append((say(snapshot.client.locale, "session.event.compaction"), name_of(item)))
    followed.compactions = seen.compactions
    return seen.status, name_of(item), expiring, tuple(events), rows_changed


def running(snapshot: Snapshot, items: Iterable[SessionItem]) -> SessionItem | None:
    """The newest session that may be read; those of the workspace itself need trust."""
    for item in items:
        is_usable = item.problem is None and not item.is_foreign and item.state != "archived"
        if is_usable and (snapshot.trusted or not item.is_own):
            return item
    return None


def _follow(setup: SessionsSetup, item: SessionItem, followed: Followed) -> None:
    followed.path, followed.session, followed.compactions = item.path, None, 0
    try:
        file = session_file(setup.fs, item.path, readable_roots(setup))
    except Refused:
        return
    if not isinstance(file, NotASession):
        told = item.window if item.agent == "openclaw" else None
        followed.session = FollowedSession(file, told)


def _edits(item: SessionItem, added: tuple[Record, ...], locale: str) -> Iterator[tuple[str, str]]:
    """The edits of tools among the records that were added, as events."""
    for record in added:
        for edit in edits_in(item.format, record):
            yield say(locale, "session.event.tool-edit"), f"{edit.tool}: {edit.path}"


def _shown(items: Iterable[SessionItem]) -> tuple[tuple[object, ...], ...]:
    """What the rows of the tree are made of."""
    return tuple((each.path, each.title, each.stamp, each.state, each.expires_in_days) for each in items)
