"""What do OpenClaw's stores say of the transcripts beside them?"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from agentbrief.disk.folder import stamp_of
from agentbrief.disk.read import Roots
from agentbrief.disk.refusal import Refused
from agentbrief.disk.seam import FS
from agentbrief.disk.values import ReadProblem, Stamp
from agentbrief.sessions.store.entries import StoreEntry, StoreProblem
from agentbrief.sessions.store.folder import read_store_folder
from agentbrief.sessions.store.names import STORE_NAME
from agentbrief.sessions.store.newer_store import LiveDatabase, live_database


@dataclass(frozen=True, slots=True)
class StoreNames:
    """One store: its entries by the names of their transcripts. ``problem``: it could not be read.

    ``database``: a newer OpenClaw keeps the agent's sessions there; the files are from before.
    """

    path: str
    stamp: Stamp | None
    entries: Mapping[str, StoreEntry] = field(default_factory=dict[str, StoreEntry], hash=False)
    problem: StoreProblem | str | None = None
    database: LiveDatabase | None = None


def store_names(
    fs: FS, transcripts: Iterable[str], roots: Roots, known: Mapping[str, StoreNames] | None = None
) -> dict[str, StoreNames]:
    """The stores in the folders of ``transcripts``, by folder; one whose stamp is known is not read again."""
    found: dict[str, StoreNames] = {}
    for folder in dict.fromkeys(os.path.dirname(path) for path in transcripts):
        path = os.path.join(folder, STORE_NAME)
        before = (known or {}).get(folder)
        try:
            stamp = stamp_of(fs, path)
            if before is not None and before.stamp == stamp:
                found[folder] = before
                continue
            found[folder] = _read(fs, path, stamp, roots)
        except Refused as refusal:
            found[folder] = StoreNames(path, None, problem=refusal.what)
    return found


def _read(fs: FS, path: str, stamp: Stamp | None, roots: Roots) -> StoreNames:
    folder = os.path.dirname(path)
    read = read_store_folder(fs, path, os.path.basename(os.path.dirname(folder)), roots)
    database = live_database(fs, folder)
    if isinstance(read, ReadProblem):
        return StoreNames(path, stamp, problem=read.kind, database=database)
    entries = {name: entry for entry in read.store.entries for name in read.files_of(entry)}
    return StoreNames(path, stamp, entries, read.store.problem, database)
