"""Which records of a Claude Code transcript lead to its end, for a reader and for the model?

Of two records with one identifier the first counts. Records of subagents in the main file are no part of its
chain; a file of nothing else is a subagent's own, and then they are.

Source: agents.md 9.1 (Chain, Compaction); michaelschleiss/claude-convos for preserved messages.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field

from agentbrief.sessions.facts import ChainFault, Reach
from agentbrief.sessions.formats.claude_entry import Entry
from agentbrief.sessions.tree import looping


@dataclass(frozen=True, slots=True)
class Chain:
    """The records that can form a chain, in file order, each identifier once.

    ``parents`` has the parent of each record as the model meets it: the first message that a compaction kept
    hangs on the summary.
    """

    entries: tuple[Entry, ...]
    by_id: Mapping[str, Entry] = field(hash=False, compare=False, repr=False)
    parents: Mapping[str, str | None] = field(hash=False, compare=False, repr=False)
    kept: frozenset[str] = frozenset()

    @property
    def leaf(self) -> Entry | None:
        """The last record in file order."""
        return self.entries[-1] if self.entries else None

    def path(self) -> tuple[Entry, ...]:
        """The records from the first to the leaf as a reader sees them, compactions passed over."""
        return self._path(through_boundaries=True)

    def model_path(self) -> tuple[Entry, ...]:
        """The records that the model is sent: from the last compaction on, with the messages it kept."""
        path = self._path(through_boundaries=False)
        boundary = path[0].compaction if path else None
        if boundary is None or not boundary.kept:
            return path
        present = {entry.id for entry in path}
        kept = tuple(self.by_id[each] for each in boundary.kept if each in self.by_id and each not in present)
        after = 1 + next((at for at, entry in enumerate(path) if entry.is_summary), 0)
        return (*path[:after], *kept, *path[after:])

    def reach(self) -> Reach:
        """How much of the transcript a reader gets to from its end."""
        path = self.path()
        return Reach(len(path), len(self.entries), self._dangling(path))

    def model_reach(self) -> Reach:
        """How much of the transcript the model is sent."""
        path = self.model_path()
        return Reach(len(path), len(self.entries), self._dangling(path))

    def _dangling(self, path: tuple[Entry, ...]) -> tuple[str, ...]:
        parent = path[0].parent_id if path else None
        return (parent,) if parent is not None and parent not in self.by_id else ()

    def _path(self, through_boundaries: bool) -> tuple[Entry, ...]:
        found: list[Entry] = []
        seen: set[str] = set()
        entry = self.leaf
        while entry is not None and entry.id is not None and entry.id not in seen:
            found.append(entry)
            seen.add(entry.id)
            if entry.compaction is not None and not through_boundaries:
                break
            above = self.parents.get(entry.id)
            if above is None and entry.compaction is not None:
                above = entry.logical_parent_id
            entry = self.by_id.get(above) if above is not None else None
        return tuple(reversed(found))


def chain_of(entries: Iterable[Entry], *, with_recovered: bool = True) -> Chain:
    """The chain of ``entries``; those on damaged lines count unless ``with_recovered`` is false."""
    listed = [entry for entry in entries if entry.id and (with_recovered or not entry.is_recovered)]
    main = [entry for entry in listed if not entry.is_sidechain] or listed
    by_id: dict[str, Entry] = {}
    for entry in main:
        if entry.id:
            by_id.setdefault(entry.id, entry)
    first = tuple(by_id.values())
    parents = {entry.id: entry.parent_id for entry in first if entry.id}
    kept: set[str] = set()
    for entry in first:
        if entry.compaction is not None:
            kept.update(entry.compaction.kept)
            if entry.compaction.head in parents:
                anchor = entry.compaction.anchor or _summary_of(entry, first)
                parents[entry.compaction.head] = anchor or entry.id
                kept.update(_segment(entry, parents))
    return Chain(first, by_id, parents, frozenset(kept))


def chain_faults(chain: Chain, elsewhere: Container[str]) -> tuple[ChainFault, ...]:
    """What keeps records from being reached. ``elsewhere`` are identifiers in other files of the project."""
    return (*_missing_parents(chain, elsewhere), *_skipped_boundaries(chain), *_loops(chain))


def _summary_of(boundary: Entry, entries: Iterable[Entry]) -> str | None:
    return next((entry.id for entry in entries if entry.is_summary and entry.parent_id == boundary.id), None)


def _segment(boundary: Entry, parents: Mapping[str, str | None]) -> Iterable[str]:
    """The kept messages of ``boundary`` from the last one it names up to the first."""
    if boundary.compaction is None:
        return
    seen: set[str] = set()
    current = boundary.compaction.kept[-1] if boundary.compaction.kept else None
    while current is not None and current in parents and current not in seen:
        yield current
        seen.add(current)
        if current == boundary.compaction.head:
            return
        current = parents[current]


def _missing_parents(chain: Chain, elsewhere: Container[str]) -> Iterable[ChainFault]:
    for entry in chain.entries:
        parent = entry.parent_id
        if entry.id and parent and parent not in chain.by_id and parent not in elsewhere:
            yield ChainFault("dangling", entry.line, entry.id, parent)


def _skipped_boundaries(chain: Chain) -> Iterable[ChainFault]:
    boundaries = [entry.line for entry in chain.entries if entry.compaction is not None]
    for entry in chain.path():
        parent = chain.by_id.get(chain.parents.get(entry.id or "") or "")
        if parent is None or entry.id is None or parent.id is None or parent.id in chain.kept:
            continue
        if entry.compaction is None and any(parent.line < line < entry.line for line in boundaries):
            yield ChainFault("skips-boundary", entry.line, entry.id, parent.id)


def _loops(chain: Chain) -> Iterable[ChainFault]:
    own = {entry.id: entry.parent_id for entry in chain.entries if entry.id}
    looped = looping(own)
    for entry in chain.entries:
        if entry.id is None or entry.id not in looped or entry.parent_id not in looped:
            continue
        if chain.by_id[entry.parent_id].line >= entry.line:
            yield ChainFault("cycle", entry.line, entry.id, entry.parent_id)
