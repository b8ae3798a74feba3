"""What can be done with the session that a document shows? Offered on its first line.

The document is a session's own file or one of our pages about it. Told by its spelling and by what the last
list found: nothing is opened, and nothing about sessions is imported for any other document.
"""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import urlsplit

from agentbrief.messages import say
from agentbrief_server.state import Snapshot

_PAGES = ("session", "session-check")
_OURS = ("agentbrief.compaction.plan", "agentbrief.session.compact", "agentbrief.checkpoint.restore")
_OTHERS = ("agentbrief.compaction.plan", "agentbrief.session.compactCopy")


class Offer(NamedTuple):
    """A command on the session, and what it is called."""

    title: str
    command: str


def session_at(snapshot: Snapshot, uri: str) -> str | None:
    """The path of the session that the document ``uri`` shows; None if it shows none."""
    if uri.startswith("agentbrief:"):
        is_one = urlsplit(uri).path.strip("/").split("/", 1)[0] in _PAGES
    else:
        is_one = uri.endswith((".json", ".jsonl")) and not uri.endswith("/sessions.json")
    if not is_one:
        return None
    from agentbrief.changes.places import is_own as is_kept_by_us
    from agentbrief_server.sessions.place import path_named

    path = path_named(snapshot, uri)
    return None if path is None or is_kept_by_us(path) else path


def session_offers(snapshot: Snapshot, uri: str) -> tuple[Offer, ...]:
    """What is offered on the document ``uri``, in this order; nothing where it shows no session.

    A session that is only read is compacted into a copy; where nothing may be written only the preview is
    offered, and of a workspace that is not trusted not even that.
    """
    path = session_at(snapshot, uri)
    if path is None or not snapshot.settings_of(snapshot.folder_of(path)).flag("enable"):
        return ()
    from agentbrief_server.sessions.place import is_own

    own = is_own(snapshot, path)
    if not snapshot.trusted:
        names: tuple[str, ...] = () if own else _OTHERS[:1]
    else:
        names = _OURS if own or _is_writable(snapshot, path) else _OTHERS
    locale = snapshot.client.locale
    return tuple(Offer(say(locale, f"command.{name.removeprefix('agentbrief.')}"), name) for name in names)


def _is_writable(snapshot: Snapshot, path: str) -> bool:
    known = (found.at(path) for found in tuple(snapshot.sessions.lists.values()))
    return any(item is not None and item.writable for item in known)
