"""What runs beside the answers?

One walk of each workspace folder, in a worker, with progress, ended when it is not wanted any more.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from agentbrief.disk.seam import FS
from agentbrief.messages import say
from agentbrief.tasks.setup import agents
from agentbrief_server.brief_server import BriefServer
from agentbrief_server.log import LOG
from agentbrief_server.state import State

if TYPE_CHECKING:
    from agentbrief.tasks.project import Project

SHOWN_AFTER_S = 0.4
"""Work that is done sooner shows no progress."""
LIMIT_S = 20.0
"""A walk that takes longer is ended; what it counted is said to be incomplete."""
_SLICE_S = 0.0005


class Walks:
    """The walks that run, one a folder."""

    def __init__(self, server: BriefServer, state: State, done: Callable[[], None]) -> None:
        self._server = server
        self._state = state
        self._done = done
        self._running: dict[str, list[bool]] = {}
        self._again: set[str] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self, folder: str) -> None:
        """Walk ``folder``, unless a walk of it runs."""
        if folder in self._running:
            return
        flag = self._running[folder] = [False]
        task = asyncio.get_running_loop().create_task(self._walk(folder, flag))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def outdated(self, folder: str) -> None:
        """A walk of ``folder`` that runs may have missed something: another one follows it."""
        if folder in self._running:
            self._again.add(folder)

    def end(self, folder: str) -> None:
        """End the walk of ``folder`` if one runs."""
        self._again.discard(folder)
        if (flag := self._running.pop(folder, None)) is not None:
            flag[0] = True

    async def _walk(self, folder: str, flag: list[bool]) -> None:
        settings = self._state.settings(folder)
        deadline = time.monotonic() + LIMIT_S
        seen = [0]
        last = [time.monotonic()]

        def cancelled() -> bool:
            return flag[0] or time.monotonic() > deadline

        def progress(entries: int) -> None:
            seen[0] = entries

        def pause() -> None:
            now = time.monotonic()
            if now - last[0] > _SLICE_S:
                time.sleep(0)
                last[0] = time.monotonic()

        def walk() -> Project:
            from agentbrief.tasks.project import look_through

            return look_through(
                folder,
                agents(settings)[0],
                settings,
                FS(),
                cancelled=cancelled,
                progress=progress,
                pause=pause,
            )

        work = asyncio.get_running_loop().run_in_executor(None, walk)
        shown = asyncio.get_running_loop().create_task(self._show(flag, seen, work))
        try:
            project = await work
        except Exception:
            LOG.exception("the walk of a folder failed")
            return
        finally:
            await asyncio.gather(shown, return_exceptions=True)
            is_wanted = self._running.get(folder) is flag
            if is_wanted:
                del self._running[folder]
        if not is_wanted or folder not in self._state.folders:
            return
        self._state.projects[folder] = project
        self._state.changed()
        self._done()
        if folder in self._again:
            self._again.discard(folder)
            self.start(folder)

    async def _show(self, flag: list[bool], seen: list[int], work: asyncio.Future[Project]) -> None:
        """Show progress while ``work`` runs, if it takes long enough; the client may end it."""
        client = self._state.client
        await asyncio.wait([work], timeout=SHOWN_AFTER_S)
        if work.done() or not client.work_done_progress:
            return
        progress: Any = self._server.work_done_progress
        token = f"agentbrief-walk-{time.monotonic_ns()}"
        try:
            await asyncio.wait_for(progress.create_async(token), 5)
        except Exception:
            LOG.warning("the client made no progress")
            return
        title = say(client.locale, "progress.reading")
        self._tell(token, {"kind": "begin", "title": title, "cancellable": True})
        while not work.done():
            await asyncio.wait([work], timeout=0.5)
            if progress.tokens[token].cancelled():
                flag[0] = True
            message = say(client.locale, "progress.entries", count=seen[0])
            self._tell(token, {"kind": "report", "message": message})
        self._tell(token, {"kind": "end"})
        progress.tokens.pop(token, None)

    def _tell(self, token: str, value: dict[str, Any]) -> None:
        self._server.protocol.notify("$/progress", {"token": token, "value": value})
