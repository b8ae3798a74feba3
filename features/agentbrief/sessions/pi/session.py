"""How does a pi or OpenClaw transcript look as a session, whatever is wrong with its file?"""

from __future__ import annotations

from dataclasses import replace

from agentbrief.disk.values import Stamp
from agentbrief.sessions.jsonl.lines import Record
from agentbrief.sessions.jsonl.records import read_records
from agentbrief.sessions.model import Damage, Session, SessionRef, Slice
from agentbrief.sessions.pi.messages import messages_of, usage_of
from agentbrief.sessions.pi.read import transcript_of
from agentbrief.sessions.pi.tree import PiTranscript
from agentbrief.sessions.pi.versions import ids_of
from agentbrief.sessions.times import ms_of
from agentbrief.sessions.tree import TreeEntry


def session_of(data: bytes, ref: SessionRef, stamp: Stamp | None) -> Session:
    """The session that ``data`` holds. ``ref`` says where it was read and by which format.

    A file without a header gives its messages all the same; what it lacks is a fault of line 0.
    """
    file = read_records(data)
    found = transcript_of(file)
    if isinstance(found, PiTranscript):
        messages = messages_of(found.tree.entries)
        ref = replace(ref, session_id=found.session_id, writable=ref.writable and found.writable)
        return Session(
            ref,
            found.header,
            messages,
            usage_of(messages),
            found.damage,
            stamp,
            found.lines,
            found.parsed,
            found.torn_tail,
        )
    messages = messages_of(_entries(file.records))
    return Session(
        replace(ref, writable=False),
        {},
        messages,
        usage_of(messages),
        (Damage(0, found.code), *found.damage),
        stamp,
        len(file.lines),
        len(file.records),
        file.torn_tail is not None,
    )


def _entries(records: tuple[Record, ...]) -> list[TreeEntry]:
    found: list[TreeEntry] = []
    for record, identifier in zip(records, ids_of(records), strict=True):
        kind = record.value.get("type")
        parent = record.value.get("parentId")
        found.append(
            TreeEntry(
                identifier,
                parent if isinstance(parent, str) else None,
                kind if isinstance(kind, str) else "",
                record.line,
                ms_of(record.value.get("timestamp")),
                Slice(record.offset, record.length),
                record.value,
            )
        )
    return found
