"""What do the rules say of the sessions that were listed? Judged in a worker, after the list was given.

A transcript is judged once for each of its versions; one that is very long only when it is checked by name.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from agentbrief_server.log import LOG
from agentbrief_server.state import Snapshot

if TYPE_CHECKING:
    from agentbrief.disk.values import Stamp
    from agentbrief.rules.finding import Finding
    from agentbrief.tasks.sessions.list import SessionList

Findings = dict[str, "tuple[Finding, ...]"]

MOST_BYTES = 64 * 1024 * 1024
"""The largest transcript that is judged without being asked for."""


_OF_MESSAGES = frozenset(("session-over-budget",))
"""Findings on a session that its messages alone decide."""


class ListJudge:
    """Judges the newest sessions of the folders that were listed, one run at a time."""

    def __init__(self, take: Callable[[Findings], None]) -> None:
        self._take = take
        self._known: dict[str, tuple[Stamp, tuple[Finding, ...]]] = {}
        self._due: dict[str | None, tuple[Snapshot, SessionList | None]] = {}
        self._task: asyncio.Task[None] | None = None

    def soon(self, snapshot: Snapshot, folder: str | None) -> None:
        """Judge what the last list of ``folder`` holds. On the loop."""
        # The list as it is now: settings that arrive before a worker is free have all lists forgotten.
        self._due[folder] = snapshot, snapshot.sessions.lists.get(folder)
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._run())

    def forget(self) -> None:
        """Judge every transcript anew: by other settings."""
        self._known = {}

    async def _run(self) -> None:
        while self._due:
            folder, (snapshot, listed) = self._due.popitem()
            if listed is None:
                continue
            try:
                found = await asyncio.to_thread(self._judged, snapshot, folder, listed)
            except Exception:
                LOG.exception("judging sessions failed")
                continue
            self._take(found)

    def _judged(self, snapshot: Snapshot, folder: str | None, found: SessionList) -> Findings:
        from agentbrief.disk.refusal import Refused
        from agentbrief.tasks.sessions.check import findings_of_list
        from agentbrief.tasks.sessions.scene import MOST_READ
        from agentbrief_server.sessions.place import sessions_setup

        stamps = {
            item.path: item.stamp
            for item in found.items[:MOST_READ]
            if item.problem is None and item.size <= MOST_BYTES
        }
        known = {
            path: findings for path, (stamp, findings) in self._known.items() if stamps.get(path) == stamp
        }
        wanted = frozenset(stamps) - frozenset(known)
        try:
            fresh = findings_of_list(sessions_setup(snapshot, folder), found, wanted)
        except Refused:
            return {}
        result = {path: (*known.get(path, ()), *fresh.get(path, ())) for path in {*stamps, *fresh}}
        for path in wanted:
            self._known[path] = (stamps[path], _of_content(fresh.get(path, ())))
        return result


def _of_content(findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """Those findings that depend on the file alone; what the list shows is judged each time."""
    return tuple(
        each for each in findings if each.code in _OF_MESSAGES or not each.code.startswith("session-")
    )
