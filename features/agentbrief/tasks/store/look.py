"""What is there to know about one store at this moment, before anything is decided?"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace

from agentbrief.changes.apply import Site
from agentbrief.changes.openclaw_lock import OPENCLAW_LOCK
from agentbrief.disk.lock import Caller
from agentbrief.disk.read import FileBytes, Roots, read_bytes
from agentbrief.disk.refusal import Refused, refused
from agentbrief.disk.seam import FS, is_missing
from agentbrief.disk.sidecar import lock_seen
from agentbrief.disk.stream import Stream, streamed
from agentbrief.disk.values import ReadProblem
from agentbrief.maintenance.protection import protected
from agentbrief.maintenance.values import Guard
from agentbrief.profiles.load import profile
from agentbrief.profiles.openclaw_data import OpenClawData
from agentbrief.sessions.jsonl.json_tokens import string_in_head
from agentbrief.sessions.store.folder import MAX_STORE_BYTES, StoreFolder, read_store_folder
from agentbrief.sessions.store.newer_store import LiveDatabase, live_database
from agentbrief.tasks.store.place import StorePlace

_HEAD_BYTES = 16 * 1024
_ATTEMPTS = 3


@dataclass(frozen=True, slots=True)
class InUse:
    """What is in use here: the key of the session that is active, and what an editor has open.

    ``open_files`` are absolute paths of transcripts.
    """

    active_key: str | None = None
    open_session_ids: frozenset[str] = frozenset()
    open_files: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class StoreLook:
    """A store, what lies beside it, what of it is in use, and the database of a newer version, if any."""

    place: StorePlace
    folder: StoreFolder
    guard: Guard
    database: LiveDatabase | None


NOTHING_IN_USE = InUse()


def openclaw_data() -> OpenClawData:
    """The numbers and words of OpenClaw's profile."""
    found = profile("openclaw").openclaw
    assert found is not None
    return found


def readable(fs: FS, place: StorePlace) -> Roots:
    """The folders below which the files of a store may be read; none where its folder is gone.

    Raises:
        Refused: the folder may not be looked at.
    """
    try:
        return frozenset((fs.real_path(place.folder),))
    except OSError as error:
        if not is_missing(error):
            raise refused(error, place.folder) from error
        return frozenset()


def look_at(
    fs: FS, place: StorePlace, now_ms: int, in_use: InUse = NOTHING_IN_USE
) -> StoreLook | ReadProblem:
    """The store at ``place``; why it could not be read if it is there.

    Raises:
        Refused: the folder is gone, or may not be listed.
    """
    folder = folder_at(fs, place)
    if isinstance(folder, ReadProblem):
        return folder
    database = live_database(fs, folder.folder)
    return StoreLook(place, folder, guard_of(fs, folder, now_ms, in_use), database)


def folder_at(fs: FS, place: StorePlace) -> StoreFolder | ReadProblem:
    """The store at ``place`` and the files beside it, whatever is in use.

    Raises:
        Refused: the folder is gone, or may not be listed.
    """
    roots = readable(fs, place)
    if not roots:
        raise Refused("vanished", place.folder)
    return read_store_folder(fs, place.path, place.agent_id, roots)


def guard_of(fs: FS, folder: StoreFolder, now_ms: int, in_use: InUse = NOTHING_IN_USE) -> Guard:
    """What of ``folder`` is in use: open, locked by a living process, or copied into a live session.

    Raises:
        Refused: a lock file may not be looked at.
    """
    roots = frozenset((folder.real_folder,))
    suffix = OPENCLAW_LOCK.suffix
    locked = frozenset(
        name.removesuffix(suffix)
        for name in folder.names
        if name.endswith(suffix) and is_locked(fs, folder, name.removesuffix(suffix))
    )
    guard = Guard(
        in_use.active_key,
        in_use.open_session_ids,
        frozenset(
            os.path.basename(path) for path in in_use.open_files if os.path.dirname(path) in folder.spellings
        ),
        locked,
    )
    live = protected(folder, now_ms, guard).keys
    forks: dict[str, str] = {}
    for entry in folder.store.entries if live else ():
        for name in folder.files_of(entry) if entry.key in live else ():
            parent = _parent_of(fs, folder, name, roots)
            if parent is not None:
                forks[name] = parent
    return replace(guard, fork_parents=forks)


def is_locked(fs: FS, folder: StoreFolder, name: str) -> bool:
    """Whether a living process holds OpenClaw's lock of the file ``name``, or that cannot be told.

    Raises:
        Refused: its lock file may not be looked at.
    """
    path = os.path.join(folder.real_folder, name)
    seen = lock_seen(fs, path, frozenset((folder.real_folder,)), OPENCLAW_LOCK)
    return seen is not None and seen.is_held


def with_data(fs: FS, look: StoreLook, now_ms: int, in_use: InUse) -> tuple[StoreLook, bytes]:
    """The store looked at anew, and the bytes it was read from; no bytes for a store that is not there.

    Raises:
        Refused: it cannot be read, or changes without end.
    """
    for _ in range(_ATTEMPTS):
        found = look_at(fs, look.place, now_ms, in_use)
        if isinstance(found, ReadProblem):
            raise Refused("failed", found.path, detail=found.kind)
        read = read_bytes(fs, found.folder.store_path, readable(fs, look.place), MAX_STORE_BYTES)
        if read is None and found.folder.store_stamp is None:
            return found, b""
        if isinstance(read, FileBytes) and read.stamp == found.folder.store_stamp:
            return found, read.data
    raise Refused("changed", look.folder.store_path)


def site_of(fs: FS, folder: StoreFolder, caller: Caller) -> Site:
    """Where changes of the store are carried out: under our lock, and under OpenClaw's of the store."""
    path = os.path.join(folder.real_folder, folder.store_name)
    return Site(fs, folder.real_folder, caller, beside=(path,), lock_format=OPENCLAW_LOCK)


def _parent_of(fs: FS, folder: StoreFolder, name: str, roots: Roots) -> str | None:
    """The file, in the same folder, that the transcript ``name`` was copied from."""
    with streamed(fs, os.path.join(folder.real_folder, name), roots) as stream:
        if not isinstance(stream, Stream):
            return None
        head = b"".join(stream.chunks(0, _HEAD_BYTES)).split(b"\n", 1)[0]
    spelled = string_in_head(head, "parentSession")
    parent = os.path.basename(spelled) if spelled else ""
    return parent if parent and parent != name else None
