"""Which file is a session, and what does it hold?

A file is taken for what its bytes and its place say. It is read whole up to a bound, and told message by
message whatever its size.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial

from agentbrief.disk.read import Roots
from agentbrief.disk.refusal import Refused
from agentbrief.disk.seam import FS
from agentbrief.disk.stream import Stream, streamed
from agentbrief.disk.values import ReadProblem, Stamp
from agentbrief.profiles.load import profile
from agentbrief.profiles.profile import AgentProfile
from agentbrief.profiles.sessions_data import identifier_in
from agentbrief.sessions import workspace_session
from agentbrief.sessions.formats.claw_store import is_session_name
from agentbrief.sessions.jsonl.lines import BadLine, LongLine, damage_of
from agentbrief.sessions.jsonl.records import read_lines
from agentbrief.sessions.model import Damage, Session
from agentbrief.sessions.readers import AGENT_OF, OWN_FORMATS, reader
from agentbrief.sessions.reading import Told, told
from agentbrief.sessions.sniff import (
    SNIFFED_BYTES,
    claude_code,
    claw_code,
    codex,
    format_of,
    openclaw,
    pi,
    port_sessions,
)
from agentbrief.sessions.store.newer_store import live_database

WHOLE_BYTES = 64 * 1024 * 1024
"""Up to this size a session is held in memory as a whole."""


@dataclass(frozen=True, slots=True)
class SessionFile:
    """A session's file as it was found. ``readable`` are the real folders below which it may be read.

    ``session_id`` is that of its name. ``is_live_foreign``: it belongs to an agent that writes it itself, and
    is only ever read.
    """

    path: str
    format: str
    agent: AgentProfile
    session_id: str
    stamp: Stamp
    readable: Roots
    is_live_foreign: bool

    @property
    def is_whole(self) -> bool:
        """Whether the session is short enough to be held as a whole."""
        return self.stamp.size <= WHOLE_BYTES


@dataclass(frozen=True, slots=True)
class NotASession:
    """Why a path leads to no session: ``missing``, ``unknown-format``, or the word of the disk."""

    path: str
    why: str


def session_file(fs: FS, path: str, readable: Roots) -> SessionFile | NotASession:
    """The session at ``path``, which was found acceptable by its spelling.

    Raises:
        Refused: the disk reports an error.
    """
    with streamed(fs, path, readable) as stream:
        if stream is None:
            return NotASession(path, "missing")
        if isinstance(stream, ReadProblem):
            return NotASession(path, stream.kind)
        head = b"".join(stream.chunks(0, SNIFFED_BYTES))
        form = format_of(head, path) or _format_by_place(path)
        if form is None:
            return NotASession(path, "unknown-format")
        agent = profile(AGENT_OF[form])
        return SessionFile(
            path, form, agent, _identifier(agent, path), stream.stamp, readable, _is_foreign(fs, agent, path)
        )


def whole(fs: FS, file: SessionFile) -> Session:
    """The session as a whole, faults among its parts.

    Raises:
        Refused: it is gone, or the disk reports an error.
        ValueError: it is too long to be held.
    """
    if not file.is_whole:
        raise ValueError("too-large")
    return reader(file.format)(b"".join(chunks_of(fs, file)), file.path, file.stamp)


def told_of(fs: FS, file: SessionFile, *, with_numbers: bool = True) -> Told:
    """The session message by message; ``with_numbers``: see :func:`agentbrief.sessions.reading.told`.

    Raises:
        Refused: it is gone, or the disk reports an error.
        ValueError: its format can only be read whole, and it is too long for that.
    """
    if file.format in OWN_FORMATS and not file.is_whole:
        raise ValueError("too-large")
    chunks = partial(chunks_of, fs, file)
    return told(file.format, chunks, file.path, file.stamp, with_numbers=with_numbers)


def line_damage(fs: FS, file: SessionFile) -> Iterator[Damage]:
    """The faults of single lines, for a file of any size."""
    for line in read_lines(chunks_of(fs, file)):
        if isinstance(line, BadLine):
            yield damage_of(line, "uuid" if file.format == "claude-code" else "id")
        elif isinstance(line, LongLine):
            yield Damage(line.line, "too-long", line.offset, line.length, line.type or "")
        elif "lone-surrogate" in line.notes:
            yield Damage(line.line, "lone-surrogate", line.offset, line.length)


def chunks_of(fs: FS, file: SessionFile) -> Iterable[bytes]:
    """The bytes of the file up to where it ended when it was found, in pieces.

    Raises:
        Refused: it is gone, or the disk reports an error.
    """
    with streamed(fs, file.path, file.readable) as stream:
        if not isinstance(stream, Stream):
            raise Refused("vanished", file.path)
        yield from stream.chunks(0, file.stamp.size)


def _format_by_place(path: str) -> str | None:
    """The format of a file whose first bytes say nothing, such as one that a power failure left zeros in."""
    folders, name = os.path.split(path)
    parts = folders.split(os.sep)
    if workspace_session.FOLDER in parts and name.endswith(".json"):
        return port_sessions.FORMAT
    if ".claw" in parts and is_session_name(name):
        return claw_code.FORMAT
    if openclaw.claims(path) and name.endswith(".jsonl"):
        return openclaw.FORMAT
    for agent in (profile(AGENT_OF[form]) for form in (claude_code.FORMAT, codex.FORMAT, pi.FORMAT)):
        data = agent.sessions
        if data is not None and data.glob.split("/")[0] in parts and identifier_in(data, name):
            return data.adapter
    return None


def _identifier(agent: AgentProfile, path: str) -> str:
    name = os.path.basename(path)
    found = identifier_in(agent.sessions, name) if agent.sessions else None
    return found or os.path.splitext(name)[0]


def _is_foreign(fs: FS, agent: AgentProfile, path: str) -> bool:
    data = agent.sessions
    if data is None or data.access == "write":
        return agent.id == "openclaw" and live_database(fs, os.path.dirname(path)) is not None
    return True
