"""Is this a transcript of OpenClaw's file store, and what does it say?

The lines are those of pi; the place tells them apart: ``<state>/agents/<agent>/sessions/<id>.jsonl``
(openclaw.md 3.1, 3.2).
"""

from __future__ import annotations

from collections.abc import Mapping

from agentbrief import jsonio
from agentbrief.disk.values import Stamp
from agentbrief.jsonio import JsonValue
from agentbrief.sessions.model import Session, SessionRef
from agentbrief.sessions.pi.session import session_of
from agentbrief.sessions.sniff.openclaw import FORMAT

WRITABLE = True


def read(data: bytes, path: str, stamp: Stamp | None = None, key: str | None = None) -> Session:
    """The session at ``path``, that of the store's entry ``key``; faults of ``data`` are part of it."""
    return session_of(data, SessionRef(path, FORMAT, None, WRITABLE, key), stamp)


def render(entry: Mapping[str, JsonValue]) -> bytes:
    """The line of an entry without its line end."""
    return jsonio.dumps(dict(entry))
