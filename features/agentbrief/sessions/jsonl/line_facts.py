"""What do the lines of a JSONL file show, whatever the records in them mean?

Read in one pass, so that a file of any size costs one record at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from agentbrief.sessions.facts import LongRecord, TypeSize
from agentbrief.sessions.jsonl.lines import BadLine, Line, LongLine, Record, damage_of
from agentbrief.sessions.model import Damage

LARGE_LINE_BYTES = 5_000_000
"""From this size on a single line makes programs slow."""

Unseen = Callable[[str], bool]
"""Whether the model is never sent a record of that type."""


class LineFacts(NamedTuple):
    """The faults and sizes of the lines of one file, as ``TranscriptFacts`` has them."""

    lines: int
    parsed: int
    damage: tuple[Damage, ...]
    torn_tail: Damage | None
    half_pairs: tuple[int, ...]
    long_records: tuple[LongRecord, ...]
    types: tuple[TypeSize, ...]


class Watched:
    """Lines that are passed on while they are counted; :meth:`facts` once all have passed.

    ``id_key`` is where records have their identifier, ``type_of`` what type a record is counted under.
    """

    def __init__(
        self, lines: Iterable[Line], id_key: str, type_of: Callable[[Record], str], unseen: Unseen
    ) -> None:
        self._lines = lines
        self._id_key = id_key
        self._type_of = type_of
        self._unseen = unseen
        self._count = self._parsed = 0
        self._damage: list[Damage] = []
        self._torn: Damage | None = None
        self._half_pairs: list[int] = []
        self._long: list[LongRecord] = []
        self._sizes: dict[str, list[int]] = {}

    def records(self) -> Iterator[tuple[Record, bool]]:
        """The records in order, each with whether a repair would have to recover it from a damaged line."""
        for line in self._lines:
            self._count += 1
            if isinstance(line, Record):
                self._parsed += 1
                self._measure(line.line, line.length, self._type_of(line))
                if "lone-surrogate" in line.notes:
                    self._half_pairs.append(line.line)
                yield line, False
            elif isinstance(line, LongLine):
                self._measure(line.line, line.length, line.type)
            else:
                self._note(line)
                for record in line.recovered:
                    yield record, True

    def facts(self) -> LineFacts:
        """What the lines that passed show."""
        types = [
            TypeSize(kind, count, size, size if self._unseen(kind) else 0)
            for kind, (count, size) in self._sizes.items()
        ]
        return LineFacts(
            self._count,
            self._parsed,
            tuple(self._damage),
            self._torn,
            tuple(self._half_pairs),
            tuple(self._long),
            tuple(sorted(types, key=lambda each: -each.bytes)),
        )

    def _note(self, line: BadLine) -> None:
        damage = damage_of(line, self._id_key)
        if line.is_tail:
            self._torn = damage
        else:
            self._damage.append(damage)
        if line.length >= LARGE_LINE_BYTES:
            self._long.append(LongRecord(line.line, line.length, None))

    def _measure(self, line: int, size: int, kind: str | None) -> None:
        if size >= LARGE_LINE_BYTES:
            self._long.append(LongRecord(line, size, kind))
        entry = self._sizes.setdefault(kind or "", [0, 0])
        entry[0] += 1
        entry[1] += size
