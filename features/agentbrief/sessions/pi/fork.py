"""Which new file holds one path of a transcript, or the whole of it, and how does an old one look in version
3?

Lines that do not change keep their bytes. Source: openclaw.md 4.6, 4.9; badlogic/pi-mono
packages/coding-agent/src/core/session-manager.ts (createBranchedSession, forkFrom).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from agentbrief import jsonio
from agentbrief.jsonio import JsonValue
from agentbrief.sessions.jsonl.lines import Record
from agentbrief.sessions.jsonl.record_text import value_text, with_value, with_value_text, without_key
from agentbrief.sessions.jsonl.records import read_records
from agentbrief.sessions.pi.append import NewUuid, entry_text, fresh_id, header_text
from agentbrief.sessions.pi.read import transcript_of
from agentbrief.sessions.pi.tree import PiTranscript, label_text, labels_of
from agentbrief.sessions.pi.versions import VERSION
from agentbrief.sessions.times import iso_of, ms_of, stamp_of
from agentbrief.sessions.tree import TreeEntry

_TIME_OF_FORK = re.compile(r"\A[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}-[0-9]{2}-[0-9]{2}-[0-9]{3}Z_")


@dataclass(frozen=True, slots=True)
class NewTranscript:
    """A file to be made: its name without a folder, the session it holds, and its bytes."""

    name: str
    session_id: str
    content: bytes = field(repr=False)


def branched_session(
    data: bytes,
    transcript: PiTranscript,
    leaf_id: str | None,
    *,
    now_ms: int,
    new_uuid: NewUuid,
    parent_session: str | None,
    cwd: str | None = None,
) -> NewTranscript:
    """The path to ``leaf_id`` as a session of its own, then the labels of its entries with their old times.

    ``data`` is the file that ``transcript`` was read from, ``parent_session`` its path. ``cwd`` serves where
    the header names no folder. Label entries on the path are left out, their children linked over them.

    Raises:
        ValueError: there is no such entry.
    """
    path = transcript.tree.path_to(leaf_id)
    kept = [entry for entry in path if entry.type != "label"]
    session_id = new_uuid()
    lines = [header_text(session_id, transcript.cwd or cwd, now_ms, parent_session)]
    standing = _stand_in(path)
    parent: str | None = None
    for entry in kept:
        first_kept = entry.value.get("firstKeptEntryId")
        changes: dict[str, JsonValue] = {"parentId": parent}
        if isinstance(first_kept, str) and first_kept in standing:
            changes["firstKeptEntryId"] = standing[first_kept]
        lines.append(_line(data, entry, transcript.version, changes))
        parent = entry.id
    on_path = frozenset(entry.id for entry in kept)
    taken = set(on_path)
    for target, label in labels_of(transcript.tree).items():
        if target not in on_path:
            continue
        timestamp = label.value.get("timestamp")
        label_id = fresh_id(taken, new_uuid)
        taken.add(label_id)
        fields: dict[str, JsonValue] = {"targetId": target, "label": label_text(label)}
        lines.append(entry_text("label", label_id, parent, timestamp or iso_of(now_ms), fields))
        parent = label_id
    return NewTranscript(f"{stamp_of(now_ms)}_{session_id}.jsonl", session_id, b"".join(lines))


def forked_session(
    data: bytes,
    transcript: PiTranscript,
    *,
    now_ms: int,
    new_uuid: NewUuid,
    parent_session: str | None,
    cwd: str | None,
) -> NewTranscript:
    """All entries as they are under a new header: another session that begins where this one stands."""
    session_id = new_uuid()
    lines = [header_text(session_id, cwd, now_ms, parent_session)]
    for entry in transcript.tree.entries:
        lines.append(_line(data, entry, transcript.version, {}))
    return NewTranscript(f"{stamp_of(now_ms)}_{session_id}.jsonl", session_id, b"".join(lines))


def migrated_text(data: bytes) -> bytes:
    """The file ``data`` in version 3: what says the version, identifiers, parents; all else keeps its bytes.

    Raises:
        ValueError: ``data`` is no transcript.
    """
    file = read_records(data)
    transcript = transcript_of(file)
    header = file.lines[0] if file.lines else None
    if not isinstance(transcript, PiTranscript) or not isinstance(header, Record):
        raise ValueError("no transcript")
    if transcript.version >= VERSION:
        return data
    text = data[header.offset : header.offset + header.length].decode("utf-8")
    pieces = [data[: header.offset], _with_version(text).encode("utf-8")]
    position = header.offset + header.length
    for entry in transcript.tree.entries:
        if entry.slice is not None:
            pieces.append(data[position : entry.slice.offset])
            pieces.append(_line(data, entry, transcript.version, {"parentId": entry.parent_id})[:-1])
            position = entry.slice.offset + entry.slice.length
    return b"".join([*pieces, data[position:]])


def lost_header(name: str, records: Iterable[Record]) -> bytes:
    """A header for a transcript that has none: its file's ``name`` as the identifier, the first time it says.

    The name is ``<id>.jsonl``, ``<id>-topic-<thread>.jsonl`` or ``<time>_<id>.jsonl``.
    """
    stem = _TIME_OF_FORK.sub("", name.removesuffix(".jsonl")).partition("-topic-")[0]
    times = (ms_of(record.value.get("timestamp")) for record in records)
    return header_text(stem, None, next((time_ms for time_ms in times if time_ms is not None), 0))


def _with_version(header: str) -> str:
    if value_text(header, "version") is not None:
        return with_value(header, "version", VERSION)
    at = header.index("{") + 1
    kind = value_text(header, "type")
    first = header[at:].lstrip()
    if kind is not None and first.startswith('"type"'):
        end = header.index(kind, at + len('"type"')) + len(kind)
        return f'{header[:end]},"version":{VERSION}{header[end:]}'
    return f'{header[:at]}"version":{VERSION},{header[at:]}'


def _stand_in(path: tuple[TreeEntry, ...]) -> dict[str, str]:
    """For each label entry of ``path`` the entry behind it that stays."""
    found: dict[str, str] = {}
    following: str | None = None
    for entry in reversed(path):
        if entry.type != "label":
            following = entry.id
        elif following is not None:
            found[entry.id] = following
    return found


def _line(data: bytes, entry: TreeEntry, version: int, changes: dict[str, JsonValue]) -> bytes:
    """The line of ``entry`` in a file of version 3, with ``changes``, and its line end."""
    if entry.slice is None:
        return jsonio.dumps({**entry.value, **changes}) + b"\n"
    raw = data[entry.slice.offset : entry.slice.offset + entry.slice.length]
    text = raw.decode("utf-8")
    if _stored(text, "id") != entry.id:
        text = with_value(text, "id", entry.id)
        changes = {"parentId": entry.parent_id, **changes}
    if version < VERSION:
        changes = {"parentId": entry.parent_id, **changes}
        text = _as_current(text, entry)
    for key, value in changes.items():
        if value_text(text, key) is None or _stored(text, key) != value:
            text = with_value(text, key, value)
    return text.encode("utf-8") + b"\n"


def _as_current(text: str, entry: TreeEntry) -> str:
    if entry.type == "message":
        written = value_text(text, "message")
        message = entry.value.get("message")
        if (
            written is not None
            and isinstance(message, dict)
            and _stored(written, "role") != message.get("role")
        ):
            return with_value_text(text, "message", with_value(written, "role", message.get("role")))
    elif entry.type == "compaction" and value_text(text, "firstKeptEntryIndex") is not None:
        text = without_key(text, "firstKeptEntryIndex")
        if "firstKeptEntryId" in entry.value:
            return with_value(text, "firstKeptEntryId", entry.value["firstKeptEntryId"])
    return text


def _stored(text: str, key: str) -> JsonValue:
    written = value_text(text, key)
    return jsonio.loads(written) if written is not None else None
