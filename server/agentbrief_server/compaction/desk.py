"""What is kept of compactions between two messages: previews to carry out, what runs, what was done?

Everything here is in memory. After a restart a preview is made anew, and the way back is a checkpoint.
"""

from __future__ import annotations

import asyncio
import itertools
import math
import secrets
import time
import uuid
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone, tzinfo
from threading import Lock
from typing import Any, Generic, TypeVar

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

from agentbrief.changes.receipt import Receipt
from agentbrief.compaction.layers import Clock
from agentbrief.compaction.providers.provider import CancelToken, CompactionProvider
from agentbrief.compaction.steering import RunningCompaction
from agentbrief.messages import say
from agentbrief.redact import mask
from agentbrief.report.compaction_view import CompactionView
from agentbrief.tasks.compaction.asked import Means
from agentbrief.tasks.compaction.checkpoint_restore import PlannedRestore
from agentbrief.tasks.compaction.keeping import Where
from agentbrief.tasks.compaction.memory_flush import PlannedFlush
from agentbrief.tasks.compaction.plan import PlannedCompaction
from agentbrief.tasks.sessions.read import SessionFile
from agentbrief.tasks.store.look import openclaw_data
from agentbrief_server.brief_server import BriefServer
from agentbrief_server.commands.arguments import Arguments
from agentbrief_server.compaction.summarize import EDITOR, Editor, Params, asking
from agentbrief_server.log import LOG
from agentbrief_server.progress import show_progress
from agentbrief_server.sessions.commands import told_to_client
from agentbrief_server.sessions.place import now_ms
from agentbrief_server.state import Snapshot

MOST_KEPT = 16
MOST_KEPT_BYTES = 256 * 1024 * 1024
"""So many previews are kept, and so many changes that may be undone; of more, the oldest are forgotten."""

_numbers = itertools.count(1)
_WORKERS = 4
_PAUSE_S = 0.05

Value = TypeVar("Value")
Result = TypeVar("Result")


class Kept(Generic[Value]):
    """The latest values, each under a token. From any thread."""

    def __init__(self) -> None:
        self._values: OrderedDict[str, tuple[Value, int, int]] = OrderedDict()
        self._lock = Lock()

    def keep(self, value: Value, size: int = 0) -> str:
        """The token under which ``value`` is kept, which holds ``size`` bytes."""
        token = secrets.token_urlsafe(12)
        with self._lock:
            self._values[token] = value, size, next(_numbers)
            while len(self._values) > MOST_KEPT or (len(self._values) > 1 and self._bytes > MOST_KEPT_BYTES):
                self._values.popitem(last=False)
        return token

    @property
    def _bytes(self) -> int:
        return sum(size for _, size, _ in self._values.values())

    def at(self, token: str) -> Value | None:
        """The value of ``token``; None if there is none, or no more."""
        with self._lock:
            found = self._values.get(token)
            return found[0] if found is not None else None

    @property
    def newest(self) -> int:
        """The number of the value that was kept last, counted over all that is kept; 0 if there is none."""
        with self._lock:
            return next((number for _, _, number in reversed(self._values.values())), 0)

    def latest(self) -> str | None:
        """The token of the value that was kept last."""
        with self._lock:
            return next(reversed(self._values), None)

    def forget(self, token: str) -> None:
        """Keep the value of ``token`` no more."""
        with self._lock:
            self._values.pop(token, None)


@dataclass(frozen=True, slots=True)
class Preview:
    """A compaction that was planned: of which session, by the settings of which workspace folder."""

    planned: PlannedCompaction
    view: CompactionView
    folder: str


@dataclass(frozen=True, slots=True)
class RestorePreview:
    """The return of a checkpoint that was planned."""

    planned: PlannedRestore
    title: str
    folder: str


@dataclass(frozen=True, slots=True)
class FlushPreview:
    """Memory notes that were planned."""

    planned: PlannedFlush
    folder: str


@dataclass(frozen=True, slots=True)
class Change:
    """What was done to ``path`` and may be undone. ``checkpoint`` is the identifier of what was kept before.

    ``leaves_nothing_else``: its lock lies in a folder of our own.
    """

    receipt: Receipt
    where: Where
    file: SessionFile
    path: str
    folder: str
    checkpoint: str | None = None
    leaves_nothing_else: bool = False


class Working:
    """What is being worked on, for a progress: written by the worker, read on the loop."""

    def __init__(self) -> None:
        self.on = ""


class CompactionDesk:
    """One for the server. ``running`` is what is being compacted now, by real path."""

    def __init__(self, server: BriefServer) -> None:
        self._server = server
        self.running: dict[str, RunningCompaction] = {}
        self._waiting: dict[str, tuple[str, ...]] = {}
        self._lock = Lock()
        self.previews: Kept[Preview] = Kept()
        self.restores: Kept[RestorePreview] = Kept()
        self.flushes: Kept[FlushPreview] = Kept()
        self.changes: Kept[Change] = Kept()
        self._background: set[asyncio.Task[None]] = set()
        # of their own: a compaction that waits for its provider keeps no other worker from anybody
        self._workers = ThreadPoolExecutor(_WORKERS, "agentbrief-compaction")

    def means(
        self, snapshot: Snapshot, folder: str | None, cancel: CancelToken, working: Working | None = None
    ) -> Means:
        """What a compaction needs; the editor's model only where the client offers one.

        ``working`` is told when that is asked.
        """
        settings = snapshot.settings_of(folder)
        known: dict[str, CompactionProvider] = {}
        if snapshot.client.summarize and snapshot.trusted:
            redact = mask if settings.flag("compaction.redactForProviders") else None
            data = openclaw_data()
            reserve = settings.number("compaction.reserveTokens") or data.compaction.reserve_tokens
            most = math.floor(data.summary.history_share * reserve)
            ask = asking(self._server)

            def asked(params: Params) -> Future[Any]:
                if working is not None:
                    who = say(snapshot.client.locale, "compaction.provider.editor")
                    working.on = say(snapshot.client.locale, "progress.asking", provider=who)
                return ask(params)

            known[EDITOR] = Editor(asked, redact, most)
        timeout_ms = (settings.number("compaction.timeoutSeconds") or 0) * 1000
        return Means(
            Clock(now_ms, timeout_ms),
            lambda: str(uuid.uuid4()),
            self.running,
            known,
            cancel,
            _host_zone(),
            pause=lambda seconds: _wait(seconds, cancel),
        )

    def wait(self, path: str, texts: tuple[str, ...]) -> None:
        """Keep texts for the session at ``path`` that came in while its compaction was being planned."""
        if texts:
            with self._lock:
                self._waiting[path] = (*self._waiting.get(path, ()), *texts)

    def waited(self, path: str) -> tuple[str, ...]:
        """The texts that wait for the session at ``path``; they wait no more."""
        with self._lock:
            return self._waiting.pop(path, ())

    def later(self, doing: Coroutine[Any, Any, None]) -> None:
        """Have ``doing`` done after the reply: a question that nobody may ever answer."""

        async def done() -> None:
            try:
                await doing
            except JsonRpcException as error:
                self._server.window_show_message(
                    lsp.ShowMessageParams(lsp.MessageType.Warning, error.message)
                )
            except Exception:
                LOG.exception("what was offered failed")

        self._background.add(task := asyncio.create_task(done()))
        task.add_done_callback(self._background.discard)

    async def work(
        self,
        arguments: Arguments,
        snapshot: Snapshot,
        title: str,
        work: Callable[[CancelToken], Result],
        message: Callable[[], str] = lambda: "",
    ) -> Result:
        """What ``work`` gives, done in a worker, with progress that the user can end.

        A command that is cancelled calls its work off too; what was begun to be written is finished.

        Raises:
            JsonRpcException: the disk refuses, trust was withdrawn meanwhile, or the session is too long.
        """
        cancel = CancelToken()
        future = asyncio.get_running_loop().run_in_executor(self._workers, work, cancel)
        future.add_done_callback(_heard)
        if snapshot.client.work_done_progress:
            showing = show_progress(self._server, future, title, message, cancel.cancel)
            self._background.add(shown := asyncio.create_task(showing))
            shown.add_done_callback(self._background.discard)
        try:
            with told_to_client(arguments):
                return await asyncio.shield(future)
        finally:
            cancel.cancel()


def _wait(seconds: float, cancel: CancelToken) -> None:
    """Wait so long, or until it is called off."""
    until = time.monotonic() + seconds
    while not cancel.is_cancelled and (left := until - time.monotonic()) > 0:
        time.sleep(min(left, _PAUSE_S))


def _host_zone() -> tzinfo:
    """The zone of this machine."""
    return timezone(datetime.now().astimezone().utcoffset() or timedelta())


def _heard(future: asyncio.Future[Any]) -> None:
    """Take the error of work whose command was cancelled: nobody else does."""
    if not future.cancelled():
        future.exception()
