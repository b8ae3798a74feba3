"""Which sessions of the workspace's own are held in memory, and what happened in the workspace?

Nothing reaches the disk before the user runs a command that writes.
"""

from __future__ import annotations

import os
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from agentbrief.disk.lock import Caller
from agentbrief.disk.seam import FS
from agentbrief.disk.values import Stamp
from agentbrief.history.log import HistoryEvent, HistoryLog
from agentbrief.sessions.formats.claw_session import clock_ms, new_session_id
from agentbrief.sessions.formats.port_sessions import StoredSession
from agentbrief.sessions.model import Message
from agentbrief.sessions.transcript_store import TranscriptStore
from agentbrief.tasks.sessions.flush import flush_events, transcript_sink
from agentbrief.tasks.sessions.own import (
    NotOwn,
    OwnFile,
    loaded,
    port_file,
    read_file,
    steps_to_save,
    with_message,
)
from agentbrief.tasks.sessions.write import site_for, write

MOST_EVENTS = 1000
"""So many events are held until they are flushed; of more, the oldest are forgotten."""

Now = Callable[[], int]


@dataclass
class OpenSession:
    """A session in memory. ``stamp`` is the version of its file that it was read from or saved as."""

    file: OwnFile
    session: StoredSession
    stamp: Stamp | None
    transcript: TranscriptStore
    is_changed: bool


class OwnSessions:
    """The sessions of one workspace folder. Every call may come from another worker."""

    def __init__(self, folder: str, now: Now | None = None) -> None:
        self._folder = folder
        self._now = now or (lambda: time.time_ns() // 1_000_000)
        self._open: dict[str, OpenSession] = {}
        self._events: deque[tuple[int, HistoryEvent]] = deque(maxlen=MOST_EVENTS)
        self._last_ms = 0
        self._lock = threading.Lock()
        self.current: str | None = None

    # What happened

    def happened(self, title: str, detail: str) -> None:
        """Note an event."""
        with self._lock:
            self._events.append((self._now(), HistoryEvent(title, detail)))

    @property
    def events(self) -> tuple[tuple[int, HistoryEvent], ...]:
        """The events that are on no disk yet, with their times in ms."""
        with self._lock:
            return tuple(self._events)

    def events_for(self, path: str) -> tuple[tuple[int, HistoryEvent], ...]:
        """The events that belong to the history of the session at ``path``: those of the workspace's own."""
        with self._lock:
            is_own = any(each.file.path == path for each in self._open.values())
            return tuple(self._events) if is_own else ()

    @property
    def log(self) -> HistoryLog:
        """The same as a log."""
        return HistoryLog(tuple(event for _, event in self.events))

    # Sessions

    def begin(self, fs: FS, session_id: str | None) -> OpenSession | NotOwn:
        """A new, empty session.

        Raises:
            ValueError: ``bad-id``.
        """
        with self._lock:
            if session_id is None:
                self._last_ms = clock_ms(self._now(), self._last_ms)
                session_id = new_session_id(self._last_ms, len(self._open))
            file = port_file(self._folder, session_id)
            if session_id in self._open or read_file(fs, file) is not None:
                return NotOwn("exists", file.path)
            return self._keep(fs, file, StoredSession(session_id, (), 0, 0), None, is_changed=True)

    def append(self, fs: FS, session_id: str, message: Message) -> OpenSession | NotOwn:
        """The session with one message more.

        Raises:
            ValueError: ``bad-id``.
        """
        with self._lock:
            found = self._opened(fs, session_id)
            if not isinstance(found, NotOwn):
                found.session = with_message(found.session, message)
                found.transcript.append(message.text)
                found.is_changed = True
                self.current = session_id
            return found

    def save(self, fs: FS, session_id: str) -> OpenSession | NotOwn:
        """The session, now on disk as it is in memory.

        Raises:
            ValueError: ``bad-id``.
            Refused: nothing was changed; its file may have been changed by another program.
        """
        with self._lock:
            found = self._opened(fs, session_id)
            if isinstance(found, NotOwn):
                return found
            steps = steps_to_save(fs, found.file, found.session, found.stamp, self._now())
            write(site_for(fs, found.file, _caller()), steps)
            read = loaded(fs, found.file)
            if not isinstance(read, NotOwn):
                found.stamp = read[1]
                found.is_changed = False
            return found

    def flush(self, fs: FS, session_id: str) -> tuple[int, int] | NotOwn:
        """How many entries and events were added to the session's transcript and history files.

        Raises:
            ValueError: ``bad-id``.
            Refused: not all of them; what is not on disk is still held.
        """
        with self._lock:
            found = self._opened(fs, session_id)
            if isinstance(found, NotOwn):
                return found
            entries = len(found.transcript.entries)
            found.transcript.flush()
            events = flush_events(fs, found.file, tuple(self._events), _caller())
            self._events.clear()
            return entries, events

    def forget(self, session_id: str) -> None:
        """Hold the session no more: its file went to the trash."""
        with self._lock:
            self._open.pop(session_id, None)
            if self.current == session_id:
                self.current = None

    def unsaved(self) -> tuple[OpenSession, ...]:
        """The sessions that are not on disk as they are here."""
        with self._lock:
            return tuple(each for each in self._open.values() if each.is_changed)

    def _opened(self, fs: FS, session_id: str) -> OpenSession | NotOwn:
        """The session as it is in memory, read anew where its file is another one and nothing is unsaved."""
        file = port_file(self._folder, session_id)
        held = self._open.get(session_id)
        if held is not None and held.is_changed:
            return held
        read = loaded(fs, file)
        if isinstance(read, NotOwn):
            return held if held is not None and held.stamp is None else read
        stored, stamp = read
        if held is not None:
            held.session, held.stamp = stored.session, stamp
            return held
        return self._keep(fs, file, stored.session, stamp, is_changed=False)

    def _keep(
        self, fs: FS, file: OwnFile, session: StoredSession, stamp: Stamp | None, *, is_changed: bool
    ) -> OpenSession:
        store = TranscriptStore(self._now, transcript_sink(fs, file, _caller()))
        found = OpenSession(file, session, stamp, store, is_changed)
        self._open[file.session_id] = found
        self.current = file.session_id
        return found


def _caller() -> Caller:
    return Caller(os.getpid(), time.time_ns, time.sleep)
