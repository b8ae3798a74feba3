"""Which entries of a transcript belong together, and which of them lead to its end?

Every walk here is a loop: a talk of thousands of turns is one path.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from agentbrief.jsonio import JsonValue
from agentbrief.sessions.model import Slice


@dataclass(frozen=True, slots=True)
class TreeEntry:
    """One entry. ``parent_id`` is what the file says, None for a root; it may name no entry.

    ``time_ms`` is None where the file's time cannot be read. ``line`` counts from 1, 0 for an entry that is
    not in the file yet; ``slice`` is None for such an entry. ``value`` is the record, migrated in memory.
    """

    id: str
    parent_id: str | None
    type: str
    line: int
    time_ms: int | None
    slice: Slice | None
    value: Mapping[str, JsonValue] = field(hash=False)


@dataclass(frozen=True, slots=True)
class TranscriptTree:
    """The entries of a transcript in file order, and the one that the next entry follows.

    ``leaf_id`` None: the next entry is a root. ``by_id`` and ``children`` (in order of time; of None:
    the roots, in file order) are made by :func:`tree_of`.
    """

    entries: tuple[TreeEntry, ...]
    leaf_id: str | None
    by_id: Mapping[str, TreeEntry] = field(hash=False, compare=False, repr=False)
    children: Mapping[str | None, tuple[str, ...]] = field(hash=False, compare=False, repr=False)

    def path_to(self, leaf_id: str | None) -> tuple[TreeEntry, ...]:
        """The entries from a root to ``leaf_id``, root first; empty for None.

        Raises:
            ValueError: there is no such entry.
        """
        if leaf_id is not None and leaf_id not in self.by_id:
            raise ValueError(f"Entry {leaf_id} not found")
        path: list[TreeEntry] = []
        current = self.by_id.get(leaf_id) if leaf_id is not None else None
        while current is not None:
            path.append(current)
            current = self.by_id.get(current.parent_id) if current.parent_id is not None else None
        return tuple(reversed(path))

    @property
    def path(self) -> tuple[TreeEntry, ...]:
        """The entries from a root to the leaf."""
        return self.path_to(self.leaf_id)

    def count_of(self, entry_type: str) -> int:
        """How many of all entries are of that type."""
        return sum(entry.type == entry_type for entry in self.entries)

    def orphans(self) -> tuple[TreeEntry, ...]:
        """Those entries whose parent is not in the file."""
        return tuple(
            entry
            for entry in self.entries
            if entry.parent_id is not None and entry.parent_id not in self.by_id
        )

    def descendants_of(self, entry_id: str) -> frozenset[str]:
        """The identifiers of all entries below ``entry_id``."""
        found: set[str] = set()
        waiting = list(self.children.get(entry_id, ()))
        while waiting:
            child = waiting.pop()
            found.add(child)
            waiting.extend(self.children.get(child, ()))
        return frozenset(found)

    def leaves(self) -> tuple[TreeEntry, ...]:
        """The entries without a child, in file order: the ends of all branches."""
        return tuple(entry for entry in self.entries if entry.id not in self.children)

    def with_leaf(self, leaf_id: str | None) -> TranscriptTree:
        """The same entries, the next one to follow ``leaf_id``, or to be a root for None.

        Raises:
            ValueError: there is no such entry.
        """
        if leaf_id is not None and leaf_id not in self.by_id:
            raise ValueError(f"Entry {leaf_id} not found")
        return replace(self, leaf_id=leaf_id)

    def with_entry(self, entry: TreeEntry) -> TranscriptTree:
        """The tree with ``entry`` as its last one and as its leaf."""
        return tree_of((*self.entries, entry), entry.id)


def tree_of(entries: Iterable[TreeEntry], leaf_id: str | None) -> TranscriptTree:
    """The tree of ``entries``, each with an identifier of its own and without loops among their parents."""
    entries = tuple(entries)
    by_id = {entry.id: entry for entry in entries}
    children: dict[str | None, list[TreeEntry]] = {}
    for entry in entries:
        parent = entry.parent_id if entry.parent_id in by_id else None
        children.setdefault(parent, []).append(entry)
    ordered = {
        parent: tuple(child.id for child in (found if parent is None else sorted(found, key=_time)))
        for parent, found in children.items()
    }
    return TranscriptTree(entries, leaf_id, by_id, ordered)


def _time(entry: TreeEntry) -> int:
    return entry.time_ms or 0


def looping(parents: Mapping[str, str | None]) -> frozenset[str]:
    """Those identifiers that are their own ancestor; ``parents`` has the parent of each identifier."""
    found: set[str] = set()
    done: set[str] = set()
    for start in parents:
        trail: list[str] = []
        on_trail: set[str] = set()
        current: str | None = start
        while current is not None and current in parents and current not in done:
            if current in on_trail:
                found.update(trail[trail.index(current) :])
                break
            trail.append(current)
            on_trail.add(current)
            current = parents[current]
        done.update(trail)
    return frozenset(found)
