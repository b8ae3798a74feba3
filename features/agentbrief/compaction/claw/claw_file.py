"""What is in a session file of claw-code that is to be compacted, and what are its bytes afterwards?

A plain JSONL file is read at the speed of the JSON library, and of its messages only those that stay are read
strictly; every other file is read strictly as a whole. Both ways give the same.

Source: claw.md 6.8; reliability.md 7 (Compact).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from agentbrief.changes.steps import Stamp
from agentbrief.compaction.claw.boundary import split_pairs
from agentbrief.compaction.claw.continuation import summary_in
from agentbrief.compaction.claw.grammar import PREAMBLE
from agentbrief.compaction.plan import NotPlanned
from agentbrief.sessions.claw.messages import MAX_UINT32
from agentbrief.sessions.formats.claw_quick import QuickLines, QuickMessages, quick_lines
from agentbrief.sessions.formats.claw_reading import load
from agentbrief.sessions.formats.claw_records import Compaction
from agentbrief.sessions.formats.claw_session import ClawSession, Loaded, NotLoaded
from agentbrief.sessions.formats.claw_writing import compacted, redactions
from agentbrief.sessions.model import Message, SessionRef, Slice, Text
from agentbrief.sessions.shapes import Shape, shape_of
from agentbrief.sessions.sniff.claw_code import FORMAT

_NS_PER_MS = 1_000_000


@dataclass(frozen=True, slots=True)
class ClawFile:
    """A session file of claw-code. One that was read quickly has ``lines`` and the ``head``, every other a
    ``session``. The head is the session with at most its first message.
    """

    path: str
    data: bytes = field(repr=False)
    stamp: Stamp | None
    shapes: tuple[Shape, ...] = field(repr=False)
    messages: Sequence[Message] = field(repr=False, hash=False, compare=False)
    lines: QuickLines | None = field(default=None, repr=False, hash=False, compare=False)
    session: ClawSession | None = field(default=None, repr=False, compare=False)
    head: ClawSession | None = field(default=None, repr=False, compare=False)

    @property
    def ref(self) -> SessionRef:
        """Which session it is."""
        session_id = self.session.session_id if self.session else _head(self).session_id
        return SessionRef(self.path, FORMAT, session_id, True)

    def rewritten(self, kept: range, summary: str, message: Message, removed: int, now_ms: int) -> bytes:
        """The file with ``message`` in place of everything before the messages ``kept``.

        ``summary`` is the stored one and stands for ``removed`` messages.
        """
        data, session, first = self.data, self.session, kept.start
        if session is None:
            data, first = _reduced(self, kept)
            session = _strict(data, self.path, self.stamp)
        count = session.compaction.count if session.compaction else 0
        record = Compaction(min(count + 1, MAX_UINT32), removed, summary)
        return compacted(data, session, record, message, first, now_ms)

    def masked(self, message: Message) -> int:
        """How many secrets are masked when ``message`` is written: a file in JSON form masks none."""
        if self.session is not None and self.session.form == "json":
            return 0
        return redactions((message,))

    def faults(self, prefix: int, kept: range, new: bytes) -> tuple[str, ...]:
        """What is wrong with ``new``, the file with a summary in place of what stood before ``kept``."""
        after = claw_file(new, self.path, self.stamp)
        if isinstance(after, NotPlanned):
            return ("does-not-parse",)
        found: list[str] = []
        first = after.messages[0] if after.shapes else None
        if first is None or summary_in(first) is None or not _words(first).startswith(PREAMBLE):
            found.append("no-summary")
        if split_pairs(self.shapes, prefix, kept.start):
            found.append("pair-split")
        if after.shapes[1:] != self.shapes[kept.start :] or not _same_messages(self, after, kept.start):
            found.append("kept-differs")
        head, old = _head(after), _head(self)
        count = old.compaction.count if old.compaction else 0
        if head.compaction is None or head.compaction.count != min(count + 1, MAX_UINT32):
            found.append("no-record")
        if (head.session_id, head.extra, head.prompt_history) != (
            old.session_id,
            old.extra,
            old.prompt_history,
        ):
            found.append("head-differs")
        return tuple(found)


def claw_file(data: bytes, path: str, stamp: Stamp | None) -> ClawFile | NotPlanned:
    """The session file ``data`` at ``path``, or why it cannot be compacted."""
    lines = quick_lines(data)
    if lines is not None:
        messages = QuickMessages(data, lines.starts, lines.ends)
        file = ClawFile(path, data, stamp, lines.shapes, messages, lines)
        read = load(
            _reduced(file, range(len(file.shapes), len(file.shapes)))[0], _name(path), _mtime_ms(stamp)
        )
        if isinstance(read, NotLoaded):
            return NotPlanned("unreadable", path, read.code)
        return replace(file, head=read.session)
    found = load(data, _name(path), _mtime_ms(stamp))
    if isinstance(found, NotLoaded):
        return NotPlanned("unreadable", path, found.code)
    if found.is_torn:
        return NotPlanned("torn-tail", path)
    session = found.session
    return ClawFile(
        path, data, stamp, tuple(map(shape_of, session.messages)), session.messages, None, session
    )


def _head(file: ClawFile) -> ClawSession:
    head = file.session or file.head
    assert head is not None
    return head


def _reduced(file: ClawFile, kept: range) -> tuple[bytes, int]:
    """The lines of ``file`` without the messages before ``kept``, and the index of the first kept one.

    The first message stays in any case: a file without any would not tell its form.
    """
    assert file.lines is not None
    data, lines = file.data, file.lines
    places = [data[other.offset : other.offset + other.length] for other in lines.others]
    if kept.start > 0:
        places.append(data[lines.starts[0] : lines.ends[0]])
    places += [data[lines.starts[index] : lines.ends[index]] for index in kept]
    return b"\n".join((*places, b"")), min(kept.start, 1)


def _strict(data: bytes, path: str, stamp: Stamp | None) -> ClawSession:
    found = load(data, _name(path), _mtime_ms(stamp))
    if not isinstance(found, Loaded):
        raise ValueError(f"read quickly, but not strictly: {found.code}")
    return found.session


def _same_messages(old: ClawFile, new: ClawFile, first: int) -> bool:
    """Whether the messages of ``old`` from ``first`` on are those of ``new`` behind its first, in every byte.

    A file in JSON form is written anew; there it is the values.
    """
    if old.session is not None and old.session.form == "json":
        return tuple(old.messages[first:]) == tuple(new.messages[1:])
    before, after = _places(old)[first:], _places(new)[1:]
    return [_bytes(old.data, place) for place in before] == [_bytes(new.data, place) for place in after]


def _places(file: ClawFile) -> list[Slice | None]:
    if file.lines is not None:
        pairs = zip(file.lines.starts, file.lines.ends, strict=True)
        return [Slice(start, end - start) for start, end in pairs]
    return [message.slice for message in file.messages]


def _bytes(data: bytes, place: Slice | None) -> bytes | None:
    if place is None:
        return None
    return data[place.offset : place.offset + place.length].removesuffix(b"\r")


def _words(message: Message) -> str:
    return next((block.text for block in message.blocks if isinstance(block, Text)), "")


def _name(path: str) -> str:
    return re.split(r"[/\\]", path)[-1]


def _mtime_ms(stamp: Stamp | None) -> int:
    return stamp.mtime_ns // _NS_PER_MS if stamp else 0
