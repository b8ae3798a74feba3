"""Which sessions does a workspace itself keep, its own and those of claw-code?

Each file is read whole: its own time decides the order, and a session that cannot be read is listed with the
reason. A file whose stamp is known is not opened again.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypedDict

from agentbrief.disk import seam
from agentbrief.disk.folder import Entry, entries
from agentbrief.disk.read import Roots, read_bytes
from agentbrief.disk.values import ReadProblem, Stamp, hashed
from agentbrief.sessions.claw.tokens import session_tokens
from agentbrief.sessions.formats.claw_reading import load
from agentbrief.sessions.formats.claw_session import NotLoaded
from agentbrief.sessions.formats.claw_store import (
    Listed,
    in_order,
    is_session_name,
    rotated_copy_of,
    session_folders,
)
from agentbrief.sessions.formats.port_sessions import NotStored, load_stored, messages_of
from agentbrief.sessions.model import Message
from agentbrief.sessions.titles import TitleSources, first_prompts, title
from agentbrief.sessions.workspace_session import ids_among, session_path, store_folder

MAX_SESSION_BYTES = 64 * 1024 * 1024
"""The largest session file that a list reads."""

MOST_TOLD_CHARS = 32 * 1024
"""How much of the first and of the last message a row keeps, in code points."""

_Look = Callable[[bytes, str, Stamp], Listed]


def own_sessions(
    fs: seam.FS, workspace: str, roots: Roots, known: Mapping[str, Listed] | None = None
) -> tuple[Listed, ...]:
    """The sessions in ``.port_sessions`` of ``workspace``, newest first; ``known`` are earlier rows by path.

    Raises:
        Refused: the folder may not be listed.
    """
    store = store_folder(workspace)
    found = {entry.name: entry for entry in entries(fs, store, roots) or ()}
    paths = [session_path(store, identifier) for identifier in ids_among(found)]
    rows = [_row(fs, path, found[os.path.basename(path)], roots, known or {}, _port_row) for path in paths]
    return in_order(row for row in rows if row)


def claw_sessions(
    fs: seam.FS, workspace: str, roots: Roots, known: Mapping[str, Listed] | None = None
) -> tuple[Listed, ...]:
    """The sessions that claw-code keeps in ``workspace`` (a real path), newest first.

    Those of the folder with the fingerprint and of the older one; a session that names another workspace is
    marked.

    Raises:
        Refused: a folder may not be listed.
    """
    return claw_sessions_in(fs, session_folders(workspace), workspace, roots, known)


def claw_sessions_in(
    fs: seam.FS,
    folders: Iterable[str],
    workspace: str,
    roots: Roots,
    known: Mapping[str, Listed] | None = None,
) -> tuple[Listed, ...]:
    """The sessions of claw-code in ``folders``, newest first, seen from ``workspace`` (a real path).

    Raises:
        Refused: a folder may not be listed.
    """
    found: list[Listed] = []
    for folder in folders:
        names = entries(fs, folder, roots) or ()
        copies = [entry.name for entry in names if rotated_copy_of(entry.name)]
        for entry in names:
            if entry.kind not in ("file", "link") or not is_session_name(entry.name):
                continue
            row = _row(fs, os.path.join(folder, entry.name), entry, roots, known or {}, _claw_row)
            if row is not None:
                found.append(_placed(row, workspace, copies))
    return in_order(found)


def _row(
    fs: seam.FS, path: str, entry: Entry, roots: Roots, known: Mapping[str, Listed], look: _Look
) -> Listed | None:
    """The row of one file; None when it is gone meanwhile."""
    before = known.get(path)
    if before is not None and entry.kind == "file" and before.stamp == entry.stamp:
        return before
    read = read_bytes(fs, path, roots, MAX_SESSION_BYTES)
    if read is None:
        return None
    if isinstance(read, ReadProblem):
        mtime_ms = entry.stamp.mtime_ns // 1_000_000
        return Listed(_stem(path), path, 0, mtime_ms, 0, unreadable=read.kind, stamp=entry.stamp)
    stamp = hashed(read.stamp, None)
    return replace(look(read.data, path, stamp), stamp=stamp)


def _claw_row(data: bytes, path: str, stamp: Stamp) -> Listed:
    mtime_ms = stamp.mtime_ns // 1_000_000
    found = load(data, os.path.basename(path), mtime_ms)
    if isinstance(found, NotLoaded):
        return Listed(_stem(path), path, 0, mtime_ms, 0, unreadable=found.code)
    session = found.session
    return Listed(
        session.session_id,
        path,
        session.updated_at_ms,
        mtime_ms,
        len(session.messages),
        workspace_root=session.workspace_root,
        **_told(session.messages),
    )


def _port_row(data: bytes, path: str, stamp: Stamp) -> Listed:
    mtime_ms = stamp.mtime_ns // 1_000_000
    stem = _stem(path)
    found = load_stored(data, stem)
    if isinstance(found, NotStored):
        return Listed(stem, path, 0, mtime_ms, 0, unreadable=found.code)
    messages = found.session.messages
    return Listed(stem, path, mtime_ms, mtime_ms, len(messages), **_told(messages_of(messages)))


def _placed(row: Listed, workspace: str, copies: Iterable[str]) -> Listed:
    stem = _stem(row.path)
    root = row.workspace_root
    return replace(
        row,
        is_foreign=root is not None and os.path.normpath(root) != os.path.normpath(workspace),
        rotated=tuple(sorted((name for name in copies if rotated_copy_of(name) == stem), reverse=True)),
    )


class _Told(TypedDict):
    """What the messages of a session give a row."""

    title: str
    tokens: int
    turns: int
    first: str
    last: str


def _told(messages: Sequence[Message]) -> _Told:
    words = [message.text for message in messages if message.text]
    return {
        "title": _title(messages),
        "tokens": session_tokens(messages),
        "turns": sum(message.role == "user" and bool(message.text) for message in messages),
        "first": words[0][:MOST_TOLD_CHARS] if words else "",
        "last": words[-1][:MOST_TOLD_CHARS] if words else "",
    }


def _title(messages: Iterable[Message]) -> str:
    prompt = telling = None
    for message in messages:
        if message.role == "user" and message.text:
            prompt, telling = first_prompts(prompt, telling, message.text)
            if telling is not None:
                break
    return title(TitleSources(prompt=prompt, telling_prompt=telling))


def _stem(path: str) -> str:
    return os.path.splitext(os.path.basename(path))[0]
