"""Which sessions does Claude Code's own list name? An older cache, which may name files that are gone."""

from __future__ import annotations

from typing import NamedTuple

from agentbrief.jsonio import loads


class NamedSession(NamedTuple):
    """A session that the list names; ``path`` is where it says the transcript lies, None if it does not."""

    session_id: str
    path: str | None


def named_sessions(data: bytes | str) -> tuple[NamedSession, ...]:
    """The sessions in a ``sessions-index.json``; none if it cannot be read."""
    try:
        value = loads(data)
    except ValueError:
        return ()
    entries = value.get("entries") if isinstance(value, dict) else None
    found: list[NamedSession] = []
    for entry in entries if isinstance(entries, list) else ():
        if isinstance(entry, dict) and isinstance(identifier := entry.get("sessionId"), str):
            path = entry.get("fullPath")
            found.append(NamedSession(identifier, path if isinstance(path, str) and path else None))
    return tuple(found)
