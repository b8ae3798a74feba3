"""What lies in the folder of a session store, and what does the store say?

Read once, as values: the plans and lists are made from them, and nothing is written.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from agentbrief.disk import seam
from agentbrief.disk.folder import Entry, entries, real_folder, stamp_of
from agentbrief.disk.read import Roots, read_bytes
from agentbrief.disk.refusal import Refused
from agentbrief.disk.values import ReadProblem, Stamp
from agentbrief.sessions.store.entries import MISSING_STORE, Store, StoreEntry, read_store
from agentbrief.sessions.store.names import STORE_NAME
from agentbrief.sessions.store.paths import below, files_of
from agentbrief.sessions.store.transcript_place import transcript_place
from agentbrief.text import utf16

MAX_STORE_BYTES = 1 << 30
"""The largest store that is read."""


@dataclass(frozen=True, slots=True)
class StoreFolder:
    """A store and the plain files beside it, the store's own among them, by name.

    ``folder`` is spelled as it was given, ``real_folder`` with its links resolved. ``names`` are those of the
    files, sorted; ``inner`` are the transcripts in folders below that entries spell and that exist.
    ``shared`` are the transcripts that entries spell with another agent of the same state folder, as they are
    spelled, and whether they exist.
    """

    agent_id: str
    folder: str
    real_folder: str
    store_name: str
    store: Store
    store_stamp: Stamp | None
    files: tuple[Entry, ...]
    names: tuple[str, ...] = ()
    inner: frozenset[str] = frozenset()
    shared: Mapping[str, bool] = field(default_factory=dict[str, bool], hash=False)
    _found: dict[int, tuple[StoreEntry, tuple[str, ...]]] = field(
        default_factory=dict[int, tuple[StoreEntry, tuple[str, ...]]],
        init=False,
        repr=False,
        compare=False,
        hash=False,
    )

    @property
    def store_path(self) -> str:
        """The path of the store, spelled as it was given."""
        return os.path.join(self.folder, self.store_name)

    @property
    def spellings(self) -> tuple[str, str]:
        """The folder under both its names."""
        return self.folder, self.real_folder

    def files_of(self, entry: StoreEntry) -> tuple[str, ...]:
        """The names of the transcripts of ``entry`` in this folder."""
        known = self._found.get(id(entry))
        if known is None:
            # The entry is kept too: so its number stands for no other.
            known = self._found[id(entry)] = entry, files_of(entry, self.names, self.spellings)
        return known[1]

    def has_transcript(self, entry: StoreEntry) -> bool:
        """Whether any transcript of ``entry`` exists, in this folder, below it, or with another agent."""
        if self.files_of(entry) or below(entry.session_file, self.spellings) in self.inner:
            return True
        return self.shared.get(entry.session_file or "", False)


def read_store_folder(fs: seam.FS, store_path: str, agent_id: str, roots: Roots) -> StoreFolder | ReadProblem:
    """The store at ``store_path`` and what lies beside it; a folder that is not there is an empty store.

    Raises:
        Refused: the folder may not be listed.
    """
    folder, name = os.path.split(store_path)
    listed = entries(fs, folder, roots)
    if listed is None:
        return StoreFolder(agent_id, folder, folder, name, MISSING_STORE, None, ())
    real = real_folder(fs, folder, roots)
    if real is None:
        return StoreFolder(agent_id, folder, folder, name, MISSING_STORE, None, ())
    found = read_bytes(fs, store_path, roots, MAX_STORE_BYTES)
    if isinstance(found, ReadProblem):
        return found
    store = MISSING_STORE if found is None else read_store(found.data)
    files = tuple([entry for entry in listed if entry.kind == "file"])
    places = [(entry, below(entry.session_file, (folder, real))) for entry in store.entries]
    spelled = {place for _, place in places}
    inner = {path for path in spelled if path and "/" in path and stamp_of(fs, os.path.join(real, path))}
    stamp = None if found is None else found.stamp
    names = tuple([file.name for file in files])
    shared = _shared(fs, (entry for entry, place in places if place is None), (folder, real))
    return StoreFolder(agent_id, folder, real, name, store, stamp, files, names, frozenset(inner), shared)


def _shared(fs: seam.FS, entries: Iterable[StoreEntry], folders: tuple[str, str]) -> dict[str, bool]:
    """The transcripts that lie with another agent of the same state folder, and whether they exist."""

    def real_path(path: str) -> str:
        parent, name = os.path.split(path)
        # A transcript that is gone has no real path, but the folder it was in has one.
        is_there = stamp_of(fs, path) is not None
        return fs.real_path(path) if is_there else os.path.join(fs.real_path(parent), name)

    found: dict[str, bool] = {}
    for entry in entries:
        spelled, session_id = entry.session_file or "", entry.session_id
        if session_id is None or not utf16.trim(spelled):
            continue
        try:
            # By its spelling first: no other place of the machine is even looked at.
            if all(transcript_place(session_id, spelled, folder).ignored for folder in folders):
                continue
            place = transcript_place(session_id, spelled, folders[1], real_path=real_path)
        except (OSError, Refused, ValueError):
            continue
        if not place.ignored:
            found[spelled] = stamp_of(fs, place.path) is not None
    return found


def store_path_of(state_folder: str, agent_id: str) -> str:
    """The usual place of an agent's store in the state folder."""
    return os.path.join(state_folder, "agents", agent_id, "sessions", STORE_NAME)
