"""Does a newer OpenClaw keep its sessions in a database, so that the files are from before?

The database is looked at from outside only, never opened; then everything in the files is read-only
(openclaw.md 17).
"""

from __future__ import annotations

import os
from dataclasses import dataclass

from agentbrief.disk import seam
from agentbrief.disk.folder import stamp_of

DATABASE = os.path.join("agent", "openclaw-agent.sqlite")
_LOG = "-wal"


@dataclass(frozen=True, slots=True)
class LiveDatabase:
    """A database that stands beside the files: its path, and when it or its log changed last, in ms."""

    path: str
    changed_ms: int


def live_database(fs: seam.FS, sessions_folder: str) -> LiveDatabase | None:
    """The database of the agent whose session files lie in ``<agent folder>/sessions``.

    None if there is none.

    Raises:
        Refused: it may not be looked at.
    """
    path = os.path.join(os.path.dirname(sessions_folder), DATABASE)
    stamps = [stamp for name in (path, path + _LOG) if (stamp := stamp_of(fs, name)) is not None]
    if stamp_of(fs, path) is None:
        return None
    return LiveDatabase(path, max(stamp.mtime_ns for stamp in stamps) // 1_000_000)
