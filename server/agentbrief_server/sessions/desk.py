"""What do commands on sessions work with, besides what was true when they were sent?

Trust is asked again at the moment of acting, and what is in memory is found here.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from agentbrief_server.sessions.findings import TranscriptFindings
from agentbrief_server.state import Snapshot, State

if TYPE_CHECKING:
    from agentbrief.disk.lock import Caller
    from agentbrief_server.brief_server import BriefServer
    from agentbrief_server.compaction.desk import CompactionDesk
    from agentbrief_server.sessions.instruction_history import InstructionHistory
    from agentbrief_server.sessions.own import OwnSessions
    from agentbrief_server.store.desk import StoreDesk


class NotTrusted(Exception):
    """The workspace is not trusted, or no longer: nothing was done."""


class SessionDesk:
    """One for the server. Both are called on the loop: ``changed`` when sessions came, went or changed,

    ``listed`` when the sessions of a folder were listed for somebody.
    """

    def __init__(
        self,
        state: State,
        findings: TranscriptFindings,
        changed: Callable[[], None],
        listed: Callable[[Snapshot, str | None], None],
        server: BriefServer,
    ) -> None:
        self._state = state
        self.findings = findings
        self.changed = changed
        self._listed = listed
        self._server = server
        self._lock = threading.Lock()
        self._compactions: CompactionDesk | None = None
        self._stores: StoreDesk | None = None
        self._own: dict[str, OwnSessions] = {}
        self._instructions: InstructionHistory | None = None
        state.sessions.desk = self

    def require_trust(self) -> None:
        """Nothing, if the workspace is trusted now. From any thread, right before acting.

        Raises:
            NotTrusted: it is not.
        """
        if not self._state.configuration.trusted:
            raise NotTrusted

    def own(self, folder: str) -> OwnSessions:
        """The workspace's own sessions in ``folder``, and what happened there."""
        found = self._own.get(folder)
        if found is None:
            from agentbrief_server.sessions.own import OwnSessions

            found = self._own.setdefault(folder, OwnSessions(folder))
        return found

    @property
    def compactions(self) -> CompactionDesk:
        """What is kept of compactions. From any thread."""
        with self._lock:
            if self._compactions is None:
                from agentbrief_server.compaction.desk import CompactionDesk

                self._compactions = CompactionDesk(self._server)
            return self._compactions

    @property
    def stores(self) -> StoreDesk:
        """What is kept of cleanups of stores. From any thread."""
        with self._lock:
            if self._stores is None:
                from agentbrief_server.store.desk import StoreDesk

                self._stores = StoreDesk()
            return self._stores

    def listed(self, snapshot: Snapshot, folder: str | None) -> None:
        """The sessions of a workspace folder were listed: what the list shows is told as findings, later."""
        self._listed(snapshot, folder)

    def files_changed(self) -> None:
        """Instruction files may have changed: the history of their folders is told."""
        from agentbrief_server.sessions.instruction_history import InstructionHistory

        if self._instructions is None:
            self._instructions = InstructionHistory(self)
        self._instructions.look(self._state.snapshot())

    def happened(self, folder: str, title: str, detail: str) -> None:
        """Note an event in the history of a workspace folder."""
        self.own(folder).happened(title, detail)

    @contextmanager
    def lock_folder(self) -> Generator[str]:
        """A real folder of our own for the lock of a change that leaves nothing else behind. In a worker."""
        storage = self._state.storage
        try:
            if storage is not None:
                os.makedirs(storage, mode=0o700, exist_ok=True)
        except OSError:
            storage = None
        if storage is not None:
            yield os.path.realpath(storage)
            return
        import tempfile

        with tempfile.TemporaryDirectory(prefix="agentbrief-") as folder:
            yield os.path.realpath(folder)

    def caller(self) -> Caller:
        """Who asks for locks."""
        from agentbrief.disk.lock import Caller

        return Caller(os.getpid(), time.time_ns, time.sleep)
