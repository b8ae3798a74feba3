"""What are tasks on sessions given by the server, and which session does a client name?

What a client says is judged by its spelling before anything is opened: an identifier, the URI of a file in a
folder that may be read, or the address of one of our pages.
"""

from __future__ import annotations

import os
import time
from urllib.parse import parse_qsl, urlsplit

from agentbrief.disk.read import Roots
from agentbrief.disk.seam import FS
from agentbrief.disk.spelling import refused_spelling, valid_id
from agentbrief.disk.unsynced import Unsynced
from agentbrief.sessions.session_items import SessionItem, named
from agentbrief.tasks.sessions.list import NO_SESSIONS, SessionList, sessions_of
from agentbrief.tasks.sessions.read import NotASession, SessionFile, session_file
from agentbrief.tasks.sessions.setup import SessionsSetup, own_folders, readable_folders, readable_roots
from agentbrief_server.state import Snapshot
from agentbrief_server.uris import path_of

PAGE_SCHEME = "agentbrief"


def sessions_setup(snapshot: Snapshot, folder: str | None) -> SessionsSetup:
    """The setup for the workspace folder ``folder``; None: for all."""
    settings = snapshot.settings_of(folder)
    fs = Unsynced(time.sleep) if settings.text("durability") == "process" else FS(time.sleep)
    folders = snapshot.folders if folder is None else (folder,)
    home = os.path.expanduser("~")
    return SessionsSetup(fs, folders, settings, home, now_ms(), dict(os.environ), snapshot.trusted)


def now_ms() -> int:
    """The clock, in ms since 1970."""
    return time.time_ns() // 1_000_000


def listed(snapshot: Snapshot, folder: str | None) -> SessionList:
    """The sessions of a workspace folder as they are now; kept for the next look. In a worker."""
    before = snapshot.sessions.lists.get(folder, NO_SESSIONS)
    found = sessions_of(sessions_setup(snapshot, folder), folder, before, _others_first)
    snapshot.sessions.lists[folder] = found
    return found


def path_named(snapshot: Snapshot, uri: str) -> str | None:
    """The path of the session that ``uri`` names, by its spelling; None if it may not be looked at.

    ``uri`` is that of a file in a folder whose sessions may be read or listed, or of a page about one.
    """
    if uri.startswith(f"{PAGE_SCHEME}:"):
        path: str | None = dict(parse_qsl(urlsplit(uri).query)).get("path")
        if path is not None and not is_plain(path):
            return None
    else:
        path = path_of(uri)
    return path if path is not None and is_in_reach(snapshot, path) else None


def is_plain(path: str) -> bool:
    """Whether ``path`` is absolute and spelled without ways round, as our own addresses have it."""
    return (
        os.path.isabs(path)
        and refused_spelling(path) is None
        and os.path.normpath(path) == path
        and path.isprintable()
    )


def is_in_reach(snapshot: Snapshot, path: str) -> bool:
    """Whether ``path`` lies, by its spelling, where sessions are listed."""
    setup = sessions_setup(snapshot, None)
    own = [each for folder in snapshot.folders for each in own_folders(folder)]
    return any(path.startswith(folder.rstrip("/") + "/") for folder in (*own, *readable_folders(setup)))


def is_own(snapshot: Snapshot, path: str) -> bool:
    """Whether ``path`` is a session in the workspace itself, which needs trust to be opened."""
    own = [each for folder in snapshot.folders for each in own_folders(folder)]
    return any(path.startswith(folder.rstrip("/") + "/") for folder in own)


def item_named(snapshot: Snapshot, folder: str | None, reference: str) -> SessionItem | None:
    """The session that an identifier names, in the folder's list as it is now. In a worker."""
    if not valid_id(reference):
        return None
    return named(reference, listed(snapshot, folder).items)


def file_at(snapshot: Snapshot, path: str) -> SessionFile | NotASession:
    """The session at ``path``, which is in reach. In a worker.

    Raises:
        Refused: the disk reports an error.
    """
    setup = sessions_setup(snapshot, None)
    return session_file(setup.fs, path, roots(setup))


def roots(setup: SessionsSetup) -> Roots:
    """The real folders below which sessions may be read."""
    return readable_roots(setup)


def _others_first() -> None:
    """Let other threads run: a list of many sessions is no reason to answer late."""
    time.sleep(0)
