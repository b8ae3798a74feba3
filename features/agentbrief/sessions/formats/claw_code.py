"""Is this a session file of claw-code, and what of it can be shown, whatever state it is in?

A file that :func:`load` takes is shown as it is. One that it refuses is read as far as it goes: what was left
out is listed by line, and the session is read-only.
"""

from __future__ import annotations

import re

from agentbrief.disk.values import Stamp
from agentbrief.jsonio import JsonValue
from agentbrief.sessions.claw.json import parse
from agentbrief.sessions.claw.messages import LENIENT, Fault, message_of
from agentbrief.sessions.formats.claw_reading import load
from agentbrief.sessions.formats.claw_session import ClawSession, Loaded
from agentbrief.sessions.formats.claw_writing import message_record
from agentbrief.sessions.jsonl.lines import BadLine, Line, LongLine, damage_of
from agentbrief.sessions.jsonl.records import read_records
from agentbrief.sessions.model import Damage, Message, Session, SessionRef, Slice, Usage
from agentbrief.sessions.sniff.claw_code import FORMAT

WRITABLE = True

_TYPES = frozenset({"session_meta", "message", "compaction", "prompt_history"})


def read(data: bytes, path: str, stamp: Stamp | None = None) -> Session:
    """The session at ``path`` as views show it; whatever is wrong with ``data`` is part of it.

    The time of ``stamp`` stands in for one that the file does not tell.
    """
    mtime_ms = stamp.mtime_ns // 1_000_000 if stamp else 0
    name = re.split(r"[/\\]", path)[-1]
    found = load(data, name, mtime_ms)
    if isinstance(found, Loaded):
        return _shown(found, data, path, stamp)
    faults = _Faults()
    whole = _whole(data)
    if isinstance(whole, dict) and isinstance(values := whole.get("messages"), list):
        messages = tuple(
            message
            for index, value in enumerate(values)
            if (message := faults.message(value, 0, Slice(0, 0), f"messages[{index}]"))
        )
        header: dict[str, JsonValue] = {key: value for key, value in whole.items() if key != "messages"}
        parsed = lines = 1
    else:
        messages, header, lines, parsed = _from_lines(data, faults)
    if not faults.has(found.code):
        faults.add(Damage(found.line, found.code, detail=found.detail))
    session_id = header.get("session_id")
    ref = SessionRef(
        path, FORMAT, session_id if isinstance(session_id, str) else name.rpartition(".")[0], False
    )
    return Session(
        ref, header, messages, _usage(messages), faults.in_order(), stamp, lines, parsed, faults.is_torn
    )


def render(message: Message) -> bytes:
    """The line of ``message``, secrets masked, without a line end."""
    return message_record(message)


class _Faults:
    """What was left out, by line; one fault a line."""

    def __init__(self) -> None:
        self._found: dict[int, Damage] = {}
        self._others: list[Damage] = []
        self.is_torn = False

    def has(self, code: str) -> bool:
        return any(damage.code == code for damage in (*self._others, *self._found.values()))

    def add(self, damage: Damage) -> None:
        if damage.line == 0:
            self._others.append(damage)
        elif damage.line not in self._found:
            self._found[damage.line] = damage

    def message(self, value: JsonValue, line: int, place: Slice, detail: str = "") -> Message | None:
        try:
            return message_of(value, LENIENT, slice=place if line else None, line=line)
        except Fault as fault:
            self.add(Damage(line, fault.code, place.offset, place.length, detail or fault.detail))
            return None

    def clear(self) -> None:
        self._found.clear()

    def in_order(self) -> tuple[Damage, ...]:
        return (*self._others, *(self._found[line] for line in sorted(self._found)))


def _whole(data: bytes) -> JsonValue:
    try:
        return parse(data.decode("utf-8")).value
    except ValueError:
        return None


def _from_lines(data: bytes, faults: _Faults) -> tuple[tuple[Message, ...], dict[str, JsonValue], int, int]:
    """The messages and the last header of a JSONL file, how many lines it has, and how many were read."""
    messages: list[Message] = []
    header: dict[str, JsonValue] = {}
    known = parsed = 0
    file = read_records(data)
    for line in file.lines:
        value = _value(data, line)
        place = Slice(line.offset, line.length)
        if value is None:
            faults.add(_damage(line))
            faults.is_torn = faults.is_torn or (isinstance(line, BadLine) and line.is_tail)
            continue
        parsed += 1
        kind = value.get("type")
        if not isinstance(kind, str) or kind not in _TYPES:
            faults.add(Damage(line.line, "unknown-record", place.offset, place.length, str(kind)))
            continue
        known += 1
        if kind == "session_meta":
            header = value
        elif kind == "message" and (message := faults.message(value.get("message"), line.line, place)):
            messages.append(message)
    if file.lines and not known and isinstance(file.lines[0], BadLine):
        faults.clear()
        faults.add(Damage(1, "not-json", 0, len(data)))
    return tuple(messages), header, len(file.lines), parsed


def _value(data: bytes, line: Line) -> dict[str, JsonValue] | None:
    if isinstance(line, LongLine):
        return None
    if isinstance(line, BadLine):
        found = _whole(data[line.offset : line.offset + line.length])
        return found if isinstance(found, dict) else None
    return line.value


def _damage(line: Line) -> Damage:
    if isinstance(line, BadLine):
        return damage_of(line)
    return Damage(line.line, "too-large", line.offset, line.length)


def _shown(found: Loaded, data: bytes, path: str, stamp: Stamp | None) -> Session:
    session = found.session
    lines = parsed = 1
    if session.form == "jsonl":
        lines = sum(1 for line in data.split(b"\n") if line.strip())
        parsed = lines - found.is_torn
    return Session(
        SessionRef(path, FORMAT, session.session_id, not found.is_torn),
        _header(session),
        session.messages,
        _usage(session.messages),
        found.issues,
        stamp,
        lines,
        parsed,
        found.is_torn,
    )


def _header(session: ClawSession) -> dict[str, JsonValue]:
    found: dict[str, JsonValue] = dict(session.extra)
    found |= {
        "version": session.version,
        "session_id": session.session_id,
        "created_at_ms": session.created_at_ms,
        "updated_at_ms": session.updated_at_ms,
    }
    if session.model is not None:
        found["model"] = session.model
    if session.workspace_root is not None:
        found["workspace_root"] = session.workspace_root
    if session.fork:
        found["fork"] = session.fork.value()
    if session.compaction:
        found["compaction"] = session.compaction.value()
    return found


def _usage(messages: tuple[Message, ...]) -> Usage:
    used = [message.usage for message in messages if message.usage]
    return Usage(
        sum(one.input for one in used),
        sum(one.output for one in used),
        sum(one.cache_creation_input for one in used),
        sum(one.cache_read_input for one in used),
    )
