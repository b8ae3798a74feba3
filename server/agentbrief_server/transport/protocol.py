"""What becomes of a message that came in?

pygls keeps the handlers and runs them; which message reaches one, in which order, with which snapshot, and
what is answered when something is wrong is decided here. Private names of pygls 2.1 are used: tests/protocol
holds each.
"""

from __future__ import annotations

import asyncio
import contextvars
import inspect
from collections.abc import Callable, Generator
from concurrent.futures import Future
from functools import lru_cache, partial
from typing import Any, cast

from lsprotocol import types as lsp
from pygls.capabilities import ServerCapabilitiesBuilder
from pygls.exceptions import JsonRpcException
from pygls.protocol import lsp_method
from pygls.uris import from_fs_path

from agentbrief import jsonio
from agentbrief.messages import locale_of
from agentbrief_server import snapshots
from agentbrief_server.documents import BriefWorkspace
from agentbrief_server.log import LOG
from agentbrief_server.transport.arguments import command_arguments
from agentbrief_server.transport.converter import LeanConverter
from agentbrief_server.transport.frames import first_id, is_message_id
from agentbrief_server.transport.outgoing import ClientRefused, Outgoing

_INVALID_REQUEST = lsp.ErrorCodes.InvalidRequest.value
_INVALID_PARAMS = lsp.ErrorCodes.InvalidParams.value
_FAILED = lsp.LSPErrorCodes.RequestFailed.value

_Handler = Callable[..., Any]

_TYPES: dict[str, tuple[Any, ...]] = vars(lsp)["METHOD_TO_TYPES"]
"""By method: the types of request, response, params and registration; None where there is none."""


@lru_cache(maxsize=256)
def _is_plain(handler: _Handler) -> bool:
    """Whether a call of ``handler`` does all that it is asked for."""
    return not inspect.iscoroutinefunction(handler) and not inspect.isgeneratorfunction(handler)


class BriefProtocol(Outgoing):
    """The protocol of :class:`BriefServer`."""

    _is_initialized = False

    @property
    def exit_code(self) -> int:
        """0 after ``shutdown``, else 1."""
        return 0 if self._shutdown else 1

    def receive(self, body: bytes) -> None:
        """Do what the message in ``body`` says. Only on the event loop; raises nothing."""
        try:
            message = jsonio.loads(body)
        except (ValueError, MemoryError, RecursionError):
            LOG.warning("A message of %d bytes is no JSON", len(body))
            self.refuse(first_id(body), lsp.ErrorCodes.ParseError.value)
            return
        if not isinstance(message, dict):
            LOG.warning("A message is no object")
            self.refuse(None, _INVALID_REQUEST)
            return
        self.take(message)

    def take(self, message: dict[str, Any]) -> None:
        """Do what ``message`` says, which was read from JSON. Only on the event loop; raises nothing."""
        method, msg_id, is_request = message.get("method"), message.get("id"), "id" in message
        if not isinstance(method, str) or message.get("jsonrpc") != self.VERSION or not is_message_id(msg_id):
            if method is None and (self.take_answer(message) or "result" in message or "error" in message):
                return
            LOG.warning("A message is neither a request nor a notification nor an answer")
            if is_request:
                self.refuse(msg_id if is_message_id(msg_id) else None, _INVALID_REQUEST)
        elif is_request:
            self._take_request(msg_id, method, message.get("params"))
        else:
            self._take_notification(method, message.get("params"))

    def _take_request(self, msg_id: Any, method: str, params: Any) -> None:
        if not self._is_initialized and method != lsp.INITIALIZE:
            self.refuse(msg_id, lsp.ErrorCodes.ServerNotInitialized.value)
            return
        if self._shutdown or (self._is_initialized and method == lsp.INITIALIZE):
            self.refuse(msg_id, _INVALID_REQUEST)
            return
        handler = self._known_handler(method)
        if handler is None:
            self.refuse(msg_id, lsp.ErrorCodes.MethodNotFound.value)
            return
        try:
            arguments: tuple[Any, ...] = (self._typed(method, params),)
            if method == lsp.WORKSPACE_EXECUTE_COMMAND:
                handler = self._commands[arguments[0].command]
                arguments = command_arguments(handler, arguments[0].arguments, self._converter)
        except Exception as error:
            LOG.warning("%s: malformed parameters %s", method, error)
            self.refuse(msg_id, _INVALID_PARAMS)
            return
        self._is_initialized = True
        self._shutdown = method == lsp.SHUTDOWN
        contextvars.copy_context().run(self._run_request, msg_id, method, handler, arguments)

    def _take_notification(self, method: str, params: Any) -> None:
        if method == lsp.EXIT:
            self.server.end(self.exit_code)
        if not self._is_initialized or self._shutdown or method == lsp.EXIT:
            return
        if method == lsp.CANCEL_REQUEST:
            self._cancel(params)
            return
        handler = self._known_handler(method)
        if handler is None:
            return
        try:
            typed = self._typed(method, params)
        except Exception as error:
            LOG.warning("%s: malformed parameters %s", method, error)
            return
        contextvars.copy_context().run(self._run_notification, method, handler, typed)

    @property
    def _commands(self) -> dict[str, _Handler]:
        return cast("dict[str, _Handler]", vars(self.fm)["_commands"])

    @property
    def _features(self) -> dict[str, _Handler]:
        """The handlers of our own. Those of pygls call them where both are there."""
        return cast("dict[str, _Handler]", vars(self.fm)["_features"])

    @property
    def _builtin(self) -> dict[str, _Handler]:
        return cast("dict[str, _Handler]", vars(self.fm)["_builtin_features"])

    def _known_handler(self, method: str) -> _Handler | None:
        return self._builtin.get(method) or self._features.get(method)

    def _typed(self, method: str, params: Any) -> Any:
        """``params`` as the method wants them: an attrs object, or a dict if LSP does not know the method."""
        known = _TYPES.get(method)
        if known is not None and known[2] is None:
            return None
        if params is not None and not isinstance(params, dict):
            raise ValueError("no object")
        if known is None:
            return cast("dict[str, Any] | None", params) or {}
        converter = cast("LeanConverter", self._converter)
        converter.is_lenient = method == lsp.INITIALIZE
        try:
            return converter.structure({} if params is None else params, known[2])
        finally:
            converter.is_lenient = False

    def _run_request(self, msg_id: Any, method: str, handler: _Handler, arguments: tuple[Any, ...]) -> None:
        self._ctx_msg_id.set(msg_id)
        try:
            snapshots.keep(self.server.take_snapshot())
            if _is_plain(handler):
                self._send_response(msg_id, handler(*arguments))
            else:
                self._execute_handler(msg_id, handler, partial(self._reply, msg_id, method), arguments)
        except (Exception, SystemExit) as error:
            self._failed(msg_id, method, error)

    def _run_notification(self, method: str, handler: _Handler, params: Any) -> None:
        try:
            snapshots.keep(self.server.take_snapshot())
            self._note(method, handler, params)
        except (Exception, SystemExit) as error:
            LOG.error("%s failed", method, exc_info=error)

    def _note(self, method: str, handler: _Handler, params: Any) -> None:
        """Hand a notification to ``handler``. One that neither waits nor yields needs no future."""
        if _is_plain(handler):
            handler(params)
        else:
            self._execute_handler(object(), handler, partial(self._noted, method), (params,))

    def _execute_handler(
        self,
        msg_id: Any,
        handler: _Handler,
        callback: Callable[[Any], Any],
        args: tuple[Any, ...] | None = None,
        kwargs: dict[str, Any] | None = None,
    ) -> None:
        """Run ``handler`` and hand its future to ``callback``.

        Only coroutines can be cancelled by the client.
        """
        if inspect.iscoroutinefunction(handler):
            task = asyncio.ensure_future(handler(*(args or ()), **(kwargs or {})))
            self._request_futures[msg_id] = cast("Future[Any]", task)
            task.add_done_callback(partial(self._forget, msg_id))
            task.add_done_callback(callback)
            return
        future: Future[Any] = Future()
        future.add_done_callback(callback)
        try:
            value = handler(*(args or ()), **(kwargs or {}))
            if inspect.isgenerator(value):
                self._run_generator(None, gen=value, result_future=future)
            else:
                future.set_result(value)
        except Exception as error:
            future.set_exception(error)
        except SystemExit:
            future.set_exception(RuntimeError("a handler called sys.exit"))

    def _forget(self, msg_id: Any, future: Any) -> None:
        if self._request_futures.get(msg_id) is future:
            del self._request_futures[msg_id]

    def _reply(self, msg_id: Any, method: str, future: Any) -> None:
        """Answer the request with what its handler came to."""
        if future.cancelled():
            self.refuse(msg_id, lsp.LSPErrorCodes.RequestCancelled.value)
        elif (error := future.exception()) is not None:
            self._failed(msg_id, method, error)
        else:
            self._send_response(msg_id, future.result())

    def _noted(self, method: str, future: Any) -> None:
        if not future.cancelled() and (error := future.exception()) is not None:
            LOG.error("%s failed", method, exc_info=error)

    def _failed(self, msg_id: Any, method: str, error: BaseException) -> None:
        if method == lsp.INITIALIZE:
            self._is_initialized = False
        if isinstance(error, JsonRpcException) and not isinstance(error, ClientRefused):
            self.refuse(msg_id, error.code, error.message)
            return
        LOG.error("%s failed", method, exc_info=error)
        self.refuse(msg_id, _FAILED)

    def _cancel(self, params: Any) -> None:
        msg_id = cast("dict[str, Any]", params).get("id") if isinstance(params, dict) else None
        if is_message_id(msg_id) and msg_id not in self._result_types:
            task = self._request_futures.get(cast("Any", msg_id))
            if task is not None:
                task.cancel()

    @lsp_method(lsp.INITIALIZE)
    def lsp_initialize(self, params: lsp.InitializeParams) -> Generator[Any, Any, lsp.InitializeResult]:
        """Install our workspace with the encoding that was agreed on, then ask our own handler."""
        server = self.server
        server.process_id = params.process_id
        server.locale = locale_of(params.locale)
        self.client_capabilities = params.capabilities
        encoding = ServerCapabilitiesBuilder.choose_position_encoding(params.capabilities)
        root_uri = params.root_uri or (from_fs_path(params.root_path) if params.root_path else None)
        self._workspace = BriefWorkspace(encoding, root_uri, params.workspace_folders or ())
        server.opened(params)
        if (handler := self._features.get(lsp.INITIALIZE)) is not None:
            yield handler, (params,), None
        builder: Any = ServerCapabilitiesBuilder(
            self.client_capabilities,
            {*self._features, *self._builtin},
            cast("Any", self.fm).feature_options,
            list(self._commands),
            server.sync_kind,
            None,
            encoding,
        )
        self.server_capabilities = builder.build()
        return lsp.InitializeResult(capabilities=self.server_capabilities, server_info=self.server_info)

    @lsp_method(lsp.SHUTDOWN)
    def lsp_shutdown(self, *args: Any) -> Generator[Any, Any, None]:
        """Ask our own handler, then cancel what still runs."""
        if (handler := self._features.get(lsp.SHUTDOWN)) is not None:
            yield handler, args, None
        for future in tuple(self._request_futures.values()):
            future.cancel()

    @lsp_method(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: lsp.DidChangeTextDocumentParams) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Apply the changes, then ask our own handler, unless the document is not open.

        No generator as in pygls: this is done for each key that is pressed.
        """
        workspace = cast("BriefWorkspace", self._workspace)
        if workspace.document(params.text_document.uri) is None:
            LOG.warning("textDocument/didChange of a document that is not open")
            return
        for change in params.content_changes:
            workspace.update_text_document(params.text_document, change)
        method = lsp.TEXT_DOCUMENT_DID_CHANGE
        if (handler := self._features.get(method)) is not None:
            self._note(method, handler, params)
