"""Which findings does the client hold, and when is it told of new ones?

A client that pulls is never sent any; it is asked to pull again when findings changed that no edit of its own
explains. For the open file there is no timer: an edit is judged as soon as the loop comes to it, and a
version that was overtaken before is never judged. All other files are judged in a worker: after a pause the
first edit acts at once, those of the next 150 ms make one more run, and no run is given up for a newer edit.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from agentbrief.rules.finding import Finding
from agentbrief_server.findings import all_findings, starts_below, told_of
from agentbrief_server.log import LOG
from agentbrief_server.state import Snapshot, State
from agentbrief_server.uris import uri_of

ON_THE_LOOP_CHARACTERS = 100_000
"""A file up to this size is judged on the event loop: a hop to a thread would cost more than the answer."""

ON_THE_LOOP_STARTS = 16
"""So is one that is seen from up to so many start folders."""

GATHER_S = 0.15
"""The shortest time between the starts of two runs over the workspace."""

PUBLISH = "textDocument/publishDiagnostics"

Findings = Mapping[str, tuple[Finding, ...]]


def _nothing() -> None:
    pass


class Publisher:
    """Sends diagnostics to a client that does not pull, and asks one that does to pull again."""

    def __init__(
        self,
        state: State,
        notify: Callable[[str, Any], None],
        refresh: Callable[[], None],
        judged: Callable[[], None] = _nothing,
    ) -> None:
        self._state = state
        self._notify = notify
        self._refresh = refresh
        self._judged = judged
        self._due: dict[str, None] = {}
        self._told: dict[str, tuple[int | None, list[dict[str, Any]]]] = {}
        self._closed: set[str] = set()
        self._began = -GATHER_S
        self._hurry = asyncio.Event()
        self._running: asyncio.Task[None] | None = None
        self._again = False
        self._outdated = False
        self._in_worker: dict[str, asyncio.Task[None]] = {}
        self._texts: Mapping[str, str] = {}
        self._projects: Mapping[str, object] = {}

    def document(self, path: str) -> None:
        """Judge an open file soon, and everything else after it."""
        if not self._due:
            asyncio.get_running_loop().call_soon(self.judge_due)
        self._due[path] = None

    def workspace(self, *, at_once: bool = True, outdated: bool = False) -> None:
        """Judge every file in a worker.

        ``at_once``: without a pause since the last run. ``outdated``: what a run that still goes on finds is
        of no use.
        """
        if at_once:
            self._hurry.set()
        if self._running is not None and not self._running.done():
            self._again = True
            self._outdated = self._outdated or outdated
            return
        self._running = asyncio.get_running_loop().create_task(self._judge_all())

    def closed(self, path: str) -> None:
        """An open file was closed: the disk's text counts, and a file outside the workspace has no findings
        any more.
        """
        _, told = self._told.get(path, (None, []))
        self._told[path] = (None, told)
        if self._state.snapshot().folder_of(path) is None:
            self._send(path, None, [])
        self._closed.add(path)
        self.workspace()

    def no_longer_ours(self, path: str) -> None:
        """An open file is no instruction file of any profile any more, or never was one."""
        if self._told.get(path, (None, []))[1]:
            self._send(path, None, [])

    def judge_due(self) -> None:
        """Judge the files that have another text now."""
        if not self._due:
            return
        due, self._due = self._due, {}
        snapshot = self._state.snapshot()
        if not snapshot.client.pulls_diagnostics:
            for path in due:
                try:
                    self._judge(snapshot, path)
                except Exception:
                    LOG.exception("judging a file failed")
        self._judged()
        self.workspace(at_once=False)

    def _judge(self, snapshot: Snapshot, path: str) -> None:
        """Tell the findings of an open file: at once, or when a worker has them, where that takes longer."""
        document = snapshot.documents.get(path)
        if document is None:
            return
        if (
            len(document.text) <= ON_THE_LOOP_CHARACTERS
            and len(starts_below(snapshot, path)) <= ON_THE_LOOP_STARTS
        ):
            self._send(path, document.version, told_of(snapshot, path))
        elif path not in self._in_worker:
            task = asyncio.get_running_loop().create_task(self._judge_in_worker(path))
            self._in_worker[path] = task
            task.add_done_callback(lambda _: self._in_worker.pop(path, None))

    async def _judge_in_worker(self, path: str) -> None:
        """Judge an open file until the text that was judged is the one that is open."""
        while True:
            snapshot = self._state.snapshot()
            found = await asyncio.to_thread(told_of, snapshot, path)
            before, now = (each.documents.get(path) for each in (snapshot, self._state.snapshot()))
            if before is None or now is None:
                return
            if now.version == before.version:
                self._send(path, now.version, found)
                return

    async def _judge_all(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            # After a pause the first edit acts at once; while somebody types, one run gathers many.
            if (early := self._began + GATHER_S - loop.time()) > 0:
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._hurry.wait(), early)
            self._hurry.clear()
            self._again = self._outdated = False
            self._began = loop.time()
            snapshot = self._state.snapshot()
            try:
                found = await asyncio.to_thread(all_findings, snapshot, lambda: self._outdated)
            except Exception:
                LOG.exception("judging the workspace failed")
            else:
                if found is not None:
                    self._take(snapshot, found)
            if not self._again:
                return

    def _take(self, snapshot: Snapshot, found: Findings) -> None:
        before = self._state.findings
        changed = {path for path in {*before, *found} if before.get(path) != found.get(path)}
        typed = self._typed(snapshot)
        if changed:
            self._state.findings = {
                path: each if path in changed else before[path] for path, each in found.items()
            }
            self._state.changed()
        if snapshot.client.pulls_diagnostics:
            if not changed <= typed:
                self._refresh()
            return
        now = self._state.snapshot()
        changed |= self._closed
        self._closed.clear()
        for path in changed:
            if path not in now.documents:
                self._send(path, None, told_of(now, path, self._state.findings.get(path, ())))
            elif now.names.has(path):
                self._judge(now, path)
            else:
                self.no_longer_ours(path)

    def _typed(self, snapshot: Snapshot) -> set[str]:
        """The open files of which nothing but the text is another one than at the last run: a client that
        pulls asks for their findings by itself.
        """
        texts = {path: document.text for path, document in snapshot.documents.items()}
        typed = {path for path, text in texts.items() if self._texts.get(path, text) is not text}
        same_folders = snapshot.projects == self._projects
        self._texts, self._projects = texts, snapshot.projects
        return typed if same_folders else set()

    def _send(self, path: str, version: int | None, found: list[dict[str, Any]]) -> None:
        if self._told.get(path, (None, [])) == (version, found):
            return
        self._told[path] = (version, found)
        document = self._state.snapshot().documents.get(path)
        params: dict[str, Any] = {"uri": document.uri if document else uri_of(path), "diagnostics": found}
        if version is not None:
            params["version"] = version
        self._notify(PUBLISH, params)
