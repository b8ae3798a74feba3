"""What can a line of a JSONL file be, and what do the lines of one say together?

A line that is not blank is a :class:`Record`, a :class:`BadLine` or, when too long to be held, a
:class:`LongLine`. ``records.py`` tells which.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

from agentbrief.jsonio import JsonValue
from agentbrief.sessions.model import Damage

Reason = Literal[
    "nul-run", "too-deep", "two-records", "spliced", "not-utf8", "not-json", "not-object", "torn"
]
Note = Literal["bom", "crlf", "no-final-newline", "lone-surrogate"]

NO_NOTES: tuple[Note, ...] = ()


class Record(NamedTuple):
    """A line that is one complete object. ``line`` counts from 1; offset and length in bytes.

    The slice leaves out the line end, blanks around the object and a byte-order mark.
    """

    line: int
    offset: int
    length: int
    value: dict[str, JsonValue]
    notes: tuple[Note, ...] = NO_NOTES


class BadLine(NamedTuple):
    """A line that is no record. The slice is the whole line without its LF.

    ``recovered`` are the complete records on it, which a repair of a copy may offer; their ``line`` is this
    one's. ``is_tail``: it is the end of the file and has no LF, so it may still be being written.
    """

    line: int
    offset: int
    length: int
    reason: Reason
    recovered: tuple[Record, ...] = ()
    is_tail: bool = False
    notes: tuple[Note, ...] = NO_NOTES

    @property
    def code(self) -> str:
        """The reader's word for it: ``torn-tail`` for a plain torn tail, else the reason."""
        return "torn-tail" if self.reason == "torn" else self.reason


class LongLine(NamedTuple):
    """A line that is too long to be held; ``type`` is what its first bytes say, None if they do not."""

    line: int
    offset: int
    length: int
    type: str | None
    notes: tuple[Note, ...] = NO_NOTES


Line = Record | BadLine | LongLine


class RecordFile(NamedTuple):
    """All lines of a file that was read to its end, in order; blank lines are left out.

    ``ends_with_newline`` is false where the next record has to begin with a line end.
    """

    lines: tuple[Line, ...]
    size_bytes: int
    ends_with_newline: bool

    @property
    def records(self) -> tuple[Record, ...]:
        """The lines that are records."""
        return tuple(line for line in self.lines if isinstance(line, Record))

    @property
    def bad(self) -> tuple[BadLine, ...]:
        """The lines that are none, a torn tail left out."""
        return tuple(line for line in self.lines if isinstance(line, BadLine) and not line.is_tail)

    @property
    def long(self) -> tuple[LongLine, ...]:
        """The lines that were skipped for their length."""
        return tuple(line for line in self.lines if isinstance(line, LongLine))

    @property
    def torn_tail(self) -> BadLine | None:
        """The last line, if it has no LF and is no complete object."""
        last = self.lines[-1] if self.lines else None
        return last if isinstance(last, BadLine) and last.is_tail else None

    @property
    def notes(self) -> frozenset[Note]:
        """What was noted of any line."""
        return frozenset(note for line in self.lines for note in line.notes)


def damage_of(bad: BadLine, id_key: str = "id") -> Damage:
    """A bad line as a fault of its session; ``id_key`` is where records have their identifier."""
    found = tuple(
        identifier for part in bad.recovered if isinstance(identifier := part.value.get(id_key), str)
    )
    return Damage(bad.line, bad.code, bad.offset, bad.length, recovered=found)


def with_recovered(file: RecordFile) -> tuple[Record, ...]:
    """The records of ``file`` with those a repair would recover in their places."""
    found: list[Record] = []
    for line in file.lines:
        if isinstance(line, Record):
            found.append(line)
        elif isinstance(line, BadLine):
            found.extend(line.recovered)
    return tuple(found)


def without_parent(
    records: Iterable[Record], id_key: str = "id", parent_key: str = "parentId"
) -> tuple[Record, ...]:
    """Those ``records`` that name a parent which is not among them."""
    records = tuple(records)
    known = {identifier for record in records if isinstance(identifier := record.value.get(id_key), str)}
    return tuple(
        record
        for record in records
        if isinstance(parent := record.value.get(parent_key), str) and parent not in known
    )


def repeated_ids(records: Iterable[Record], id_key: str = "id") -> dict[str, tuple[int, ...]]:
    """Each identifier that more than one record has, with the lines of all of them in order."""
    found: dict[str, list[int]] = {}
    for record in records:
        identifier = record.value.get(id_key)
        if isinstance(identifier, str):
            found.setdefault(identifier, []).append(record.line)
    return {identifier: tuple(lines) for identifier, lines in found.items() if len(lines) > 1}
