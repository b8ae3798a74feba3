"""What is the client asked to fetch again? Only what it has, and only what it said it can."""

from __future__ import annotations

import asyncio

from lsprotocol import types as lsp

from agentbrief_server.brief_server import BriefServer
from agentbrief_server.log import LOG
from agentbrief_server.state import State


class Refresh:
    """Requests to the client to fetch again what it shows."""

    def __init__(self, server: BriefServer, state: State) -> None:
        self._server = server
        self._state = state
        self._tasks: set[asyncio.Task[None]] = set()

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

    def all(self) -> None:
        """Everything that depends on more than the text of one document."""
        client = self._state.client
        self.diagnostics()
        if client.code_lens_refresh:
            self._ask(lsp.WORKSPACE_CODE_LENS_REFRESH)
        if client.inlay_hint_refresh:
            self._ask(lsp.WORKSPACE_INLAY_HINT_REFRESH)
        self.rows()

    def _ask(self, method: str) -> None:
        task = asyncio.get_running_loop().create_task(self._asked(method))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _asked(self, method: str) -> None:
        try:
            await asyncio.shield(self._server.protocol.send_request_async(method, None))
        except Exception as error:
            LOG.warning("%s was refused: %s", method, type(error).__name__)
