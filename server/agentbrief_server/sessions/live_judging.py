"""Is a session that is open, or that a workspace folder runs, due for compaction? Asked again as it grows.

Once for each version of its file, and the less often the longer that takes.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import TYPE_CHECKING

from agentbrief_server.sessions.judging import MOST_BYTES
from agentbrief_server.state import Snapshot

if TYPE_CHECKING:
    from agentbrief.disk.values import Stamp
    from agentbrief.rules.finding import Finding

CODE = "session-over-budget"

_PAUSES = 20
"""So many times as long as a judgement took the session is left alone after it."""


class LiveJudge:
    """Judges sessions by their paths. In a worker, one call at a time."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[Stamp, float]] = {}

    def judged(self, snapshot: Snapshot, paths: Iterable[str]) -> dict[str, tuple[Finding, ...]]:
        """The findings on those of ``paths`` that are another version than when they were last judged."""
        from agentbrief.disk.refusal import Refused
        from agentbrief.tasks.compaction.due import budget_findings
        from agentbrief_server.sessions.pages import readable_file
        from agentbrief_server.sessions.place import sessions_setup

        found: dict[str, tuple[Finding, ...]] = {}
        known: dict[str, tuple[Stamp, float]] = {}
        for path in paths:
            before = self._known.get(path)
            if before is not None and time.monotonic() < before[1]:
                known[path] = before
                continue
            try:
                file = readable_file(snapshot, path)
            except KeyError:
                continue
            if before is not None and before[0] == file.stamp:
                known[path] = before
                continue
            if file.stamp.size > MOST_BYTES:
                continue
            began = time.monotonic()
            setup = sessions_setup(snapshot, snapshot.folder_of(path))
            try:
                found[path] = budget_findings(setup, (file,))
            except (Refused, ValueError):
                continue
            now = time.monotonic()
            known[path] = file.stamp, now + _PAUSES * (now - began)
        self._known = known
        return found
