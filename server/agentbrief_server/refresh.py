"""What is the client asked to fetch again? Only what it has, and only what it said it can."""

from __future__ import annotations

import asyncio
from collections import Counter

from lsprotocol import types as lsp

from agentbrief.brief import Brief
from agentbrief_server.brief_server import BriefServer
from agentbrief_server.log import LOG
from agentbrief_server.seen import seen
from agentbrief_server.state import State
from agentbrief_server.transport.outgoing import ClientRefused

LIMIT_S = 10.0
MOST_REFUSALS = 3
"""A client that refused so often, or does not know a request, is not asked again."""

_METHOD_NOT_FOUND = lsp.ErrorCodes.MethodNotFound.value


class Refresh:
    """Requests to the client to fetch again what it shows."""

    def __init__(self, server: BriefServer, state: State) -> None:
        self._server = server
        self._state = state
        self._asking: dict[str, asyncio.Task[None]] = {}
        self._again: set[str] = set()
        self._refusals: Counter[str] = Counter()
        self._told: dict[str, Brief] = {}

    def diagnostics(self) -> None:
        """Ask a client that pulls to pull again."""
        if self._state.client.pulls_diagnostics and self._state.client.diagnostic_refresh:
            self._ask(lsp.WORKSPACE_DIAGNOSTIC_REFRESH)

    def rows(self) -> None:
        """Say that the views' rows are others now."""
        if self._state.client.rows:
            for folder in self._state.folders:
                for view in ("files", "budget"):
                    self._server.protocol.notify("agentbrief/didChangeRows", {"view": view, "folder": folder})

    def session_rows(self) -> None:
        """Say that the rows of sessions are others now, and those of the budget, which shows one of them."""
        if self._state.client.rows:
            for folder in self._state.folders:
                for view in ("sessions", "budget"):
                    self._server.protocol.notify("agentbrief/didChangeRows", {"view": view, "folder": folder})

    def all(self) -> None:
        """Everything that depends on more than the text of one document."""
        client = self._state.client
        self.diagnostics()
        if client.code_lens_refresh:
            self._ask(lsp.WORKSPACE_CODE_LENS_REFRESH)
        if client.inlay_hint_refresh:
            self._ask(lsp.WORKSPACE_INLAY_HINT_REFRESH)
        self.rows()

    def briefs(self) -> None:
        """All that shows what an agent is told of the open files, if that is something else now."""
        snapshot = self._state.snapshot()
        told = {
            document.uri: found.brief
            for path, document in snapshot.documents.items()
            if snapshot.names.has(path) and (found := seen(snapshot, document.uri)) is not None
        }
        before, self._told = self._told, told
        if told != before:
            self.all()

    def _ask(self, method: str) -> None:
        """Ask, unless the client refuses such requests; while an answer is awaited, after it."""
        if self._refusals[method] >= MOST_REFUSALS:
            return
        if method in self._asking:
            self._again.add(method)
            return
        task = asyncio.get_running_loop().create_task(self._asked(method))
        self._asking[method] = task
        task.add_done_callback(lambda _: self._answered(method))

    def _answered(self, method: str) -> None:
        del self._asking[method]
        if method in self._again:
            self._again.discard(method)
            self._ask(method)

    async def _asked(self, method: str) -> None:
        try:
            await asyncio.wait_for(
                asyncio.shield(self._server.protocol.send_request_async(method, None)), LIMIT_S
            )
        except TimeoutError:
            LOG.warning("%s is not answered", method)
        except Exception as error:
            is_unknown = isinstance(error, ClientRefused) and error.code == _METHOD_NOT_FOUND
            self._refusals[method] += MOST_REFUSALS if is_unknown else 1
            LOG.warning("%s was refused: %s", method, type(error).__name__)
