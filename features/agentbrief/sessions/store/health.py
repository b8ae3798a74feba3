"""What is odd about a store and the files beside it?

Findings as values, no judgement of their weight (openclaw.md 2.1, 2.4, 3.3). A transcript that no entry names
is *unreferenced*, which is no fault: it may be all that is left of a conversation.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from agentbrief.disk.folder import Entry
from agentbrief.sessions.store.entries import StoreEntry, StoreProblem
from agentbrief.sessions.store.fields import names_in
from agentbrief.sessions.store.folder import StoreFolder
from agentbrief.sessions.store.names import is_transcript
from agentbrief.sessions.store.paths import leads_outside
from agentbrief.sessions.store.text import entry_bytes, total_bytes

StoreCode = (
    StoreProblem
    | Literal[
        "store-odd-entry",
        "store-key-case",
        "store-outside-path",
        "store-missing-transcript",
        "store-heavy-field",
    ]
)

BULK_FIELDS = names_in("bulk")


@dataclass(frozen=True, slots=True)
class StoreFinding:
    """Something odd. ``key`` None = the store as a whole; ``names`` are fields or spellings of the key.

    ``size`` is the bytes that a heavy field takes in all entries.
    """

    code: StoreCode
    key: str | None = None
    names: tuple[str, ...] = ()
    size: int | None = None


def store_findings(folder: StoreFolder) -> tuple[StoreFinding, ...]:
    """All that is odd about the store of ``folder``, the store itself first, then entry by entry."""
    store = folder.store
    if store.problem is not None:
        return (StoreFinding(store.problem),)
    found = [*heavy_fields(folder)]
    issues = {(issue.key, issue.code): issue for issue in store.issues}
    for entry in store.entries:
        for code in ("store-key-case", "store-odd-entry"):
            if (issue := issues.get((entry.key, code))) is not None:
                found.append(StoreFinding(issue.code, entry.key, issue.names))
        if leads_outside(entry, folder.spellings) and entry.session_file not in folder.shared:
            found.append(StoreFinding("store-outside-path", entry.key))
        if entry.session_id is not None and not folder.has_transcript(entry):
            found.append(StoreFinding("store-missing-transcript", entry.key))
    return tuple(found)


def unreferenced(folder: StoreFolder) -> tuple[Entry, ...]:
    """The transcripts that no entry names, by name."""
    used = {name for entry in folder.store.entries for name in folder.files_of(entry)}
    return tuple(file for file in folder.files if is_transcript(file.name) and file.name not in used)


def bulk_bytes(entry: StoreEntry) -> dict[str, int]:
    """The bytes of each bulk field that the entry has."""
    return {name: entry_bytes(name, entry.fields[name]) for name in BULK_FIELDS if name in entry.fields}


def heavy_fields(folder: StoreFolder) -> tuple[StoreFinding, ...]:
    """A finding where the bulk fields make up more than half of the store, with all of them."""
    entries = folder.store.entries
    whole = total_bytes(entry_bytes(key, value) for entry in entries for key, value in entry.stored.items())
    sizes = [bulk_bytes(entry) for entry in entries]
    heavy = sum(sum(found.values()) for found in sizes)
    if heavy * 2 <= whole:
        return ()
    names = tuple(name for name in BULK_FIELDS if any(name in found for found in sizes))
    return (StoreFinding("store-heavy-field", None, names, heavy),)
