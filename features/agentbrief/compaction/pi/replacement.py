"""What is left of a transcript when the messages that a compaction summarised go?

The option after a compaction, with a preview and a checkpoint of its own. All other bytes stay; a parent that
went is replaced by the nearest ancestor that stays. Source: openclaw.md 8.11; openclaw/openclaw
src/agents/pi-embedded-runner/session-truncation.ts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from agentbrief.jsonio import JsonValue
from agentbrief.sessions.jsonl.record_text import with_value
from agentbrief.sessions.jsonl.records import read_records
from agentbrief.sessions.model import Slice
from agentbrief.sessions.pi.read import transcript_of
from agentbrief.sessions.pi.tree import PiTranscript
from agentbrief.sessions.tree import TranscriptTree, TreeEntry

NotReplaced = Literal[
    "missing session header",
    "empty session",
    "no compaction entry found",
    "compaction already at root",
    "first kept entry not found",
    "no entries to remove",
    "old version",
    "newer version",
    "entries without identifiers",
    "would lose messages",
]
"""Why the transcript stays as it is. The last four are ours: such a file is not rewritten."""


@dataclass(frozen=True, slots=True)
class Replacement:
    """The new content, None where ``reason`` says why nothing changes. ``removed`` are entries that go."""

    content: bytes | None = field(repr=False)
    removed: tuple[TreeEntry, ...] = ()
    bytes_before: int = 0
    reason: NotReplaced | None = None

    @property
    def bytes_after(self) -> int:
        """The size of the new content."""
        return self.bytes_before if self.content is None else len(self.content)

    def record(self) -> dict[str, JsonValue]:
        """The result in the words of OpenClaw."""
        if self.content is None:
            return {"truncated": False, "entriesRemoved": 0, "reason": self.reason}
        return {
            "truncated": True,
            "entriesRemoved": len(self.removed),
            "bytesBefore": self.bytes_before,
            "bytesAfter": self.bytes_after,
        }


def replacement(data: bytes) -> Replacement:
    """What becomes of the transcript ``data``."""
    file = read_records(data)
    transcript = transcript_of(file)
    if not isinstance(transcript, PiTranscript):
        return Replacement(None, reason="missing session header")
    removed = _removed(transcript)
    if not isinstance(removed, dict):
        return Replacement(None, bytes_before=len(data), reason=removed)
    gone = [
        Slice(record.offset, record.length)
        for record in file.records
        if _text(record.value, "id") in removed and record.value.get("type") != "session"
    ]
    changed = _new_parents(transcript.tree, removed)
    content = _content(data, gone, [(entry.slice, parent) for entry, parent in changed])
    return Replacement(content, tuple(removed.values()), len(data))


def _removed(transcript: PiTranscript) -> dict[str, TreeEntry] | NotReplaced:
    """The entries that go, or why none does."""
    tree = transcript.tree
    path = tree.path
    if not path:
        return "empty session"
    at = next((index for index in range(len(path) - 1, -1, -1) if path[index].type == "compaction"), None)
    if at is None:
        return "no compaction entry found"
    if at == 0:
        return "compaction already at root"
    if (refused := _refused(transcript)) is not None:
        return refused
    wanted = path[at].value.get("firstKeptEntryId")
    kept = next((index for index in range(at + 1) if path[index].id == wanted), None)
    if kept is None:
        return "first kept entry not found"
    first = _behind_branches(tree, path)
    removed = {entry.id: entry for entry in path[first:kept] if entry.type == "message"}
    if not removed:
        return "no entries to remove"
    summarised = {entry.id for entry in path[first:kept]}
    for entry in tree.entries:
        of_removed = entry.type == "label" and _text(entry.value, "targetId") in removed
        from_removed = entry.type == "branch_summary" and entry.parent_id in removed
        if (of_removed and entry.id != wanted) or (from_removed and entry.id in summarised):
            removed[entry.id] = entry
    return _with_same_leaf(tree, path, removed)


def _text(value: Mapping[str, JsonValue], key: str) -> str | None:
    found = value.get(key)
    return found if isinstance(found, str) else None


def _refused(transcript: PiTranscript) -> NotReplaced | None:
    if not transcript.writable:
        return "newer version"
    if transcript.version < 2:
        return "old version"
    if any(fault.code == "no-id" for fault in transcript.damage):
        return "entries without identifiers"
    return None


def _behind_branches(tree: TranscriptTree, path: tuple[TreeEntry, ...]) -> int:
    """The index into ``path`` behind the last entry from which a branch leaves; labels are no branch."""
    places = {entry.id: index for index, entry in enumerate(path)}
    first = 0
    seen: set[str] = set()
    for entry in tree.entries:
        if entry.id in places or entry.type == "label":
            continue
        current = entry.parent_id
        while current is not None and current not in places and current not in seen:
            seen.add(current)
            parent = tree.by_id.get(current)
            current = parent.parent_id if parent is not None else None
        if current is not None and current in places:
            first = max(first, places[current] + 1)
    return first


def _with_same_leaf(
    tree: TranscriptTree, path: tuple[TreeEntry, ...], removed: dict[str, TreeEntry]
) -> dict[str, TreeEntry]:
    """``removed`` without the leaf where its going would make the end of another branch the leaf."""
    on_path = {entry.id for entry in path}
    last = next((entry for entry in reversed(tree.entries) if entry.id not in removed), None)
    if last is None or last.id in on_path:
        return removed
    return {identifier: entry for identifier, entry in removed.items() if identifier != path[-1].id}


def _new_parents(tree: TranscriptTree, removed: dict[str, TreeEntry]) -> list[tuple[TreeEntry, str | None]]:
    """The entries that stay and whose parent goes, each with its new one."""
    found: list[tuple[TreeEntry, str | None]] = []
    nearest: dict[str, str | None] = {}
    for entry in tree.entries:
        if entry.id in removed or entry.parent_id not in removed:
            continue
        found.append((entry, _nearest_kept(entry.parent_id, removed, nearest)))
    return found


def _nearest_kept(
    start: str | None, removed: dict[str, TreeEntry], known: dict[str, str | None]
) -> str | None:
    trail: list[str] = []
    current = start
    while current is not None and current in removed:
        if current in known:
            current = known[current]
            break
        trail.append(current)
        current = removed[current].parent_id
    known.update(dict.fromkeys(trail, current))
    return current


def _content(data: bytes, gone: Iterable[Slice], changed: Iterable[tuple[Slice | None, str | None]]) -> bytes:
    edits = [(*_whole_line(data, place), b"") for place in gone]
    for place, parent in changed:
        if place is None:
            continue
        start, end = place.offset, place.offset + place.length
        written = with_value(data[start:end].decode("utf-8"), "parentId", parent)
        edits.append((start, end, written.encode("utf-8")))
    pieces: list[bytes] = []
    position = 0
    for start, end, new in sorted(edits):
        pieces += (data[position:start], new)
        position = end
    return b"".join([*pieces, data[position:]])


def _whole_line(data: bytes, place: Slice) -> tuple[int, int]:
    """Where the line of a record starts and where the next one does."""
    start = data.rfind(b"\n", 0, place.offset) + 1
    end = data.find(b"\n", place.offset + place.length)
    return start, len(data) if end < 0 else end + 1
