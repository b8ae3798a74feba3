"""What is still there while a plan is made?

The stages of a plan take from one bench; only the finished plan leaves the room.
"""

from __future__ import annotations

from collections import Counter

from agentbrief.disk.folder import Entry
from agentbrief.maintenance.protection import Protected
from agentbrief.maintenance.values import EntryAction, PlanItem, Reason, Spared
from agentbrief.sessions.store.entries import StoreEntry
from agentbrief.sessions.store.folder import StoreFolder
from agentbrief.sessions.store.names import archive_name, is_archive, is_transcript, uncounted
from agentbrief.sessions.store.text import EMPTY_STORE_BYTES, entry_bytes


class Bench:
    """Sessions and files that are left, the size of both, and what was decided so far."""

    def __init__(self, folder: StoreFolder, protected: Protected, now_ms: int) -> None:
        self.folder = folder
        self.now_ms = now_ms
        self.entries: dict[str, StoreEntry] = {entry.key: entry for entry in folder.store.entries}
        self.entry_sizes = {key: stored_bytes(entry) for key, entry in self.entries.items()}
        self.files: dict[str, Entry] = {file.name: file for file in folder.files}
        self.files.pop(folder.store_name, None)
        self.actions: dict[str, EntryAction] = dict.fromkeys(self.entries, "keep")
        self.spared: list[Spared] = []
        self.copied_bytes = 0
        self._protected = protected
        self._items: dict[tuple[bool, str], PlanItem] = {}
        self._ids = Counter([entry.session_id for entry in folder.store.entries])
        self._uses = Counter([name for entry in folder.store.entries for name in folder.files_of(entry)])
        self._archived: set[str] = set()
        self._put_away = archive_name("", "deleted", now_ms)
        self._uncounted = frozenset(uncounted(self.files))
        self._file_bytes = sum([file.size for file in self.files.values()])
        self._file_bytes -= sum([self.files[name].size for name in self._uncounted])

    @property
    def items(self) -> tuple[PlanItem, ...]:
        """What was decided, in order; a file that was put away and then evicted is only evicted."""
        return tuple(self._items.values())

    def total_bytes(self) -> int:
        """The size of the folder: its counted files, and the store as it would be written."""
        return self._file_bytes + self.copied_bytes + EMPTY_STORE_BYTES + sum(self.entry_sizes.values())

    def spare_key(self, key: str, reason: Reason) -> bool:
        """Whether the session stays for its protection; then that is noted."""
        why = self._protected.keys.get(key)
        if why is None:
            return False
        self.spared.append(Spared(key, True, why, reason))
        return True

    def spare_file(self, name: str, reason: Reason) -> bool:
        """Whether the file stays for its protection; then that is noted."""
        why = self._protected.files.get(name)
        if why is None:
            return False
        self.spared.append(Spared(name, False, why, reason))
        return True

    def drop(self, key: str, reason: Reason, action: EntryAction) -> StoreEntry:
        """Take a session out of the store."""
        entry = self.entries.pop(key)
        size = self.entry_sizes.pop(key)
        self.actions[key] = action
        self._items[True, key] = PlanItem("drop-entry", key, reason, size, size, key=key, entry=entry)
        self._ids[entry.session_id] -= 1
        for name in self.folder.files_of(entry):
            self._uses[name] -= 1
        return entry

    def reason_of(self, key: str) -> Reason:
        """Why the session ``key`` was taken."""
        return self._items[True, key].reason

    def unused_files(self, entry: StoreEntry) -> tuple[str, ...]:
        """The files of a dropped session that nothing uses any more."""
        session_id, files, uses = entry.session_id, self.files, self._uses
        if session_id is None or self._ids[session_id] > 0:
            return ()
        return tuple([name for name in self.folder.files_of(entry) if name in files and not uses[name]])

    def counted_files(self) -> list[Entry]:
        """The files that count for the size of the folder."""
        uncounted = self._uncounted
        return [file for file in self.files.values() if file.name not in uncounted]

    def loose_files(self) -> list[Entry]:
        """The counted files that are archives, or transcripts that no session uses, oldest first."""
        uses, archived, uncounted = self._uses, self._archived, self._uncounted
        found = [
            file
            for name, file in self.files.items()
            if (is_archive(name) or name in archived or (is_transcript(name) and not uses.get(name)))
            and name not in uncounted
        ]
        return sorted(found, key=lambda file: (file.mtime_ns // 1_000_000, file.name))

    def archive(self, name: str, reason: Reason, key: str) -> None:
        """Put a file away under its archive name; it goes on to count."""
        file = self.files[name]
        self._archived.add(name)
        new_name = name + self._put_away
        self._items[False, name] = PlanItem("archive", name, reason, file.size, 0, key, new_name, file.stamp)

    def trash(self, name: str, reason: Reason, key: str | None = None) -> int:
        """Take a file away; the bytes it had."""
        file = self.files.pop(name)
        size = file.size
        freed = 0 if name in self._uncounted else size
        self._file_bytes -= freed
        self._items[False, name] = PlanItem("trash", name, reason, size, freed, key, None, file.stamp)
        return size

    def copy_store(self, new_name: str, size: int) -> None:
        """Make a copy of the store file, which counts from now on."""
        self.copied_bytes += size
        self._items[False, self.folder.store_name] = PlanItem(
            "rotate",
            self.folder.store_name,
            "store-too-large",
            size,
            -size,
            new_name=new_name,
            stamp=self.folder.store_stamp,
        )


def stored_bytes(entry: StoreEntry) -> int:
    """The bytes that an entry takes in the store, under all its spellings."""
    return sum([entry_bytes(key, value) for key, value in entry.stored.items()])
