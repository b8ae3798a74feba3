"""How do the entries and events of a session of the workspace reach their files?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from agentbrief.disk.folder import make_folder
from agentbrief.disk.lock import Caller, hold
from agentbrief.disk.read import read_bytes
from agentbrief.disk.refusal import Refused
from agentbrief.disk.seam import FS
from agentbrief.disk.values import ReadProblem
from agentbrief.history.log import HistoryEvent
from agentbrief.sessions.formats.port_sessions import StoredSession, typed
from agentbrief.sessions.transcript_store import TranscriptEntry
from agentbrief.sessions.workspace_list import MAX_SESSION_BYTES
from agentbrief.sessions.workspace_session import FileSink, history_path, transcript_in, transcript_path
from agentbrief.tasks.sessions.own import OwnFile, roots_of


class WorkspaceSink:
    """The end of one file in the session's folder, which is made when the first record comes."""

    def __init__(self, fs: FS, file: OwnFile, path: str, caller: Caller) -> None:
        self._fs = fs
        self._file = file
        self._roots = roots_of(fs, file)
        self._sink = FileSink(lambda: hold(fs, file.store, caller, also=self._roots), path)

    def write(self, records: Sequence[bytes]) -> tuple[int, Refused | None]:
        """See :class:`agentbrief.sessions.transcript_store.Sink`."""
        try:
            make_folder(self._fs, self._file.store, self._roots)
        except Refused as refusal:
            return 0, refusal
        return self._sink.write(records)


def transcript_sink(fs: FS, file: OwnFile, caller: Caller) -> WorkspaceSink:
    """Where the entries of the session are flushed to."""
    return WorkspaceSink(fs, file, transcript_path(file.store, file.session_id), caller)


def flush_events(fs: FS, file: OwnFile, events: Iterable[tuple[int, HistoryEvent]], caller: Caller) -> int:
    """How many of ``events`` (each with its time in ms) reached the session's history file: all.

    Raises:
        Refused: not all of them did.
    """
    records = [event.record(at_ms) for at_ms, event in events]
    if not records:
        return 0
    sink = WorkspaceSink(fs, file, history_path(file.store, file.session_id), caller)
    written, refusal = sink.write(records)
    if refusal is not None:
        raise refusal
    return written


def unflushed(fs: FS, file: OwnFile, session: StoredSession, now_ms: int) -> tuple[TranscriptEntry, ...]:
    """The messages of ``session`` that its transcript file does not hold yet, as entries of now."""
    read = read_bytes(fs, transcript_path(file.store, file.session_id), roots_of(fs, file), MAX_SESSION_BYTES)
    there = 0
    if read is not None and not isinstance(read, ReadProblem):
        there = sum(entry.kind == "message" for entry in transcript_in(read.data)[0])
    messages = [message for value in session.messages if (message := typed(value)) is not None]
    return tuple(TranscriptEntry("message", message.text, now_ms) for message in messages[there:])
