"""How does the session that a workspace folder runs stand, now and from second to second?

The newest session of each folder is followed by offset: a look every second, of which most are one ``stat``.
The list itself is looked at anew every few seconds. All of it happens in a worker, and only for a client that
shows a status or a tree.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from agentbrief_server.log import LOG
from agentbrief_server.sessions.live_judging import CODE, LiveJudge
from agentbrief_server.sessions.offers import session_at
from agentbrief_server.state import Snapshot, State
from agentbrief_server.uris import uri_of

if TYPE_CHECKING:
    from agentbrief.sessions.context_used import SessionStatus
    from agentbrief.tasks.sessions.status import FollowedSession
    from agentbrief_server.sessions.desk import SessionDesk

LOOK_S = 1.0
LIST_EVERY = 5
"""Every so many looks the list is made anew, to find a session that began meanwhile."""
TELL_S = 2.0
"""A session's numbers are told at most once in this time."""

METHOD = "agentbrief/didChangeSession"


@dataclass
class Followed:
    """What is followed for a folder; ``told`` is what the client heard last, and when."""

    path: str | None = None
    session: FollowedSession | None = None
    compactions: int = 0
    told: SessionStatus | None = None
    told_at: float = -TELL_S


@dataclass(frozen=True, slots=True)
class _Found:
    """What one look found for a folder."""

    folder: str
    status: SessionStatus | None
    title: str
    expiring: int
    events: tuple[tuple[str, str], ...]
    rows_changed: bool


class Live:
    """Follows the sessions of the workspace folders, from :meth:`start` to :meth:`stop`."""

    def __init__(
        self,
        state: State,
        desk: SessionDesk,
        notify: Callable[[str, Any], None],
        status: Callable[[], None],
        rows: Callable[[], None],
    ) -> None:
        self._state = state
        self._desk = desk
        self._notify = notify
        self._status = status
        self._rows = rows
        self._followed: dict[str, Followed] = {}
        self._judge = LiveJudge()
        self._task: asyncio.Task[None] | None = None
        self._ended = False
        self._looks = 0
        self._rows_due = False
        self._rows_at = -TELL_S

    def start(self) -> None:
        """Begin to follow, if the client shows what is found or has a session open. On the loop."""
        if self._task is None and not self._ended and (self._shows or _open_sessions(self._state.snapshot())):
            self._task = asyncio.get_running_loop().create_task(self._run())

    def stop(self) -> None:
        """Follow nothing any more. From any thread."""
        self._ended = True

    @property
    def _shows(self) -> bool:
        client = self._state.client
        return client.status or client.rows

    def settings_changed(self) -> None:
        """Folders, settings or trust are others now: look at everything anew."""
        self._judge = LiveJudge()
        self._state.sessions.forget()
        self._followed = {}
        self._looks = 0

    def look_again(self) -> None:
        """List the sessions at the next look."""
        self._looks = 0

    async def _run(self) -> None:
        while not self._ended:
            snapshot, followed = self._state.snapshot(), self._followed
            lists = self._looks % LIST_EVERY == 0
            self._looks += 1
            try:
                found = await asyncio.to_thread(_looked, snapshot, followed, lists) if self._shows else []
                if followed is self._followed:
                    self._take(found)
                await self._judge_again(snapshot)
            except Exception:
                LOG.exception("following sessions failed")
            await asyncio.sleep(LOOK_S)

    async def _judge_again(self, snapshot: Snapshot) -> None:
        """Judge the sessions that are followed or open, where they are others now."""
        paths = {each.path for each in self._followed.values() if each.path is not None}
        paths.update(_open_sessions(snapshot))
        if not paths:
            return
        judge = self._judge
        fresh = await asyncio.to_thread(judge.judged, snapshot, sorted(paths))
        if judge is not self._judge or not fresh:
            return
        told = self._state.sessions.findings
        others = {path: [each for each in told.get(path, ()) if each.code != CODE] for path in fresh}
        self._desk.findings.take({path: (*others[path], *each) for path, each in fresh.items()})

    def _take(self, found: list[_Found]) -> None:
        now = asyncio.get_running_loop().time()
        seen = self._state.sessions
        changed = False
        for each in found:
            for title, detail in each.events:
                self._desk.happened(each.folder, title, detail)
            followed = self._followed.setdefault(each.folder, Followed())
            changed |= each.rows_changed or seen.expiring.get(each.folder) != each.expiring
            seen.expiring[each.folder] = each.expiring
            if each.status is None:
                changed |= seen.statuses.pop(each.folder, None) is not None
                continue
            changed |= seen.statuses.get(each.folder) != each.status
            seen.statuses[each.folder] = each.status
            seen.titles[each.folder] = each.title
            if followed.told != each.status and now - followed.told_at >= TELL_S:
                followed.told, followed.told_at = each.status, now
                self._tell(each.status)
        if changed:
            self._status()
            self._rows_due = True
        if self._rows_due and now - self._rows_at >= TELL_S:
            self._rows_due, self._rows_at = False, now
            self._rows()

    def _tell(self, status: SessionStatus) -> None:
        from agentbrief.report.session_record import status_record

        if self._state.client.status:
            self._notify(METHOD, {"uri": uri_of(status.path), **status_record(status)})


def _open_sessions(snapshot: Snapshot) -> list[str]:
    """The paths of the sessions that are open as documents."""
    uris = (document.uri for document in snapshot.documents.values())
    return [path for uri in uris if (path := session_at(snapshot, uri)) is not None]


def _looked(snapshot: Snapshot, followed: dict[str, Followed], lists: bool) -> list[_Found]:
    """One look at the session of each folder. In a worker."""
    from agentbrief_server.sessions.following import look

    return [
        _Found(folder, *look(snapshot, folder, followed.setdefault(folder, Followed()), lists))
        for folder in snapshot.folders
        if snapshot.settings_of(folder).flag("enable")
    ]
