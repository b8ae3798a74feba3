"""Which entries does an undamaged transcript of the present version hold, and which lead to its leaf?

Each line is decoded once, at the speed of the JSON library, and only its place in the tree is kept. A file
with anything odd in it is left to ``read.py``, whose answer is the same wherever both give one.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from agentbrief.jsonio import FAST, JsonValue, loads_inexact
from agentbrief.sessions.jsonl.records import MAX_DEPTH, MAX_LINE_BYTES, loads_record
from agentbrief.sessions.pi.leaf_path import LatePath, PathFacts, TranscriptAtLeaf
from agentbrief.sessions.pi.read import read_transcript
from agentbrief.sessions.pi.tree import NoTranscript, is_header
from agentbrief.sessions.pi.versions import VERSION, header_as_current


@dataclass(frozen=True, slots=True)
class QuickTree:
    """The entries of the file ``data`` in file order, and the path to the last one, which is the leaf.

    ``by_id`` is the place of each among them. See :class:`agentbrief.sessions.tree.TranscriptTree`.
    """

    data: bytes = field(repr=False)
    types: Sequence[str] = field(repr=False, hash=False, compare=False)
    by_id: Mapping[str, int] = field(repr=False, hash=False, compare=False)
    path: LatePath = field(repr=False, hash=False, compare=False)

    @property
    def leaf_id(self) -> str | None:
        """The entry that the next one follows; None in a file without entries."""
        return self.path.facts.ids[-1] if self.path else None

    def count_of(self, entry_type: str) -> int:
        """How many of all entries are of that type."""
        return self.types.count(entry_type)


@dataclass(frozen=True, slots=True)
class QuickTranscript:
    """A transcript of which only the header and the tree were kept; nothing is wrong with its file."""

    header: Mapping[str, JsonValue] = field(hash=False)
    tree: QuickTree

    version = VERSION
    torn_tail = False
    writable = True

    @property
    def session_id(self) -> str:
        """The identifier in the header."""
        return str(self.header["id"])

    @property
    def cwd(self) -> str | None:
        """The folder in the header."""
        cwd = self.header.get("cwd")
        return cwd if isinstance(cwd, str) else None

    @property
    def ends_with_newline(self) -> bool:
        """Whether the next record need not begin with a line end."""
        return self.tree.data.endswith(b"\n")


def transcript_at_leaf(data: bytes) -> TranscriptAtLeaf | NoTranscript:
    """What the file ``data`` tells to one who goes on at its leaf, or why it is no transcript."""
    return quick_transcript(data) or read_transcript(data)


def quick_transcript(data: bytes) -> QuickTranscript | None:
    """The transcript in the file ``data``; None where ``read.py`` has to look."""
    try:
        header = _header(data)
        tree = _tree(data) if header is not None else None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    return QuickTranscript(header, tree) if header is not None and tree is not None else None


def _header(data: bytes) -> dict[str, JsonValue] | None:
    end = data.find(b"\n")
    if not 0 < end <= MAX_LINE_BYTES or not data.startswith(b"{"):
        return None
    header = loads_record(data[:end].strip())
    if not isinstance(header, dict) or not is_header(header):
        return None
    version = header.get("version")
    return header_as_current(header) if type(version) is int and version == VERSION else None


def _tree(data: bytes) -> QuickTree | None:
    """The tree of the lines behind the header.

    Raises where the file is odd, or gives None.

    Everything is in one loop with few calls: it runs for each line of a file of any size.
    """
    view, size = memoryview(data), len(data)
    load, find = loads_inexact, data.find
    ends = array("q", (find(b"\n"),))
    types: list[str] = []
    parents: list[str | None] = []
    roles: list[str | None] = []
    by_id: dict[str, int] = {}
    unknown: set[str] = set()
    position = ends[0] + 1
    while position < size:
        end = find(b"\n", position)
        if end < 0:
            end = size
        if end - position > MAX_LINE_BYTES or (not FAST and _may_be_deep(data, position, end)):
            return None
        value: dict[str, Any] = load(view[position:end])
        kind, identifier, parent = value["type"], value["id"], value.get("parentId")
        if type(kind) is not str or type(identifier) is not str or kind == "session" or identifier in by_id:
            return None
        if parent is not None and parent not in by_id:
            if type(parent) is not str:
                return None
            unknown.add(parent)
        if kind == "message":
            message = value.get("message")
            role = message.get("role") if type(message) is dict else None
            roles.append(role if type(role) is str else "" if type(message) is dict else None)
        elif kind == "custom_message":
            roles.append("custom")
        else:
            roles.append("branchSummary" if kind == "branch_summary" and value.get("summary") else None)
        by_id[identifier] = len(types)
        types.append(kind)
        parents.append(parent or None)
        ends.append(end)
        position = end + 1
    # one that comes later makes loops possible
    if not unknown.isdisjoint(by_id):
        return None
    return QuickTree(data, types, by_id, _path(data, ends, types, parents, roles, by_id))


def _path(
    data: bytes,
    ends: array[int],
    types: Sequence[str],
    parents: Sequence[str | None],
    roles: Sequence[str | None],
    by_id: Mapping[str, int],
) -> LatePath:
    places: list[int] = []
    place = len(types) - 1 if types else None
    while place is not None:
        places.append(place)
        parent = parents[place]
        place = by_id.get(parent) if parent is not None else None
    places.reverse()
    ids = list(by_id)
    facts = PathFacts(
        [ids[place] for place in places],
        [types[place] for place in places],
        [roles[place] for place in places],
    )
    return LatePath(data, ends, [place + 1 for place in places], [parents[place] for place in places], facts)


def _may_be_deep(data: bytes, start: int, end: int) -> bool:
    return data.count(b"[", start, end) + data.count(b"{", start, end) > MAX_DEPTH
