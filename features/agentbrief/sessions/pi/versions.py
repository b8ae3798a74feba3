"""How does an entry of an older version of the pi format read as one of version 3?

In memory only: the file is never rewritten on reading (openclaw.md 4.6).
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

from agentbrief.jsonio import JsonValue
from agentbrief.sessions.jsonl.lines import Record

VERSION = 3
"""The version that is written, and as which all others are read."""

_ROLES_WITH_CONTENT = ("user", "assistant", "toolResult", "custom")


def version_of(header: Mapping[str, JsonValue]) -> int:
    """The version a header says; none = 1, one that is no number = :data:`VERSION`."""
    version = header.get("version")
    if version is None:
        return 1
    if isinstance(version, bool) or not isinstance(version, int | float):
        return VERSION
    return int(version) if abs(version) < 1e9 else VERSION + 1


def header_as_current(header: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """``header`` as one of version 3, its other keys as they are; a newer one stays."""
    if version_of(header) >= VERSION:
        return dict(header)
    rest = {key: value for key, value in header.items() if key not in ("type", "version")}
    return {"type": "session", "version": VERSION, **rest}


def ids_of(records: Sequence[Record]) -> list[str]:
    """An identifier for each record: its own, or one made from its place among those that have none.

    The same file gives the same identifiers each time, also after unreadable lines were removed.
    """
    taken = {identifier for record in records if isinstance(identifier := record.value.get("id"), str)}
    found: list[str] = []
    made = 0
    for record in records:
        identifier = record.value.get("id")
        while not isinstance(identifier, str):
            made += 1
            candidate = hashlib.sha256(f"entry without id {made}".encode()).hexdigest()[:8]
            if candidate not in taken:
                identifier = candidate
        found.append(identifier)
    return found


def as_current(
    value: dict[str, JsonValue], version: int, records: Sequence[Record], ids: Sequence[str]
) -> dict[str, JsonValue]:
    """An entry as one of version 3, content of null as an empty list; ``value`` itself if nothing changes.

    ``records`` and ``ids`` are those of the whole file, header first: in version 1 a compaction counts them.
    """
    if value.get("type") == "message":
        message = value.get("message")
        if isinstance(message, dict):
            changed = _message_as_current(message, version)
            return value if changed is message else {**value, "message": changed}
    elif version < 2 and value.get("type") == "compaction" and "firstKeptEntryIndex" in value:
        rest = {key: item for key, item in value.items() if key != "firstKeptEntryIndex"}
        kept = _id_at(value["firstKeptEntryIndex"], records, ids)
        return {**rest, "firstKeptEntryId": kept} if kept is not None else rest
    return value


def has_null_content(message: Mapping[str, JsonValue]) -> bool:
    """Whether a message of a role that has content has none."""
    role = message.get("role")
    return (role in _ROLES_WITH_CONTENT or role == "hookMessage") and message.get("content") is None


def _message_as_current(message: dict[str, JsonValue], version: int) -> dict[str, JsonValue]:
    changes: dict[str, JsonValue] = {}
    if version < VERSION and message.get("role") == "hookMessage":
        changes["role"] = "custom"
    if has_null_content(message):
        changes["content"] = []
    return {**message, **changes} if changes else message


def _id_at(index: JsonValue, records: Sequence[Record], ids: Sequence[str]) -> str | None:
    if isinstance(index, bool) or not isinstance(index, int | float) or index != index // 1:
        return None
    if not 0 < index < len(records) or records[int(index)].value.get("type") == "session":
        return None
    return ids[int(index)]
