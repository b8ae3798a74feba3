"""Is this a transcript of pi, and what does it say?

Places: ``~/.pi/agent/sessions/--<folder>--/<stamp>_<uuid>.jsonl`` (openclaw.md 3.1).
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from agentbrief import jsonio
from agentbrief.disk.values import Stamp
from agentbrief.jsonio import JsonValue
from agentbrief.sessions.model import Session, SessionRef
from agentbrief.sessions.pi.session import session_of
from agentbrief.sessions.sniff.pi import FORMAT

WRITABLE = True

_SEPARATORS = re.compile(r"[/\\:]")


def read(data: bytes, path: str, stamp: Stamp | None = None) -> Session:
    """The session at ``path``; whatever is wrong with ``data`` is part of it."""
    return session_of(data, SessionRef(path, FORMAT, None, WRITABLE), stamp)


def render(entry: Mapping[str, JsonValue]) -> bytes:
    """The line of an entry without its line end."""
    return jsonio.dumps(dict(entry))


def folder_name(cwd: str) -> str:
    """The name of the folder below ``sessions`` that holds the sessions started in ``cwd``."""
    relative = cwd[1:] if cwd.startswith(("/", "\\")) else cwd
    return f"--{_SEPARATORS.sub('-', relative)}--"
