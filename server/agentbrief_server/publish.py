"""Which findings does the client hold, and when is it told of new ones?

A client that pulls is never sent any; it is asked to pull again. For the open file there is no timer: an edit
is judged as soon as the loop comes to it, and a version that was overtaken before is never judged. All other
files are judged in a worker; of several requests the first acts at once, those that come while it runs make
one more run.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from agentbrief.rules.finding import Finding
from agentbrief_server.findings import all_findings, diagnostics, findings_of
from agentbrief_server.log import LOG
from agentbrief_server.state import Snapshot, State, is_instruction_file
from agentbrief_server.uris import uri_of

ON_THE_LOOP_CHARACTERS = 100_000
"""A file up to this size is judged on the event loop: a hop to a thread would cost more than the answer."""

PUBLISH = "textDocument/publishDiagnostics"


class Publisher:
    """Sends diagnostics to a client that does not pull, and asks one that does to pull again."""

    def __init__(self, state: State, notify: Callable[[str, Any], None], refresh: Callable[[], None]) -> None:
        self._state = state
        self._notify = notify
        self._refresh = refresh
        self._due: dict[str, None] = {}
        self._told: dict[str, list[dict[str, Any]]] = {}
        self._running: asyncio.Task[None] | None = None
        self._again = False
        self._tasks: set[asyncio.Task[None]] = set()

    def document(self, path: str) -> None:
        """Judge an open file soon, and everything else after it."""
        if not self._due:
            asyncio.get_running_loop().call_soon(self._judge_due)
        self._due[path] = None

    def workspace(self) -> None:
        """Judge every file in a worker."""
        if self._running is not None and not self._running.done():
            self._again = True
            return
        self._running = asyncio.get_running_loop().create_task(self._judge_all())

    def closed(self, path: str) -> None:
        """An open file was closed: the disk's text counts, and a file outside the workspace has no findings
        any more.
        """
        if self._state.snapshot().folder_of(path) is None:
            self._send(path, None, [])
        self.workspace()

    def _judge_due(self) -> None:
        due, self._due = self._due, {}
        snapshot = self._state.snapshot()
        for path in due:
            document = snapshot.documents.get(path)
            if document is None or snapshot.client.pulls_diagnostics:
                continue
            if len(document.text) <= ON_THE_LOOP_CHARACTERS:
                self._send(path, document.version, diagnostics(snapshot, path, findings_of(snapshot, path)))
            else:
                task = asyncio.get_running_loop().create_task(self._judge_large(snapshot, path))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)
        self.workspace()

    async def _judge_large(self, snapshot: Snapshot, path: str) -> None:
        version = snapshot.documents[path].version

        def judged() -> list[dict[str, Any]]:
            return diagnostics(snapshot, path, findings_of(snapshot, path))

        found = await asyncio.to_thread(judged)
        now = self._state.snapshot().documents.get(path)
        if now is not None and now.version == version:
            self._send(path, version, found)

    async def _judge_all(self) -> None:
        while True:
            self._again = False
            snapshot = self._state.snapshot()
            try:
                found = await asyncio.to_thread(all_findings, snapshot, lambda: self._again)
            except Exception:
                LOG.exception("judging the workspace failed")
                return
            if found is not None and not self._again:
                self._take(snapshot, found)
            if not self._again:
                return

    def _take(self, snapshot: Snapshot, found: dict[str, tuple[Finding, ...]]) -> None:
        before = self._state.findings
        if found == before:
            return
        self._state.findings = found
        self._state.changed()
        if snapshot.client.pulls_diagnostics:
            self._refresh()
            return
        now = self._state.snapshot()
        for path in {*before, *found}:
            if before.get(path) == found.get(path):
                continue
            document = now.documents.get(path)
            if document is None:
                self._send(path, None, diagnostics(now, path, found.get(path, ())))
            elif is_instruction_file(path):
                self._send(path, document.version, diagnostics(now, path, findings_of(now, path)))

    def _send(self, path: str, version: int | None, found: list[dict[str, Any]]) -> None:
        if version is None and self._told.get(path, []) == found:
            return
        self._told[path] = found
        document = self._state.snapshot().documents.get(path)
        params: dict[str, Any] = {"uri": document.uri if document else uri_of(path), "diagnostics": found}
        if version is not None:
            params["version"] = version
        self._notify(PUBLISH, params)
