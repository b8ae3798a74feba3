"""How do our messages leave?

As one write of a header and a UTF-8 body. What a handler gives as plain dicts goes out as it is; attrs
objects pass the converter. What cannot be written becomes an error reply for its id.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from typing import TYPE_CHECKING, Any, cast

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pygls.protocol import LanguageServerProtocol

from agentbrief import jsonio
from agentbrief.messages import say
from agentbrief_server.log import LOG
from agentbrief_server.transport.frames import frame

if TYPE_CHECKING:
    from agentbrief_server.brief_server import BriefServer

SENTENCES = {
    lsp.ErrorCodes.ParseError.value: "protocol.parse-error",
    lsp.ErrorCodes.InvalidRequest.value: "protocol.invalid-request",
    lsp.ErrorCodes.MethodNotFound.value: "protocol.method-not-found",
    lsp.ErrorCodes.InvalidParams.value: "protocol.invalid-params",
    lsp.ErrorCodes.InternalError.value: "protocol.unwritable",
    lsp.ErrorCodes.ServerNotInitialized.value: "protocol.not-initialized",
    lsp.LSPErrorCodes.RequestCancelled.value: "protocol.cancelled",
    lsp.LSPErrorCodes.RequestFailed.value: "protocol.failed",
}
"""The message that explains an error code, unless a handler says it better."""


class ClientRefused(JsonRpcException):
    """The client answered a request of ours with an error. Its text is the client's: never log or send it."""


class Outgoing(LanguageServerProtocol):
    """The sending half of the protocol."""

    @property
    def server(self) -> BriefServer:
        """The server this is the protocol of."""
        return cast("BriefServer", self._server)

    def notify(self, method: str, params: Any | None = None) -> None:
        """Send a notification. ``params``: a dict that is sent as it is, an attrs object, or None."""
        self._send_data(self._message(params, jsonrpc=self.VERSION, method=method))

    def send_request(
        self,
        method: str,
        params: Any | None = None,
        callback: Callable[[Any], None] | None = None,
        msg_id: int | str | None = None,
    ) -> Future[Any]:
        """Send a request.

        The future gets the typed result, a plain value for a method that LSP does not know.

        It raises :class:`ClientRefused` if the client answers with an error.
        """
        msg_id = str(uuid.uuid4()) if msg_id is None else msg_id
        future: Future[Any] = Future()
        if callback is not None:
            future.add_done_callback(lambda done: callback(done.result()))
        self._request_futures[msg_id] = future
        self._result_types[msg_id] = self.get_result_type(method)
        self._send_data(self._message(params, jsonrpc=self.VERSION, id=msg_id, method=method))
        return future

    def refuse(self, msg_id: Any, code: int, sentence: str | None = None) -> None:
        """Answer the request ``msg_id`` with an error and one sentence, without data."""
        text = sentence or say(self.server.locale, SENTENCES.get(code, "protocol.failed"))
        self._send_data({"jsonrpc": self.VERSION, "id": msg_id, "error": {"code": code, "message": text}})

    def _send_response(
        self, msg_id: Any, result: Any | None = None, error: lsp.ResponseError | None = None
    ) -> None:
        if error is not None:
            self.refuse(msg_id, error.code, error.message)
            return
        self._send_data({"jsonrpc": self.VERSION, "id": msg_id, "result": self._plain(result)})

    def _message(self, params: Any, **envelope: Any) -> dict[str, Any]:
        if params is not None:
            envelope["params"] = self._plain(params)
        return envelope

    def _plain(self, value: Any) -> Any:
        """``value`` ready to be written, unless a dict or list hides an attrs object: see ``_send_data``."""
        if value is None or type(value) in (dict, str):
            return value
        if type(value) is list and _is_plain(cast("list[object]", value)):
            return cast("Any", value)
        try:
            return self._converter.unstructure(cast("Any", value))
        except Exception:  # _send_data reports what cannot be written
            return cast("Any", value)

    def _send_data(self, data: Any) -> None:
        if not data:
            return
        try:
            try:
                is_plain = type(data) is dict
                body = jsonio.dumps(cast("Any", data) if is_plain else self._converter.unstructure(data))
            except TypeError:
                body = jsonio.dumps(self._converter.unstructure(data))
        except Exception as error:
            self._unwritable(data, error)
            return
        self._write(body)

    def _write(self, body: bytes) -> None:
        if self.writer is None:
            LOG.warning("Nobody is connected: a message of %d bytes is dropped", len(body))
            return
        try:
            self.writer.write(frame(body) if self._include_headers else body)
        except OSError:
            # The client is gone. A reply to nobody is no error of ours, and there is nobody to report it to.
            self.server.ending.now()

    def _unwritable(self, data: Any, error: Exception) -> None:
        message = cast("dict[str, Any]", data if type(data) is dict else {})
        msg_id, method = message.get("id"), message.get("method")
        LOG.error("A message cannot be written: %s", method if method else "a reply", exc_info=error)
        if method is None and "id" in message:
            self.refuse(msg_id, lsp.ErrorCodes.InternalError.value)
        elif msg_id is not None:
            self._result_types.pop(msg_id, None)
            future = self._request_futures.pop(msg_id, None)
            if future is not None:
                future.set_exception(error)

    def _handle_response(
        self, msg_id: Any, result: Any | None = None, error: lsp.ResponseError | None = None
    ) -> None:
        """Hand the client's answer to whoever waits for it; nobody may be waiting any more."""
        future = self._request_futures.pop(msg_id, None)
        if future is None or future.done():
            return
        with suppress(Exception):
            if error is not None:
                future.set_exception(ClientRefused(error.message, error.code))
            else:
                future.set_result(result)

    def take_answer(self, message: dict[str, Any]) -> bool:
        """Whether ``message`` answered a request of ours."""
        msg_id = message.get("id")
        if not isinstance(msg_id, (str, int)) or msg_id not in self._result_types:
            return False
        kind = self._result_types.pop(msg_id)
        error = message.get("error")
        try:
            if error is not None:
                refusal = lsp.ResponseError(int(error["code"]), str(error["message"]))
                self._handle_response(msg_id, None, refusal)
            elif kind is None:
                self._handle_response(msg_id, message.get("result"))
            else:
                answer = {"jsonrpc": self.VERSION, "id": msg_id, "result": message.get("result")}
                self._handle_response(msg_id, self._converter.structure(answer, kind).result)
        except Exception as problem:
            LOG.warning("The client's answer cannot be read: %s", problem)
            code = lsp.LSPErrorCodes.RequestFailed.value
            self._handle_response(msg_id, None, lsp.ResponseError(code, "unreadable answer"))
        return True


def _is_plain(values: list[object]) -> bool:
    return all(type(value) is dict for value in values)
