"""Which entries does a transcript of the present version hold, and which of them lead to its leaf?

Each line is decoded once, at the speed of the JSON library, and only its place in the tree is kept; a line
that this does not read is looked at as ``read.py`` does. A file whose tree is odd is left to ``read.py``,
whose answer is the same wherever both give one.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from agentbrief.jsonio import FAST, JsonValue, loads_inexact
from agentbrief.sessions.jsonl.lines import BadLine, Record
from agentbrief.sessions.jsonl.records import MAX_DEPTH, MAX_LINE_BYTES, loads_record, read_lines
from agentbrief.sessions.pi.leaf_path import LatePath, PathFacts, TranscriptAtLeaf
from agentbrief.sessions.pi.read import read_transcript
from agentbrief.sessions.pi.tree import NoTranscript, cwd_of, is_header
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
    """A transcript of which only the header and the tree were kept; see ``PiTranscript``."""

    header: Mapping[str, JsonValue] = field(hash=False)
    tree: QuickTree
    torn_tail: bool

    version = VERSION
    writable = True

    @property
    def session_id(self) -> str:
        """The identifier in the header."""
        return str(self.header["id"])

    @property
    def cwd(self) -> str | None:
        """The folder in the header."""
        return cwd_of(self.header)

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
        found = _tree(data) if header is not None else None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    return QuickTranscript(header, *found) if header is not None and found is not None else None


def _header(data: bytes) -> dict[str, JsonValue] | None:
    end = data.find(b"\n")
    if not 0 < end <= MAX_LINE_BYTES or not data.startswith(b"{"):
        return None
    header = loads_record(data[:end].strip())
    if not isinstance(header, dict) or not is_header(header):
        return None
    version = header.get("version")
    return header_as_current(header) if type(version) is int and version == VERSION else None


def _tree(data: bytes) -> tuple[QuickTree, bool] | None:
    """The tree of the lines behind the header, and whether the last one is torn.

    Raises where the tree is odd, or gives None.

    Everything is in one loop with few calls: it runs for each line of a file of any size.
    """
    view, size = memoryview(data), len(data)
    load, find = loads_inexact, data.find
    ends = array("q", (find(b"\n"),))
    columns = _Columns()
    add_line, add_type = columns.lines.append, columns.types.append
    add_parent, add_role = columns.parents.append, columns.roles.append
    by_id = columns.by_id
    unknown: set[str] = set()
    is_torn = False
    position = ends[0] + 1
    while position < size:
        end = find(b"\n", position)
        if end < 0:
            end = size
        try:
            if end - position > MAX_LINE_BYTES or (not FAST and _may_be_deep(data, position, end)):
                raise ValueError("not at full speed")
            value: dict[str, JsonValue] | None = load(view[position:end])
        except ValueError:
            line = next(read_lines((data[position : end + 1],), offset=position), None)
            is_torn = isinstance(line, BadLine) and line.is_tail
            value = line.value if isinstance(line, Record) else None
        if value is not None:
            kind, identifier, parent = value["type"], value["id"], value.get("parentId")
            if type(kind) is not str or type(identifier) is not str:
                return None
            if kind == "session" or identifier in by_id:
                return None
            if parent is not None and parent not in by_id:
                if type(parent) is not str:
                    return None
                unknown.add(parent)
            if kind == "message":
                message = value.get("message")
                role = message.get("role") if type(message) is dict else None
                add_role(role if type(role) is str else "" if type(message) is dict else None)
            elif kind == "custom_message":
                add_role("custom")
            else:
                add_role("branchSummary" if kind == "branch_summary" and value.get("summary") else None)
            by_id[identifier] = len(by_id)
            add_type(kind)
            add_parent(parent or None)
            add_line(len(ends))
        ends.append(end)
        position = end + 1
    # a parent that comes later makes loops possible
    if not unknown.isdisjoint(by_id):
        return None
    return QuickTree(data, columns.types, by_id, _path(data, ends, columns)), is_torn


class _Columns:
    """Of each entry: the place of its line, type, parent and role; and the place of each identifier."""

    def __init__(self) -> None:
        self.lines = array("q")
        self.types: list[str] = []
        self.parents: list[str | None] = []
        self.roles: list[str | None] = []
        self.by_id: dict[str, int] = {}


def _path(data: bytes, ends: array[int], columns: _Columns) -> LatePath:
    places: list[int] = []
    parents, types, roles = columns.parents, columns.types, columns.roles
    place = len(types) - 1 if types else None
    while place is not None:
        places.append(place)
        parent = parents[place]
        place = columns.by_id.get(parent) if parent is not None else None
    places.reverse()
    ids = list(columns.by_id)
    facts = PathFacts(
        [ids[place] for place in places],
        [types[place] for place in places],
        [roles[place] for place in places],
    )
    return LatePath(
        data,
        ends,
        [columns.lines[place] for place in places],
        [parents[place] for place in places],
        facts,
    )


def _may_be_deep(data: bytes, start: int, end: int) -> bool:
    return data.count(b"[", start, end) + data.count(b"{", start, end) > MAX_DEPTH
