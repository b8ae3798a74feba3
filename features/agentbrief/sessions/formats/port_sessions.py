"""What does a session of the workspace's own say, the file ``.port_sessions/<id>.json``?

The layout is that of claw-code's Python side: an identifier, messages that are texts or objects, and two
counts. Written by claw-code's engine the counts are words, not tokens. Source: claw.md 7.1;
ultraworkers/claw-code src/session_store.py@08106b0c.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from agentbrief import jsonio
from agentbrief.disk.spelling import valid_id
from agentbrief.disk.values import Stamp
from agentbrief.jsonio import JsonValue
from agentbrief.sessions.claw.messages import Fault, message_of, message_value
from agentbrief.sessions.model import Damage, Message, Session, SessionRef, Text, Usage
from agentbrief.sessions.sniff.port_sessions import FORMAT

WRITABLE = True

_KEYS = ("session_id", "messages", "input_tokens", "output_tokens")


@dataclass(frozen=True, slots=True)
class StoredSession:
    """A session of the workspace's own. ``messages`` are texts or JSON values, whatever sequence was given.

    ``extra`` are keys that the layout does not know, in their order; they are written back.
    """

    session_id: str
    messages: tuple[JsonValue, ...] = field(hash=False)
    input_tokens: int
    output_tokens: int
    extra: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue], hash=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "messages", tuple(self.messages))

    def with_message(self, value: JsonValue) -> StoredSession:
        """The session with one message more."""
        return StoredSession(
            self.session_id, (*self.messages, value), self.input_tokens, self.output_tokens, self.extra
        )


@dataclass(frozen=True, slots=True)
class Stored:
    """A file that was read; ``issues`` are what is odd about it, ``detail`` naming the message (from 0)."""

    session: StoredSession
    issues: tuple[Damage, ...] = ()

    @property
    def codes(self) -> frozenset[str]:
        """The words of the issues."""
        return frozenset(issue.code for issue in self.issues)


@dataclass(frozen=True, slots=True)
class NotStored:
    """Why a file is no session of the workspace's own: the word for it, and the part that is wrong."""

    code: str
    detail: str = ""


def stored_text(session: StoredSession) -> str:
    """The text of the file of ``session``: indented by two, ASCII only, no final newline.

    Raises:
        ValueError: ``bad-id`` or ``bad-count``; nothing of that kind is ever written.
    """
    if not valid_id(session.session_id):
        raise ValueError("bad-id")
    if not (_is_count(session.input_tokens) and _is_count(session.output_tokens)):
        raise ValueError("bad-count")
    top: dict[str, JsonValue] = {
        "session_id": session.session_id,
        "messages": list(session.messages),
        "input_tokens": session.input_tokens,
        "output_tokens": session.output_tokens,
    }
    top |= {key: value for key, value in session.extra.items() if key not in top}
    return jsonio.dumps_pretty(top, ascii_only=True)


def load_stored(data: bytes, stem: str) -> Stored | NotStored:
    """The session in ``data``, or why it is none.

    ``stem`` is the name of its file without the suffix, and its identity: another identifier inside is an
    issue.
    """
    try:
        top = jsonio.loads(data)
    except ValueError:
        return NotStored("bad-json")
    if not isinstance(top, dict):
        return NotStored("bad-top-level")
    if missing := next((key for key in _KEYS if key not in top), None):
        return NotStored("missing-field", missing)
    session_id, messages = top["session_id"], top["messages"]
    if not isinstance(session_id, str):
        return NotStored("bad-id")
    if not isinstance(messages, list):
        return NotStored("bad-messages")
    counts = [top[key] for key in _KEYS[2:]]
    if not all(_is_count(count) for count in counts):
        return NotStored("bad-count")
    extra = {key: value for key, value in top.items() if key not in _KEYS}
    issues: list[Damage] = []
    if session_id != stem:
        issues.append(Damage(0, "id-mismatch", detail=session_id))
    issues += [
        Damage(0, "odd-message", detail=str(index))
        for index, value in enumerate(messages)
        if not isinstance(value, str) and typed(value) is None
    ]
    first, second = (count for count in counts if isinstance(count, int))
    return Stored(StoredSession(session_id, tuple(messages), first, second, extra), tuple(issues))


def typed(value: JsonValue) -> Message | None:
    """The message that ``value`` is, as a text what the user typed; None for a value that is no message."""
    if isinstance(value, str):
        return Message("user", (Text(value),))
    try:
        return message_of(value)
    except Fault:
        return None


def value_of(message: Message) -> JsonValue:
    """``message`` as a file holds it: plain words of the user as a text, all others as an object."""
    if message.role == "user" and message.usage is None and not message.extra:
        match message.blocks:
            case (Text(text),):
                return text
            case _:
                pass
    return message_value(message)


def read(data: bytes, path: str, stamp: Stamp | None = None) -> Session:
    """The session in ``data`` as views show it; a file that is none has no messages and one fault."""
    stem = re.split(r"[/\\]", path)[-1].removesuffix(".json")
    found = load_stored(data, stem)
    if isinstance(found, NotStored):
        damage = Damage(0, found.code, detail=found.detail)
        return Session(SessionRef(path, FORMAT, stem, False), {}, (), Usage(), (damage,), stamp, 1)
    session = found.session
    header: dict[str, JsonValue] = {
        "session_id": session.session_id,
        "input_tokens": session.input_tokens,
        "output_tokens": session.output_tokens,
        **session.extra,
    }
    return Session(
        SessionRef(path, FORMAT, stem, True),
        header,
        messages_of(session.messages),
        Usage(session.input_tokens, session.output_tokens),
        found.issues,
        stamp,
        1,
        1,
    )


def messages_of(values: Iterable[JsonValue]) -> tuple[Message, ...]:
    """The messages among ``values``, odd ones left out."""
    return tuple(message for value in values if (message := typed(value)))


def render(message: Message) -> bytes:
    """``message`` as JSON text, as it stands in the list of a file."""
    return jsonio.dumps_pretty(value_of(message), ascii_only=True).encode("ascii")


def _is_count(value: JsonValue) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0
