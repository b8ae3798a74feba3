"""Which file is the transcript of an entry, and where is an agent's store, by their spelling?

A spelled path is taken only inside the sessions folder, or inside that of another agent of the same state
folder. Source: openclaw.md 3.1, 3.3; openclaw/openclaw src/config/sessions/paths.ts at 2026.3.2.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable
from dataclasses import dataclass

from agentbrief.disk.spelling import refused_spelling
from agentbrief.sessions.store.keys import normal_id
from agentbrief.sessions.store.names import STORE_NAME
from agentbrief.sessions.store.paths import transcript_name
from agentbrief.text import utf16

_SESSIONS_FOLDER = re.compile(r"(.*)/agents/[^/]+/sessions")


@dataclass(frozen=True, slots=True)
class TranscriptPlace:
    """Where a transcript lies. ``ignored``: the entry spells a path elsewhere (``store-outside-path``)."""

    path: str
    ignored: bool = False


def sessions_folder(state_folder: str, agent: str) -> str:
    """The folder of an agent's sessions."""
    return posixpath.join(state_folder, "agents", normal_id(agent), "sessions")


def store_path(template: str | None, agent: str, state_folder: str, home: str) -> str:
    """The path of an agent's store: the setting ``session.store``, or its default.

    ``{agentId}`` in ``template`` stands for the agent, ``~`` at its start for ``home``; a relative path is
    one below the state folder.
    """
    if not template:
        return posixpath.join(sessions_folder(state_folder, agent), STORE_NAME)
    path = template.replace("{agentId}", normal_id(agent))
    if path == "~" or path.startswith(("~/", "~\\")):
        path = home + path[1:]
    return posixpath.normpath(posixpath.join(state_folder, path))


def transcript_place(
    session_id: str,
    session_file: str | None,
    folder: str,
    *,
    topic: str | int | None = None,
    real_path: Callable[[str], str] | None = None,
) -> TranscriptPlace:
    """Where the transcript of a session lies. ``session_file`` is what its entry spells, if anything.

    ``folder`` is the sessions folder. ``real_path`` gives a path with its links resolved, as far as it
    exists; without it paths count as they are spelled.

    Raises:
        ValueError: ``session_id`` is no identifier (``bad-id``).
    """
    name = transcript_name(session_id, topic)
    if name is None:
        raise ValueError("bad-id")
    own = TranscriptPlace(posixpath.join(folder, name))
    spelled = utf16.trim(session_file or "")
    if not spelled:
        return own
    path = posixpath.normpath(posixpath.join(folder, spelled))
    resolve = real_path or posixpath.normpath
    if refused_spelling(path) is None and _is_allowed(
        resolve(path), resolve(folder), spelled.startswith("/")
    ):
        return TranscriptPlace(path)
    return TranscriptPlace(own.path, ignored=True)


def _is_allowed(path: str, folder: str, is_absolute: bool) -> bool:
    path, folder = path.replace("\\", "/"), folder.replace("\\", "/")
    if path.startswith(folder.rstrip("/") + "/"):
        return True
    found = _SESSIONS_FOLDER.fullmatch(folder.rstrip("/"))
    if not is_absolute or found is None:
        return False
    return re.fullmatch(re.escape(found[1]) + r"/agents/[^/]+/sessions/.+", path, re.DOTALL) is not None
