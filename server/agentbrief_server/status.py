"""What does the client's status say, and when is it told?"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from agentbrief.tasks.setup import agents, brief_from, start_folder
from agentbrief_server.pictures import files_picture, session_picture
from agentbrief_server.seen import seen
from agentbrief_server.state import Snapshot, State

if TYPE_CHECKING:
    from agentbrief.report.status import Status

EVERY_S = 2.0
"""A screen reader says what changed: at most once in this time."""

METHOD = "agentbrief/status"


class StatusLine:
    """Tells a client that announced it what its status item and its open files say; only what changed."""

    def __init__(self, state: State, notify: Callable[[str, Any], None]) -> None:
        self._state = state
        self._notify = notify
        self._told: dict[str, tuple[dict[str, Any], Status]] = {}
        self._waiting = False
        self._again = False

    def soon(self) -> None:
        """Tell the status: at once if that was long ago, else when the time has come."""
        if not self._state.client.status:
            return
        if self._waiting:
            self._again = True
            return
        self._waiting = True
        loop = asyncio.get_running_loop()
        loop.call_soon(self._tell)
        loop.call_later(EVERY_S, self._ready)

    def _ready(self) -> None:
        self._waiting = False
        if self._again:
            self._again = False
            self.soon()

    def _tell(self) -> None:
        from agentbrief.report.status import file_status

        snapshot = self._state.snapshot()
        for folder in snapshot.folders:
            agent = agents(snapshot.settings_of(folder))[0]
            leader = {"id": agent.id, "title": agent.title, "automatic": self._state.is_automatic(folder)}
            about = {"folder": folder, "agent": leader}
            self._send(about, folder, _folder_status(snapshot, folder))
        for path, document in snapshot.documents.items():
            if snapshot.names.has(path) and (found := seen(snapshot, document.uri)) is not None:
                status = file_status(found.agent, found.brief, path, snapshot.client.locale)
                self._send({"uri": document.uri}, document.uri, status)

    def _send(self, about: dict[str, Any], key: str, status: Status) -> None:
        if self._told.get(key) == (about, status):
            return
        self._told[key] = about, status
        self._notify(
            METHOD,
            {
                **about,
                "state": status.state,
                "text": status.text,
                "tooltip": status.tooltip,
                "accessibilityLabel": status.label,
            },
        )


def _folder_status(snapshot: Snapshot, folder: str) -> Status:
    from agentbrief.report.status import FORMAT, item_numbers, status_of

    setup = snapshot.setup(folder)
    agent = agents(setup.settings)[0]
    brief = brief_from(setup, agent, start_folder(setup, folder))
    inside = [
        each
        for path, found in snapshot.findings.items()
        if snapshot.folder_of(path) == folder
        for each in found
    ]
    locale = snapshot.client.locale
    form = setup.settings.text("statusBar.format") or FORMAT
    status = status_of(agent, brief, inside, locale, working=folder not in snapshot.projects, form=form)
    session, expiring = snapshot.sessions.statuses.get(folder), snapshot.sessions.expiring.get(folder, 0)
    if session is None and not expiring:
        return _with_picture(status, files_picture(snapshot, agent, brief))
    from agentbrief.report.session_status import with_session

    days = setup.settings.number("sessions.expiringDays") or 0
    title = snapshot.sessions.titles.get(folder, "")
    numbers = None if form == FORMAT else partial(item_numbers, form, agent, brief)
    status = with_session(status, brief.sent_chars, session, title, (expiring, days), locale, numbers)
    picture = "" if session is None else session_picture(snapshot, session)
    return _with_picture(status, picture or files_picture(snapshot, agent, brief))


def _with_picture(status: Status, picture: str) -> Status:
    return replace(status, tooltip=f"{status.tooltip}\n\n{picture}") if picture else status
