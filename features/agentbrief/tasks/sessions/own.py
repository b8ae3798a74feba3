"""How does a session of the workspace's own begin, get longer, and reach its file?

Plans only: what is to be written is given as steps, with the file's version that they were planned on. A file
that is written anew is copied first; one copy a session is kept.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass

from agentbrief.changes.places import checkpoints_folder
from agentbrief.changes.steps import AppendRecord, CopyVerified, RemoveNew, ReplaceFile, Step
from agentbrief.disk.folder import entries
from agentbrief.disk.read import FileBytes, Roots, read_bytes, real_roots
from agentbrief.disk.seam import FS
from agentbrief.disk.spelling import valid_id
from agentbrief.disk.values import ReadProblem, Stamp
from agentbrief.jsonio import JsonValue
from agentbrief.sessions.formats.claw_reading import load
from agentbrief.sessions.formats.claw_session import ClawSession, Form, NotLoaded
from agentbrief.sessions.formats.claw_store import session_folders
from agentbrief.sessions.formats.claw_writing import Append, json_form, pushed, snapshot
from agentbrief.sessions.formats.port_sessions import (
    NotStored,
    Stored,
    StoredSession,
    load_stored,
    stored_text,
    value_of,
)
from agentbrief.sessions.model import Message, Role, Text
from agentbrief.sessions.sniff import claw_code, port_sessions
from agentbrief.sessions.workspace_list import MAX_SESSION_BYTES
from agentbrief.sessions.workspace_session import session_path, store_folder

ROLES: tuple[Role, ...] = ("user", "assistant", "system", "tool")


@dataclass(frozen=True, slots=True)
class OwnFile:
    """Where a session of the workspace lies: in ``store``, the folder whose lock is taken to write it."""

    folder: str
    store: str
    path: str
    session_id: str
    format: str


@dataclass(frozen=True, slots=True)
class NotOwn:
    """Why there is no session to work on: ``no-session``, ``exists``, or the word of its reader."""

    why: str
    path: str


def port_file(folder: str, session_id: str) -> OwnFile:
    """The place of the workspace's own session in the workspace folder ``folder``.

    Raises:
        ValueError: ``bad-id``.
    """
    store = store_folder(folder)
    return OwnFile(folder, store, session_path(store, session_id), session_id, port_sessions.FORMAT)


def claw_file(fs: FS, folder: str, session_id: str, form: Form = "json") -> OwnFile:
    """The place of a session of claw-code in the workspace folder ``folder``; one that exists keeps its form.

    Raises:
        ValueError: ``bad-id``.
    """
    if not valid_id(session_id):
        raise ValueError("bad-id")
    real = next(iter(real_roots(fs, (folder,))), folder)
    found: list[OwnFile] = []
    for store in session_folders(real):
        names = {entry.name for entry in entries(fs, store, frozenset((real,))) or ()}
        for name in (f"{session_id}.jsonl", f"{session_id}.json"):
            if name in names:
                path = os.path.join(store, name)
                found.append(OwnFile(folder, store, path, session_id, claw_code.FORMAT))
    if found:
        return found[0]
    store = session_folders(real)[0]
    path = os.path.join(store, f"{session_id}.{form}")
    return OwnFile(folder, store, path, session_id, claw_code.FORMAT)


def own_file(fs: FS, folder: str, session_id: str) -> OwnFile:
    """The session of that identifier: the workspace's own, else one of claw-code, else a new one of its own.

    Raises:
        ValueError: ``bad-id``.
        Refused: a folder may not be listed.
    """
    own = port_file(folder, session_id)
    if read_file(fs, own) is not None:
        return own
    other = claw_file(fs, folder, session_id)
    return own if read_file(fs, other) is None else other


def read_file(fs: FS, file: OwnFile) -> FileBytes | ReadProblem | None:
    """The bytes of the session's file; None when there is none."""
    return read_bytes(fs, file.path, roots_of(fs, file), MAX_SESSION_BYTES)


def roots_of(fs: FS, file: OwnFile) -> Roots:
    """Where the session may be read and written: its workspace folder."""
    return real_roots(fs, (file.folder,))


def loaded(fs: FS, file: OwnFile) -> tuple[Stored, Stamp] | NotOwn:
    """The workspace's own session as its file has it, and the file's version; or why there is none."""
    read = read_file(fs, file)
    if read is None:
        return NotOwn("no-session", file.path)
    if isinstance(read, ReadProblem):
        return NotOwn(read.kind, file.path)
    found = load_stored(read.data, file.session_id)
    return NotOwn(found.code, file.path) if isinstance(found, NotStored) else (found, read.stamp)


def message_of(role: Role, text: str) -> Message:
    """A message with these words."""
    return Message(role, (Text(text),))


def with_message(session: StoredSession, message: Message) -> StoredSession:
    """``session`` with one message more; its counts are the business of whoever asks a model."""
    value: JsonValue = value_of(message)
    return session.with_message(value)


def steps_to_begin(fs: FS, file: OwnFile, now_ms: int) -> tuple[Step, ...] | NotOwn:
    """What a new, empty session needs."""
    if read_file(fs, file) is not None:
        return NotOwn("exists", file.path)
    if file.format == port_sessions.FORMAT:
        text = stored_text(StoredSession(file.session_id, (), 0, 0))
    else:
        form: Form = "jsonl" if file.path.endswith(".jsonl") else "json"
        real = next(iter(roots_of(fs, file)), file.folder)
        session = ClawSession(form, file.session_id, now_ms, now_ms, workspace_root=real)
        text = snapshot(session) if form == "jsonl" else json_form(session)
    return (ReplaceFile(file.path, text.encode("utf-8"), None),)


def steps_to_append(fs: FS, file: OwnFile, message: Message, now_ms: int) -> tuple[Step, ...] | NotOwn:
    """What the session's file needs to hold ``message`` too."""
    if file.format == port_sessions.FORMAT:
        found = loaded(fs, file)
        if isinstance(found, NotOwn):
            return found
        stored, stamp = found
        return steps_to_save(fs, file, with_message(stored.session, message), stamp, now_ms)
    read = read_file(fs, file)
    if read is None or isinstance(read, ReadProblem):
        return NotOwn("no-session" if read is None else read.kind, file.path)
    session = load(read.data, os.path.basename(file.path), read.stamp.mtime_ns // 1_000_000)
    if isinstance(session, NotLoaded):
        return NotOwn(session.code, file.path)
    if session.is_torn:
        return NotOwn("torn-tail", file.path)
    change = pushed(read.data, session, message, now_ms)
    if isinstance(change, Append):
        return (AppendRecord(file.path, change.record, read.stamp),)
    return _rewritten(fs, file, change.data, read.stamp, now_ms)


def steps_to_save(
    fs: FS, file: OwnFile, session: StoredSession, stamp: Stamp | None, now_ms: int
) -> tuple[Step, ...]:
    """What the file of the workspace's own session needs to hold ``session``; nothing if it does.

    ``stamp`` is the version that was read, with its hash; None: there was none.
    """
    data = stored_text(session).encode("utf-8")
    if stamp is None:
        return (ReplaceFile(file.path, data, None),)
    read = read_file(fs, file)
    if isinstance(read, FileBytes) and read.data == data:
        return ()
    return _rewritten(fs, file, data, stamp, now_ms)


def kept_copies(fs: FS, file: OwnFile) -> Iterable[tuple[str, Stamp]]:
    """The copies of the session's file that earlier saves left."""
    folder = checkpoints_folder(file.store)
    for entry in entries(fs, folder, roots_of(fs, file)) or ():
        if entry.kind == "file" and entry.name.startswith(f"{file.session_id}.saved-"):
            yield os.path.join(folder, entry.name), entry.stamp


def _rewritten(fs: FS, file: OwnFile, data: bytes, stamp: Stamp, now_ms: int) -> tuple[Step, ...]:
    extension = os.path.splitext(file.path)[1]
    taken = dict(kept_copies(fs, file))
    copy = os.path.join(checkpoints_folder(file.store), f"{file.session_id}.saved-{now_ms}{extension}")
    while copy in taken:
        now_ms += 1
        copy = os.path.join(checkpoints_folder(file.store), f"{file.session_id}.saved-{now_ms}{extension}")
    old = (RemoveNew(path, version) for path, version in taken.items())
    return (CopyVerified(file.path, copy, stamp), ReplaceFile(file.path, data, stamp), *old)
