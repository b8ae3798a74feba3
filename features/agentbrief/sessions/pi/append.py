"""Which text is appended to a transcript, and how does its tree go on?

Pure: the text is written by the rooms that write. Source: openclaw.md 4.4, 4.9; badlogic/pi-mono
packages/coding-agent/src/core/session-manager.ts at 0.55.3.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass, field, replace

from agentbrief import jsonio
from agentbrief.jsonio import JsonValue
from agentbrief.sessions.pi.leaf_path import TranscriptAtLeaf
from agentbrief.sessions.pi.tree import PiTranscript
from agentbrief.sessions.pi.versions import VERSION
from agentbrief.sessions.times import iso_of
from agentbrief.sessions.tree import TreeEntry

NewUuid = Callable[[], str]
"""Gives a random UUID each time it is asked."""

_TRIES = 100


@dataclass(frozen=True, slots=True)
class Appended:
    """An entry that goes to the end of the file. ``text`` is what is written: a line end first where the file

    has none, then the record and its line end.
    """

    transcript: PiTranscript
    entry: TreeEntry
    text: bytes = field(repr=False)


def fresh_id(taken: Container[str], new_uuid: NewUuid) -> str:
    """Eight hexadecimal digits that are not ``taken``; a whole UUID where a hundred tries found none."""
    for _ in range(_TRIES):
        found = new_uuid()[:8]
        if found not in taken:
            return found
    return new_uuid()


def header_text(session_id: str, cwd: str | None, time_ms: int, parent_session: str | None = None) -> bytes:
    """The first line of a new transcript, with its line end."""
    header: dict[str, JsonValue] = {
        "type": "session",
        "version": VERSION,
        "id": session_id,
        "timestamp": iso_of(time_ms),
    }
    if cwd is not None:
        header["cwd"] = cwd
    if parent_session is not None:
        header["parentSession"] = parent_session
    return jsonio.dumps(header) + b"\n"


def entry_text(
    entry_type: str,
    entry_id: str,
    parent_id: str | None,
    timestamp: JsonValue,
    fields: Mapping[str, JsonValue],
) -> bytes:
    """The line of an entry with its line end."""
    head: dict[str, JsonValue] = {
        "type": entry_type,
        "id": entry_id,
        "parentId": parent_id,
        "timestamp": timestamp,
    }
    return jsonio.dumps({**head, **fields}) + b"\n"


def append_entry(
    transcript: PiTranscript,
    entry_type: str,
    fields: Mapping[str, JsonValue],
    *,
    time_ms: int,
    new_uuid: NewUuid,
) -> Appended:
    """``transcript`` with one more entry behind its leaf, which becomes the leaf.

    Raises:
        ValueError: a newer version wrote the file, or a branch is asked of a file of version 1, which has
            none.
    """
    tree = transcript.tree
    if transcript.version < 2 and tree.entries and tree.leaf_id != tree.entries[-1].id:
        raise ValueError("a file of version 1 has no branches")
    entry, text = entry_behind(transcript, entry_type, fields, time_ms=time_ms, new_uuid=new_uuid)
    after = replace(
        transcript,
        tree=tree.with_entry(entry),
        lines=transcript.lines + 1,
        parsed=transcript.parsed + 1,
        ends_with_newline=True,
    )
    return Appended(after, entry, text)


def entry_behind(
    transcript: TranscriptAtLeaf,
    entry_type: str,
    fields: Mapping[str, JsonValue],
    *,
    time_ms: int,
    new_uuid: NewUuid,
) -> tuple[TreeEntry, bytes]:
    """The entry that follows the leaf of ``transcript``, and what is written at the end of the file for it.

    Raises:
        ValueError: a newer version wrote the file.
    """
    tree = transcript.tree
    if not transcript.writable:
        raise ValueError("a newer version wrote this file")
    entry_id = fresh_id(tree.by_id, new_uuid)
    timestamp = iso_of(time_ms)
    text = entry_text(entry_type, entry_id, tree.leaf_id, timestamp, fields)
    value: dict[str, JsonValue] = {
        "type": entry_type,
        "id": entry_id,
        "parentId": tree.leaf_id,
        "timestamp": timestamp,
        **fields,
    }
    entry = TreeEntry(entry_id, tree.leaf_id, entry_type, 0, time_ms, None, value)
    return entry, text if transcript.ends_with_newline else b"\n" + text


def append_message(
    transcript: PiTranscript, message: Mapping[str, JsonValue], *, time_ms: int, new_uuid: NewUuid
) -> Appended:
    """``transcript`` with one more message. Raises: as :func:`append_entry`."""
    return append_entry(transcript, "message", {"message": dict(message)}, time_ms=time_ms, new_uuid=new_uuid)


def append_label(
    transcript: PiTranscript, target_id: str, label: str | None, *, time_ms: int, new_uuid: NewUuid
) -> Appended:
    """``transcript`` with a label on ``target_id``, or without one where ``label`` is empty or None.

    Raises:
        ValueError: there is no such entry; or as :func:`append_entry`.
    """
    if target_id not in transcript.tree.by_id:
        raise ValueError(f"Entry {target_id} not found")
    fields: dict[str, JsonValue] = {"targetId": target_id}
    if label is not None:
        fields["label"] = label
    return append_entry(transcript, "label", fields, time_ms=time_ms, new_uuid=new_uuid)


def append_branch_summary(
    transcript: PiTranscript,
    branch_from: str | None,
    summary: str,
    *,
    details: JsonValue = None,
    from_hook: bool | None = None,
    time_ms: int,
    new_uuid: NewUuid,
) -> Appended:
    """``transcript`` gone back to ``branch_from`` (None: before the first entry), with a summary of what was
    left.

    Raises:
        ValueError: there is no such entry; or as :func:`append_entry`.
    """
    fields: dict[str, JsonValue] = {
        "fromId": branch_from if branch_from is not None else "root",
        "summary": summary,
    }
    if details is not None:
        fields["details"] = details
    if from_hook is not None:
        fields["fromHook"] = from_hook
    return append_entry(
        at_leaf(transcript, branch_from), "branch_summary", fields, time_ms=time_ms, new_uuid=new_uuid
    )


def at_leaf(transcript: PiTranscript, leaf_id: str | None) -> PiTranscript:
    """``transcript`` with the next entry to follow ``leaf_id``, or to be a root for None. Nothing is written.

    Raises:
        ValueError: there is no such entry.
    """
    return replace(transcript, tree=transcript.tree.with_leaf(leaf_id))
