"""What are the bytes of a session file of claw-code, new, longer by a message, or compacted?

Pure functions from bytes and values to bytes; the room ``changes`` or ``disk`` puts them into the file. Lines
that did not change are copied, never written anew. Source: claw.md 5.4, 5.5, 6.8.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from agentbrief.jsonio import JsonValue
from agentbrief.sessions.claw.messages import message_value, texts_of
from agentbrief.sessions.claw.redaction import (
    AS_IT_IS,
    MASKED,
    Loss,
    Spelling,
    claw_code_spelling,
    losses,
    redacted,
)
from agentbrief.sessions.claw.text import json_text
from agentbrief.sessions.formats.claw_records import Compaction, PromptEntry
from agentbrief.sessions.formats.claw_session import VERSION, ClawSession, Loaded
from agentbrief.sessions.model import Message, Slice


@dataclass(frozen=True, slots=True)
class Append:
    """The file gets one line more: ``record``, without a line end."""

    record: bytes


@dataclass(frozen=True, slots=True)
class Rewrite:
    """The file gets new content as a whole."""

    data: bytes


def snapshot(session: ClawSession, spelling: Spelling = MASKED) -> str:
    """The JSONL form of ``session``, a line end behind every line."""
    return "".join(f"{json_text(record)}\n" for record in _records(session, spelling))


def snapshot_of_claw_code(session: ClawSession, max_chars: int) -> str:
    """What claw-code itself would write: fields of at most ``max_chars`` code points, unknown keys gone."""
    return snapshot(session, claw_code_spelling(max_chars))


def json_form(session: ClawSession) -> str:
    """The JSON form of ``session``: one line without an end, only the fields that the session has."""
    top: dict[str, JsonValue] = dict(session.extra)
    top["version"] = VERSION
    top["messages"] = [
        message_value(message, AS_IT_IS, raw)
        for message, raw in zip(session.messages, _raw(session), strict=True)
    ]
    fields: dict[str, JsonValue] = {
        "session_id": session.session_id,
        "created_at_ms": session.created_at_ms,
        "updated_at_ms": session.updated_at_ms,
    }
    top |= {key: value for key, value in fields.items() if key not in session.derived}
    top |= _optional(session, AS_IT_IS)
    if session.compaction:
        top["compaction"] = session.compaction.value()
    if session.prompt_history:
        top["prompt_history"] = [entry.value() for entry in session.prompt_history]
    return json_text(top)


def message_record(message: Message, spelling: Spelling = MASKED, raw: JsonValue = None) -> bytes:
    """The line of ``message`` in the JSONL form, without a line end."""
    record: dict[str, JsonValue] = {"type": "message", "message": message_value(message, spelling, raw)}
    return json_text(record).encode("utf-8")


def prompt_record(entry: PromptEntry) -> bytes:
    """The line of a typed prompt in the JSONL form, without a line end."""
    return json_text(entry.value(MASKED)).encode("utf-8")


def pushed(data: bytes, loaded: Loaded, message: Message, now_ms: int) -> Append | Rewrite:
    """What the file that holds ``data`` needs, to hold one message more at ``now_ms``.

    A file that is new or empty gets the whole session; a JSONL file one line, its meta line staying as it is;
    a file in JSON form is written anew in that form, because a line glued to it would lose it.

    Raises:
        ValueError: the last line of the file is torn; it is repaired first.
    """
    if loaded.is_torn:
        raise ValueError("torn-tail")
    session = loaded.session.with_message(message, now_ms)
    is_new = not data.strip()
    if is_new:
        session = replace(session, derived=frozenset())
    if session.form == "json":
        return Rewrite(json_form(session).encode("utf-8"))
    if is_new:
        return Rewrite(snapshot(session).encode("utf-8"))
    return Append(message_record(message))


def appended(data: bytes, change: Append | Rewrite) -> bytes:
    """``data`` after ``change``. A last line without an end is ended first: nothing is glued to it."""
    if isinstance(change, Rewrite):
        return change.data
    return _ended(data) + change.record + b"\n"


def compacted(
    data: bytes, session: ClawSession, record: Compaction, summary: Message, first_kept: int, now_ms: int
) -> bytes:
    """The file of a session whose messages before ``first_kept`` (index) became ``summary``.

    ``record`` is the compaction that the file will name, ``now_ms`` its time. A file keeps its form; in the
    JSONL form the lines of prompts and of kept messages are copied byte for byte.
    """
    changed = replace(
        session,
        version=VERSION,
        updated_at_ms=now_ms,
        compaction=record,
        messages=(summary, *session.messages[first_kept:]),
        raw=(None, *_raw(session)[first_kept:]),
    )
    if session.form == "json":
        return json_form(changed).encode("utf-8")
    head = replace(changed, messages=(), raw=(), prompt_history=())
    pieces = [snapshot(head).encode("utf-8")]
    pieces += [_line(data, place) for place in session.prompt_slices]
    pieces += [message_record(summary), b"\n"]
    for message, raw in zip(session.messages[first_kept:], _raw(session)[first_kept:], strict=True):
        if message.slice is None:
            pieces += [message_record(message, MASKED, raw), b"\n"]
        else:
            pieces.append(_line(data, message.slice))
    return b"".join(pieces)


def redactions(messages: tuple[Message, ...]) -> int:
    """How many secrets are masked when lines for ``messages`` are written."""
    return sum(redacted(text).secrets for message in messages for text in texts_of(message))


def claw_code_losses(message: Message, max_chars: int) -> tuple[Loss, ...]:
    """What claw-code's writer would cut off ``message``, and which secrets it would let through.

    ``max_chars`` is the longest field in code points (profile data).
    """
    return tuple(loss for text in texts_of(message) for loss in losses(text, max_chars))


def _records(session: ClawSession, spelling: Spelling) -> list[JsonValue]:
    meta: dict[str, JsonValue] = dict(session.extra) if spelling.keeps_unknown else {}
    meta |= {
        "type": "session_meta",
        "version": VERSION if spelling.keeps_unknown else session.version,
        "session_id": session.session_id,
        "created_at_ms": session.created_at_ms,
        "updated_at_ms": session.updated_at_ms,
    }
    records: list[JsonValue] = [meta | _optional(session, spelling)]
    if session.compaction:
        records.append({**session.compaction.value(spelling), "type": "compaction"})
    records += [entry.value(spelling) for entry in session.prompt_history]
    for message, raw in zip(session.messages, _raw(session), strict=True):
        records.append({"type": "message", "message": message_value(message, spelling, raw)})
    return records


def _optional(session: ClawSession, spelling: Spelling) -> dict[str, JsonValue]:
    found: dict[str, JsonValue] = {}
    if session.fork:
        found["fork"] = session.fork.value(spelling)
    if session.workspace_root is not None:
        found["workspace_root"] = session.workspace_root
    if session.model is not None:
        found["model"] = session.model
    return found


def _raw(session: ClawSession) -> tuple[JsonValue, ...]:
    return (*session.raw, *[None] * (len(session.messages) - len(session.raw)))


def _ended(data: bytes) -> bytes:
    return data if not data or data.endswith(b"\n") else data + b"\n"


def _line(data: bytes, place: Slice) -> bytes:
    """The whole line at ``place`` with its end, one LF if it has none."""
    end = data.find(b"\n", place.offset + place.length)
    return _ended(data[place.offset : len(data) if end < 0 else end + 1])
