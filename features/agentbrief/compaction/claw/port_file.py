"""What is in a session of the workspace's own that is to be compacted, and what are its bytes afterwards?

The file is one JSON object; the summary takes the place of the first elements of its list, and every other
byte stays. Source: claw.md 6.8, 7.1.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from agentbrief.changes.steps import Stamp
from agentbrief.changes.store_text import entries_of
from agentbrief.compaction.claw.array_slices import element_slices
from agentbrief.compaction.claw.boundary import split_pairs
from agentbrief.compaction.claw.continuation import summary_in
from agentbrief.compaction.plan import NotPlanned
from agentbrief.jsonio import JsonValue
from agentbrief.sessions.formats.port_sessions import (
    NotStored,
    StoredSession,
    load_stored,
    render,
    typed,
)
from agentbrief.sessions.model import Message, Opaque, SessionRef
from agentbrief.sessions.shapes import Shape, shape_of
from agentbrief.sessions.sniff.port_sessions import FORMAT

_INDENT = b"    "


@dataclass(frozen=True, slots=True)
class PortFile:
    """A session of the workspace's own; a value in its list that is no message stands for itself."""

    path: str
    data: bytes = field(repr=False)
    stamp: Stamp | None
    shapes: tuple[Shape, ...] = field(repr=False)
    messages: Sequence[Message] = field(repr=False, hash=False, compare=False)
    session: StoredSession = field(repr=False)

    @property
    def ref(self) -> SessionRef:
        """Which session it is."""
        return SessionRef(self.path, FORMAT, _stem(self.path), True)

    def rewritten(self, kept: range, summary: str, message: Message, removed: int, now_ms: int) -> bytes:
        """The file with ``message`` in place of everything before the messages ``kept``."""
        data = self.data
        start, end = _list_of(data)
        elements = element_slices(data, start, end)
        first, after_first = elements[0]
        separator = data[after_first : elements[1][0]] if len(elements) > 1 else b","
        before = data[:first].rpartition(b"\n")[2]
        element = render(message).replace(b"\n", b"\n" + (b"" if before.strip() else before))
        if not kept:
            return data[:first] + element + data[elements[len(elements) - 1][1] :]
        return data[:first] + element + separator + data[elements[kept.start][0] :]

    def masked(self, message: Message) -> int:
        """How many secrets are masked when ``message`` is written: this format masks none."""
        return 0

    def faults(self, prefix: int, kept: range, new: bytes) -> tuple[str, ...]:
        """What is wrong with ``new``, the file with a summary in place of what stood before ``kept``."""
        after = port_file(new, self.path, self.stamp)
        if isinstance(after, NotPlanned):
            return ("does-not-parse",)
        found: list[str] = []
        if not after.messages or summary_in(after.messages[0]) is None:
            found.append("no-summary")
        if split_pairs(self.shapes, prefix, kept.start):
            found.append("pair-split")
        if _elements(self)[kept.start :] != _elements(after)[1:]:
            found.append("kept-differs")
        if _without_messages(self) != _without_messages(after):
            found.append("head-differs")
        return tuple(found)


def port_file(data: bytes, path: str, stamp: Stamp | None) -> PortFile | NotPlanned:
    """The session ``data`` at ``path``, or why it cannot be compacted."""
    found = load_stored(data, _stem(path))
    if isinstance(found, NotStored):
        return NotPlanned("unreadable", path, found.code)
    messages = tuple(map(_message, found.session.messages))
    return PortFile(path, data, stamp, tuple(map(shape_of, messages)), messages, found.session)


def _message(value: JsonValue) -> Message:
    found = typed(value)
    return Message("system", (Opaque("odd-message", value),)) if found is None else found


def _list_of(data: bytes) -> tuple[int, int]:
    """Where the list of messages stands; of two lists of that name the last counts."""
    places = [(entry.value, entry.end) for entry in entries_of(data) if entry.key == "messages"]
    return places[-1]


def _elements(file: PortFile) -> list[bytes]:
    start, end = _list_of(file.data)
    return [file.data[first:last] for first, last in element_slices(file.data, start, end)]


def _without_messages(file: PortFile) -> tuple[bytes, bytes]:
    start, end = _list_of(file.data)
    return file.data[:start], file.data[end:]


def _stem(path: str) -> str:
    return re.split(r"[/\\]", path)[-1].removesuffix(".json")
