"""Where does the workspace keep its own sessions, and how do lines get into their files?

``.port_sessions`` in the workspace folder, never in a program's working folder. A session is three files: the
session itself, its transcript and its history. Here lines are only ever added; the session file is replaced
by the room ``changes``, with the text of :mod:`agentbrief.sessions.formats.port_sessions`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager

from agentbrief.disk.append import append
from agentbrief.disk.lock import Held
from agentbrief.disk.refusal import Refused
from agentbrief.disk.spelling import valid_id
from agentbrief.jsonio import JsonValue
from agentbrief.sessions.jsonl.lines import BadLine, Record, damage_of
from agentbrief.sessions.jsonl.records import read_records
from agentbrief.sessions.model import Damage
from agentbrief.sessions.transcript_store import KINDS, TranscriptEntry

FOLDER = ".port_sessions"

_SESSION = ".json"
_TRANSCRIPT = ".transcript.jsonl"
_HISTORY = ".history.jsonl"


def store_folder(workspace: str) -> str:
    """The folder of the sessions of ``workspace``."""
    return os.path.join(workspace, FOLDER)


def session_path(store: str, session_id: str) -> str:
    """The file of a session in the folder ``store``.

    Raises:
        ValueError: ``bad-id``.
    """
    return _path(store, session_id, _SESSION)


def transcript_path(store: str, session_id: str) -> str:
    """The file that a flush of the session's entries goes to; raises ValueError ``bad-id``."""
    return _path(store, session_id, _TRANSCRIPT)


def history_path(store: str, session_id: str) -> str:
    """The file of the session's history log; raises ValueError ``bad-id``."""
    return _path(store, session_id, _HISTORY)


def ids_among(names: Iterable[str]) -> tuple[str, ...]:
    """The identifiers of the sessions in a folder with files of these ``names``, in alphabetical order."""
    stems = (name.removesuffix(_SESSION) for name in names if name.endswith(_SESSION))
    return tuple(sorted(stem for stem in stems if valid_id(stem)))


class FileSink:
    """Lines at the end of one file. ``hold`` takes the store's lock; the folder is there already."""

    def __init__(self, hold: Callable[[], AbstractContextManager[Held]], path: str) -> None:
        self._hold = hold
        self._path = path

    def write(self, records: Sequence[bytes]) -> tuple[int, Refused | None]:
        """See :class:`agentbrief.sessions.transcript_store.Sink`. The last record waits for the disk."""
        written = 0
        try:
            with self._hold() as held:
                for record in records:
                    append(held, self._path, record, durable=written + 1 == len(records))
                    written += 1
        except Refused as refusal:
            return written, refusal
        return written, None


def transcript_in(data: bytes) -> tuple[tuple[TranscriptEntry, ...], tuple[Damage, ...]]:
    """The entries of a transcript file, and its lines that are none."""
    entries: list[TranscriptEntry] = []
    damage: list[Damage] = []
    for line in read_records(data).lines:
        if isinstance(line, BadLine):
            damage.append(damage_of(line))
            continue
        entry = _entry(line.value) if isinstance(line, Record) else None
        if entry is None:
            damage.append(Damage(line.line, "bad-record", line.offset, line.length))
        else:
            entries.append(entry)
    return tuple(entries), tuple(damage)


def _entry(value: dict[str, JsonValue]) -> TranscriptEntry | None:
    kind, text, at_ms = value.get("kind"), value.get("text"), value.get("at_ms")
    if not (isinstance(kind, str) and isinstance(text, str) and isinstance(at_ms, int)) or kind not in KINDS:
        return None
    return TranscriptEntry(KINDS[kind], text, at_ms, value.get("data"))


def _path(store: str, session_id: str, suffix: str) -> str:
    if not valid_id(session_id):
        raise ValueError("bad-id")
    return os.path.join(store, session_id + suffix)
