"""Which transcript do the lines of a pi or OpenClaw file make, and what is wrong with each?

Source: openclaw.md 4.1, 4.4, 4.6, 4.7; badlogic/pi-mono packages/coding-agent/src/core/session-manager.ts at
0.55.3.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from agentbrief.sessions.jsonl.lines import BadLine, Line, LongLine, Record, RecordFile, damage_of
from agentbrief.sessions.jsonl.records import read_records
from agentbrief.sessions.model import Damage, Slice
from agentbrief.sessions.pi.tree import NoTranscript, PiTranscript, is_header
from agentbrief.sessions.pi.versions import (
    VERSION,
    as_current,
    has_null_content,
    header_as_current,
    ids_of,
    version_of,
)
from agentbrief.sessions.times import ms_of
from agentbrief.sessions.tree import TreeEntry, looping, tree_of


def read_transcript(data: bytes | Iterable[bytes]) -> PiTranscript | NoTranscript:
    """The transcript that ``data`` holds, given whole or in chunks, or why it holds none."""
    return transcript_of(read_records(data))


def transcript_of(file: RecordFile) -> PiTranscript | NoTranscript:
    """The transcript that the lines of a file make, or why they make none."""
    if file.size_bytes == 0:
        return NoTranscript("empty-file")
    first = file.lines[0] if file.lines else None
    if not isinstance(first, Record) or not is_header(first.value):
        return NoTranscript("no-header", tuple(_line_damage(file.lines[:1])))
    records = file.records
    version = version_of(first.value)
    damage = list(_line_damage(file.lines))
    if version != VERSION:
        damage.append(_damage(first, "old-version" if version < VERSION else "newer-version"))
    entries = _without_loops(_entries(records, version, damage), damage)
    known = {entry.id for entry in entries}
    for entry in entries:
        if entry.parent_id is not None and entry.parent_id not in known:
            damage.append(_entry_damage(entry, "orphan-parent"))
    damage.sort(key=lambda fault: fault.line)
    return PiTranscript(
        header_as_current(first.value),
        version,
        tree_of(entries, entries[-1].id if entries else None),
        tuple(damage),
        len(file.lines),
        len(records),
        file.torn_tail is not None,
        file.ends_with_newline,
    )


def _entries(records: tuple[Record, ...], version: int, damage: list[Damage]) -> list[TreeEntry]:
    ids = ids_of(records)
    last = {identifier: index for index, identifier in enumerate(ids)}
    entries: list[TreeEntry] = []
    for index, record in enumerate(records[1:], 1):
        value = record.value
        if value.get("type") == "session":
            damage.append(_damage(record, "second-header"))
            continue
        if last[ids[index]] != index:
            damage.append(_damage(record, "duplicate-id"))
            continue
        previous = entries[-1].id if entries else None
        has_id = isinstance(value.get("id"), str)
        if not has_id and version > 1:
            damage.append(_damage(record, "no-id"))
        if version < 2 or (not has_id and "parentId" not in value):
            parent = previous
        else:
            parent = _parent(record, damage)
        time_ms = ms_of(value.get("timestamp"))
        if time_ms is None:
            damage.append(_damage(record, "bad-time"))
        kind = value.get("type")
        if kind == "message":
            message = value.get("message")
            if not isinstance(message, dict):
                damage.append(_damage(record, "no-message"))
            elif has_null_content(message):
                damage.append(_damage(record, "null-content"))
        entries.append(
            TreeEntry(
                ids[index],
                parent,
                kind if isinstance(kind, str) else "",
                record.line,
                time_ms,
                Slice(record.offset, record.length),
                as_current(value, version, records, ids),
            )
        )
    return entries


def _parent(record: Record, damage: list[Damage]) -> str | None:
    parent = record.value.get("parentId")
    if isinstance(parent, str):
        return parent or None
    if parent is not None:
        damage.append(_damage(record, "orphan-parent"))
    return None


def _without_loops(entries: list[TreeEntry], damage: list[Damage]) -> list[TreeEntry]:
    """``entries``, made roots where a loop of parents goes to the same or a later line."""
    looped = looping({entry.id: entry.parent_id for entry in entries})
    if not looped:
        return entries
    line_of = {entry.id: entry.line for entry in entries}
    found: list[TreeEntry] = []
    for entry in entries:
        if entry.id in looped and entry.parent_id is not None and line_of[entry.parent_id] >= entry.line:
            damage.append(_entry_damage(entry, "cycle"))
            entry = replace(entry, parent_id=None)
        found.append(entry)
    return found


def _line_damage(lines: tuple[Line, ...]) -> Iterable[Damage]:
    for line in lines:
        if "bom" in line.notes:
            yield Damage(line.line, "byte-order-mark", line.offset, line.length)
        if isinstance(line, BadLine):
            yield damage_of(line)
        elif isinstance(line, LongLine):
            yield Damage(line.line, "too-long", line.offset, line.length, line.type or "")
        elif "lone-surrogate" in line.notes:
            yield Damage(line.line, "lone-surrogate", line.offset, line.length)


def _damage(record: Record, code: str) -> Damage:
    return Damage(record.line, code, record.offset, record.length)


def _entry_damage(entry: TreeEntry, code: str) -> Damage:
    place = entry.slice or Slice(0, 0)
    return Damage(entry.line, code, place.offset, place.length)
