"""Which messages does a transcript of pi or OpenClaw of any size hold, one after the other, in file order?

Of two records with one identifier the last counts; which those are is told by an index of the file, made
before.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator

from agentbrief.sessions.jsonl.index import TranscriptIndex
from agentbrief.sessions.jsonl.lines import Line, Record
from agentbrief.sessions.model import Message, Slice
from agentbrief.sessions.pi.messages import messages_of
from agentbrief.sessions.pi.tree import is_header
from agentbrief.sessions.pi.versions import VERSION, as_current, version_of
from agentbrief.sessions.times import ms_of
from agentbrief.sessions.tree import TreeEntry

_BY_ID = 2
"""The first version whose compactions name an entry, and do not count lines."""


def messages_in(lines: Iterable[Line], overwritten: Container[int]) -> Iterator[Message]:
    """The messages of ``lines``, in order; those of the lines that are ``overwritten`` are left out."""
    version = VERSION
    for line in lines:
        if not isinstance(line, Record):
            continue
        if is_header(line.value):
            version = version_of(line.value)
        elif line.line not in overwritten:
            yield from messages_of((_entry(line, version),))


def overwritten_lines(index: TranscriptIndex[object]) -> frozenset[int]:
    """The lines whose identifier a later line has again."""
    last: dict[str, int] = {}
    found: set[int] = set()
    for line, identifier in enumerate(index.ids, 1):
        if identifier is not None:
            if identifier in last:
                found.add(last[identifier])
            last[identifier] = line
    return frozenset(found)


def _entry(record: Record, version: int) -> TreeEntry:
    value = as_current(record.value, max(version, _BY_ID), (), ())
    identifier, parent, kind = (record.value.get(key) for key in ("id", "parentId", "type"))
    return TreeEntry(
        identifier if isinstance(identifier, str) else "",
        parent if isinstance(parent, str) else None,
        kind if isinstance(kind, str) else "",
        record.line,
        ms_of(record.value.get("timestamp")),
        Slice(record.offset, record.length),
        value,
    )
