"""What is the server that features and commands are registered with?"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from typing import Any, NoReturn, cast

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException, PyglsError
from pygls.lsp.server import LanguageServer

from agentbrief.messages import DEFAULT_LOCALE
from agentbrief_server import __version__, log
from agentbrief_server.documents import BriefWorkspace
from agentbrief_server.transport.converter import lean_converter
from agentbrief_server.transport.ending import Ending
from agentbrief_server.transport.parent import watch_parent
from agentbrief_server.transport.protocol import BriefProtocol


def _nothing() -> object:
    return None


class BriefServer(LanguageServer):
    """A language server that never shows a popup, never quotes what it was sent, and ends when it should."""

    protocol: BriefProtocol  # pyright: ignore[reportIncompatibleVariableOverride]
    sync_kind = lsp.TextDocumentSyncKind.Full

    def __init__(self, name: str = "agentbrief", version: str = __version__) -> None:
        self.take_snapshot: Callable[[], object] = _nothing
        """Asked on the event loop for each message, before its handler runs; see :mod:`snapshots`."""
        self.taken: Callable[[], object] = _nothing
        """Told when all messages that had come were handed on, where the loop reads them itself."""
        self.locale: str = DEFAULT_LOCALE
        """The catalogue of the sentences in error replies: the client's, from ``initialize`` on."""
        self.loop: asyncio.AbstractEventLoop | None = None
        cast("Any", super()).__init__(
            name,
            version,
            text_document_sync_kind=self.sync_kind,
            protocol_cls=BriefProtocol,
            converter_factory=lean_converter,
        )
        self.ending = Ending(lambda: self.protocol.exit_code)
        self.end: Callable[[int], object] = self.ending.now
        """Ends the session with an exit code. A transport that has to send what is left puts its own here."""

    @property
    def workspace(self) -> BriefWorkspace:
        """The folders and open documents.

        Raises:
            RuntimeError: before ``initialize``.
        """
        return cast("BriefWorkspace", self.protocol.workspace)

    def call_soon(self, action: Callable[..., object], *args: object) -> None:
        """Have ``action`` called on the event loop. The only door for other threads."""
        if self.loop is not None and not self.loop.is_closed():
            self.loop.call_soon_threadsafe(action, *args)

    def opened(self, params: lsp.InitializeParams) -> None:
        """What ``initialize`` starts besides the protocol: the log file and the watch on the client's
        process.
        """
        folder = self.storage_folder(params)
        if folder is not None:
            log.FILE.open(folder)
        watch_parent(params.process_id, self.leave)

    def storage_folder(self, params: lsp.InitializeParams) -> str | None:
        """The one folder we write to: ``initializationOptions.client.storage``, else the user's cache."""
        given: Any = params.initialization_options
        for key in ("client", "storage"):
            given = cast("dict[str, Any]", given).get(key) if isinstance(given, dict) else None
        return log.storage_folder(given, os.environ)

    def leave(self, code: int | None = None) -> None:
        """End the process soon, on the event loop if it still turns. From any thread or signal handler."""
        self.ending.soon(code)
        self.call_soon(self.ending.now, code)

    def report_server_error(
        self, error: Exception, source: type[PyglsError] | type[JsonRpcException]
    ) -> None:
        """Log what pygls would have shown to the user as a popup."""
        log.LOG.error("%s in pygls", source.__name__, exc_info=error)

    def thread(self) -> NoReturn:
        """Never: stdin is not read by the pool any more, but a full pool would still make the server deaf.

        Raises:
            TypeError: always.
        """
        raise TypeError("write an async handler that awaits asyncio.to_thread")
