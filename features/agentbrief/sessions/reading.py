"""What does a session file hold, whatever agent wrote it?

A file is read whole, or told message by message where its length must not cost memory. Which agent wrote it
is told by :mod:`agentbrief.sessions.sniff`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from agentbrief.disk.values import Stamp
from agentbrief.sessions import pi_stream
from agentbrief.sessions.formats import (
    claude_code,
    claude_stream,
    claw_code,
    codex,
    codex_stream,
    openclaw,
    pi,
    port_sessions,
)
from agentbrief.sessions.index import TranscriptIndex
from agentbrief.sessions.model import Message, Session
from agentbrief.sessions.records import read_lines
from agentbrief.sessions.sniff import INDEX_SHAPES

Chunks = Callable[[], Iterable[bytes]]
"""The bytes of a file from its start, in pieces; may be asked more than once."""

READERS: Mapping[str, Callable[[bytes, str, Stamp | None], Session]] = {
    claude_code.FORMAT: claude_code.read,
    codex.FORMAT: codex.read,
    pi.FORMAT: pi.read,
    openclaw.FORMAT: openclaw.read,
    claw_code.FORMAT: claw_code.read,
    port_sessions.FORMAT: port_sessions.read,
}
"""Format → how a file of it is read whole; whatever is wrong with the bytes is part of the session."""

AGENT_OF: Mapping[str, str] = {
    claude_code.FORMAT: "claude-code",
    codex.FORMAT: "codex",
    pi.FORMAT: "pi",
    openclaw.FORMAT: "openclaw",
    claw_code.FORMAT: "claw-code",
    port_sessions.FORMAT: "claw",
}
"""Format → the profile of the agent whose sessions have it."""

OWN_FORMATS = frozenset((claw_code.FORMAT, port_sessions.FORMAT))
"""The formats whose files are read whole in any case: one JSON text, or not long."""


@dataclass(frozen=True, slots=True)
class Told:
    """A session to be told message by message.

    ``messages`` begins anew each time it is called. ``lines`` counts those of the file, ``damaged_lines``
    those that hold no record.
    """

    format: str
    messages: Callable[[], Iterator[Message]]
    lines: int
    damaged_lines: int


def told(form: str, chunks: Chunks, path: str, stamp: Stamp | None = None) -> Told:
    """The messages of the file at ``path``, in file order and whatever the branch.

    The file is looked through once at once, and read once more whenever the messages are asked for.
    """
    if form in OWN_FORMATS:
        session = READERS[form](b"".join(chunks()), path, stamp)
        return Told(form, lambda: iter(session.messages), session.lines, session.lines - session.parsed)
    if form == codex.FORMAT:
        plan = codex_stream.plan_of(chunks(), path)
        bad = len(plan.lines.damage) + (plan.lines.torn_tail is not None)
        return Told(form, lambda: codex_stream.messages_in(read_lines(chunks()), plan), plan.lines.lines, bad)
    index = _index(form, chunks())
    bad = len(index.bad_lines())
    if form == claude_code.FORMAT:
        usage_at = claude_stream.usage_by_line(index)
        return Told(form, lambda: claude_stream.messages_in(read_lines(chunks()), usage_at), len(index), bad)
    overwritten = pi_stream.overwritten_lines(index)
    return Told(form, lambda: pi_stream.messages_in(read_lines(chunks()), overwritten), len(index), bad)


def last_messages(form: str, tail: bytes, path: str) -> tuple[Message, ...]:
    """The messages in the last bytes of a file, which begin anywhere in a line.

    A file that is one JSON text cannot be read from its middle: of it there are none.
    """
    _, _, whole = tail.partition(b"\n")
    if form in OWN_FORMATS or not whole:
        return ()
    return tuple(told(form, lambda: (whole,), path).messages())


def _index(form: str, chunks: Iterable[bytes]) -> TranscriptIndex[object]:
    index: TranscriptIndex[object] = TranscriptIndex(INDEX_SHAPES[form])
    for chunk in chunks:
        index.feed(chunk)
    # A last line without its end is a line all the same.
    index.feed(b"\n")
    return index
