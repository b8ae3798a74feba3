"""Where does the transcript of an entry lie?

A path that an entry spells is only taken when it stays below the folder of the store (openclaw.md 3.3).
Nothing here looks at the disk: the caller hands in the folder under all names it has.
"""

from __future__ import annotations

import posixpath
from bisect import bisect_left
from collections.abc import Sequence
from urllib.parse import quote

from agentbrief.disk.spelling import valid_id
from agentbrief.sessions.store.entries import StoreEntry
from agentbrief.sessions.store.names import is_transcript
from agentbrief.text import utf16

_PLAIN_IN_URIS = "!'()*-._~"


def transcript_name(session_id: str, topic: str | int | None = None) -> str | None:
    """The file name of a session, or of its topic; None if the id is no identifier (``bad-id``).

    Source: openclaw/openclaw ``src/config/sessions/paths.ts``.
    """
    name = utf16.trim(session_id)
    if not valid_id(name):
        return None
    if topic is None:
        return f"{name}.jsonl"
    words = str(topic) if isinstance(topic, int) else quote(topic, safe=_PLAIN_IN_URIS)
    return f"{name}-topic-{words}.jsonl"


def below(path: str | None, folders: Sequence[str]) -> str | None:
    """``path`` relative to the first of ``folders`` that holds it; None if it is blank or leads elsewhere.

    ``folders`` are the spellings of one folder: as it was given, and its real path. A relative path is one
    below it.
    """
    if not path:
        return None
    wanted = utf16.trim(path).replace("\\", "/")
    if not wanted:
        return None
    for folder in folders:
        root = posixpath.normpath(folder.replace("\\", "/"))
        whole = posixpath.normpath(posixpath.join(root, wanted))
        prefix = root if root.endswith("/") else root + "/"
        if whole.startswith(prefix):
            return whole[len(prefix) :]
    return None


def files_of(entry: StoreEntry, names: Sequence[str], folders: Sequence[str]) -> tuple[str, ...]:
    """The transcripts of ``entry`` among the sorted ``names`` in its folder, the one it spells first.

    These are the file it spells, the one named by its session id, and all topics of that id.
    """
    found: list[str] = []
    if (spelled := below(entry.session_file, folders)) is not None and _holds(names, spelled):
        found.append(spelled)
    session_id = entry.session_id
    if session_id is None or (name := transcript_name(session_id)) is None:
        return tuple(found)
    topic = name.removesuffix(".jsonl") + "-topic-"
    at = start = bisect_left(names, topic)
    while at < len(names) and names[at].startswith(topic):
        at += 1
    # The name of the session sorts behind those of its topics, most often next to them.
    follows = at < len(names) and names[at] == name
    if name not in found and (follows or _holds(names, name)):
        found.append(name)
    found += [other for other in names[start:at] if other not in found and is_transcript(other)]
    return tuple(found)


def _holds(names: Sequence[str], name: str) -> bool:
    place = bisect_left(names, name)
    return place < len(names) and names[place] == name


def leads_outside(entry: StoreEntry, folders: Sequence[str]) -> bool:
    """Whether ``entry`` spells a path that is not below the folder (``store-outside-path``)."""
    return bool(utf16.trim(entry.session_file or "")) and below(entry.session_file, folders) is None
