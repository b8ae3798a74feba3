"""What stands on the path of a transcript to its leaf, without decoding more of it than is looked at?

Most questions about a path need a few facts of each entry, and the words of the last ones only. A path that
was read whole is a tuple of entries; of a :class:`LatePath` the facts are known, and an entry is decoded when
it is asked for.
"""

from __future__ import annotations

from array import array
from collections.abc import Container, Sequence
from dataclasses import dataclass
from typing import Protocol, overload

from agentbrief.sessions.jsonl.records import loads_record
from agentbrief.sessions.model import Slice
from agentbrief.sessions.pi.versions import VERSION, as_current
from agentbrief.sessions.times import ms_of
from agentbrief.sessions.tree import TreeEntry


@dataclass(frozen=True, slots=True)
class PathFacts:
    """Of each entry of a path: its identifier, its type, and the role of the message it gives on its own.

    The role is None for an entry that gives no message, and empty where the message names none.
    """

    ids: Sequence[str]
    types: Sequence[str]
    roles: Sequence[str | None]


class TreeAtLeaf(Protocol):
    """What a tree tells of the path to its leaf, and of the identifiers that are taken."""

    @property
    def leaf_id(self) -> str | None:
        """The entry that the next one follows; None: the next entry is a root."""
        ...

    @property
    def path(self) -> Sequence[TreeEntry]:
        """The entries from a root to the leaf."""
        ...

    @property
    def by_id(self) -> Container[str]:
        """The identifiers of all entries."""
        ...

    def count_of(self, entry_type: str) -> int:
        """How many of all entries are of that type."""
        ...


class TranscriptAtLeaf(Protocol):
    """What a transcript tells to one who goes on at its leaf; see ``PiTranscript``."""

    @property
    def version(self) -> int:
        """The version in the file."""
        ...

    @property
    def tree(self) -> TreeAtLeaf:
        """The entries."""
        ...

    @property
    def torn_tail(self) -> bool:
        """Whether the last line was cut off."""
        ...

    @property
    def ends_with_newline(self) -> bool:
        """Whether the next record need not begin with a line end."""
        ...

    @property
    def session_id(self) -> str:
        """The identifier in the header."""
        ...

    @property
    def cwd(self) -> str | None:
        """The folder in the header."""
        ...

    @property
    def writable(self) -> bool:
        """Whether the format's version is one that may be appended to."""
        ...


class LatePath(Sequence[TreeEntry]):
    """A path in the file ``data`` of the present version; an entry is decoded once, when it is asked for.

    ``ends`` is where each line of the file ends, the header first; ``lines`` the place in ``ends`` of each
    entry of the path, ``parents`` the identifier of its parent.
    """

    __slots__ = ("_data", "_ends", "_found", "_lines", "_parents", "facts")

    def __init__(
        self,
        data: bytes,
        ends: array[int],
        lines: Sequence[int],
        parents: Sequence[str | None],
        facts: PathFacts,
    ) -> None:
        self.facts = facts
        self._data = data
        self._ends = ends
        self._lines = lines
        self._parents = parents
        self._found: dict[int, TreeEntry] = {}

    @property
    def decoded(self) -> int:
        """How many entries have been looked at."""
        return len(self._found)

    def with_entry(self, entry: TreeEntry, role: str | None) -> LatePath:
        """The path that goes on with ``entry``, which is not in the file; ``role`` is that of its message."""
        facts = PathFacts(
            [*self.facts.ids, entry.id], [*self.facts.types, entry.type], [*self.facts.roles, role]
        )
        longer = LatePath(self._data, self._ends, (*self._lines, 0), (*self._parents, entry.parent_id), facts)
        longer._found = {**self._found, len(self): entry}
        return longer

    def __len__(self) -> int:
        return len(self._lines)

    @overload
    def __getitem__(self, index: int) -> TreeEntry: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[TreeEntry, ...]: ...
    def __getitem__(self, index: int | slice) -> TreeEntry | tuple[TreeEntry, ...]:
        if isinstance(index, slice):
            return tuple(self._entry(each) for each in range(*index.indices(len(self))))
        return self._entry(range(len(self))[index])

    def _entry(self, index: int) -> TreeEntry:
        found = self._found.get(index)
        if found is None:
            found = self._found[index] = self._decoded(index)
        return found

    def _decoded(self, index: int) -> TreeEntry:
        line = self._lines[index]
        start, end = self._ends[line - 1] + 1, self._ends[line]
        raw = self._data[start:end]
        body = raw.strip()
        value = loads_record(body)
        if not isinstance(value, dict):
            raise ValueError(f"line {line + 1} was an object before, and now is none")
        facts = self.facts
        return TreeEntry(
            facts.ids[index],
            self._parents[index],
            facts.types[index],
            line + 1,
            ms_of(value.get("timestamp")),
            Slice(start + raw.index(body) if len(body) != len(raw) else start, len(body)),
            as_current(value, VERSION, (), ()),
        )
