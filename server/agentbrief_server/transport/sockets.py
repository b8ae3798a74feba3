"""How does a client talk to us over TCP or a WebSocket?

For tests and debugging: one client, the same handling of each body as over standard input. The process ends
with the connection. That the address is a loopback one is for the command line to check; that no web page of
another host gets in is checked here.
"""

from __future__ import annotations

import asyncio
import ipaddress
import threading
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TYPE_CHECKING, NoReturn
from urllib.parse import urlsplit

from agentbrief_server import log
from agentbrief_server.brief_server import BriefServer
from agentbrief_server.transport.frames import (
    MAX_BODY_BYTES,
    MAX_HEADER_BYTES,
    BrokenStream,
    Header,
    next_frame,
)
from agentbrief_server.transport.stdio import open_loop, turn

if TYPE_CHECKING:
    from websockets.asyncio.server import ServerConnection
    from websockets.http11 import Request, Response

Ready = Callable[[str, int], object]

_CLOSING_S = 0.5


class MissingExtra(Exception):
    """A package that is installed only on demand is not there. ``extra`` is the name to install it by."""

    def __init__(self, extra: str) -> None:
        super().__init__(extra)
        self.extra = extra


class _StreamWriter:
    """Hands frames to an asyncio stream, from any thread."""

    def __init__(self, server: BriefServer, stream: asyncio.StreamWriter) -> None:
        self._server = server
        self._stream = stream
        self._thread = threading.get_ident()

    def write(self, data: bytes) -> None:
        if threading.get_ident() == self._thread:
            self._stream.write(data)
        else:
            self._server.call_soon(self._stream.write, data)

    def close(self) -> None:
        self._stream.close()


class _MessageWriter:
    """Sends each body as one text message of a WebSocket, in order, from any thread."""

    def __init__(self, server: BriefServer, connection: ServerConnection) -> None:
        self._server = server
        self._connection = connection
        self._waiting: asyncio.Queue[str] = asyncio.Queue()
        self._thread = threading.get_ident()

    def write(self, data: bytes) -> None:
        text = data.decode("utf-8")
        if threading.get_ident() == self._thread:
            self._waiting.put_nowait(text)
        else:
            self._server.call_soon(self._waiting.put_nowait, text)

    def close(self) -> None:
        """Nothing: see :meth:`drained`."""

    async def send(self) -> None:
        """Send what is written, for ever."""
        while True:
            text = await self._waiting.get()
            try:
                await self._connection.send(text)
            finally:
                self._waiting.task_done()

    async def drained(self) -> None:
        """Return once all that was written is sent."""
        await self._waiting.join()


def serve_tcp(server: BriefServer, host: str, port: int, ready: Ready | None = None) -> NoReturn:
    """Serve the first client that connects to ``host``:``port``; ends the process with it.

    ``ready`` gets the address once it listens; with ``port`` 0 the system chooses one.

    Raises:
        OSError: the address cannot be listened on.
    """
    loop = open_loop(server)
    is_taken = False

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal is_taken
        if is_taken:
            writer.close()
            return
        is_taken = True
        server.protocol.set_writer(_StreamWriter(server, writer))
        end = _Ending(server, lambda: _closed(writer))
        header, code = Header(), None
        try:
            while (body := await next_frame(reader, header)) is not None:
                server.protocol.receive(body)
                await asyncio.sleep(0)
        except BrokenStream as problem:
            log.LOG.error("The client's stream cannot be trusted: %s", str(problem))
            code = 1
        except OSError:
            pass
        end(server.protocol.exit_code if code is None else code)

    async def listen() -> asyncio.Server:
        return await asyncio.start_server(serve, host, port, limit=MAX_HEADER_BYTES)

    listener = loop.run_until_complete(listen())
    _say_ready(ready, listener.sockets[0].getsockname())
    turn(server, loop)


def serve_ws(server: BriefServer, host: str, port: int, ready: Ready | None = None) -> NoReturn:
    """Serve the first WebSocket client that connects to ``host``:``port``; ends the process with it.

    A connection made by a web page whose origin is not loopback is refused.

    Raises:
        MissingExtra: the package for WebSockets is not installed.
        OSError: the address cannot be listened on.
    """
    try:
        from websockets.asyncio.server import serve as listen
        from websockets.exceptions import ConnectionClosed
    except ImportError as error:
        raise MissingExtra("ws") from error

    loop = open_loop(server)
    is_taken = False

    def admitted(connection: ServerConnection, request: Request) -> Response | None:
        if not all(is_loopback_origin(origin) for origin in request.headers.get_all("Origin")):
            return connection.respond(403, "Only pages of this machine may connect.\n")
        return connection.respond(503, "Another client is connected.\n") if is_taken else None

    async def serve(connection: ServerConnection) -> None:
        nonlocal is_taken
        if is_taken:
            return
        is_taken = True
        writer = _MessageWriter(server, connection)
        server.protocol.set_writer(writer, include_headers=False)
        sending = asyncio.ensure_future(writer.send())
        end = _Ending(server, writer.drained)
        with suppress(ConnectionClosed):
            while True:
                server.protocol.receive(await connection.recv(decode=False))
                await asyncio.sleep(0)
        sending.cancel()
        end(server.protocol.exit_code)

    async def start() -> tuple[str, int]:
        listener = await listen(
            serve,
            host,
            port,
            process_request=admitted,
            max_size=MAX_BODY_BYTES,
            compression=None,
            ping_interval=None,
        )
        host_name, number, *_ = next(iter(listener.sockets)).getsockname()
        return host_name, number

    _say_ready(ready, loop.run_until_complete(start()))
    turn(server, loop)


def is_loopback_origin(origin: str) -> bool:
    """Whether the ``Origin`` of a request is a page of this machine."""
    try:
        parts = urlsplit(origin)
        host = parts.hostname or ""
        if parts.scheme not in ("http", "https"):
            return False
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


class _Ending:
    """Ends the process once what was written has left, or cannot."""

    def __init__(self, server: BriefServer, flush: Callable[[], Awaitable[object]]) -> None:
        self._server = server
        self._flush = flush
        self._task: asyncio.Future[None] | None = None
        server.end = self

    def __call__(self, code: int) -> None:
        if self._task is None:
            self._server.ending.soon(code)
            self._task = asyncio.ensure_future(self._end(code))

    async def _end(self, code: int) -> None:
        with suppress(Exception):
            await asyncio.wait_for(self._flush(), _CLOSING_S)
        self._server.ending.now(code)


async def _closed(writer: asyncio.StreamWriter) -> None:
    writer.close()
    await writer.wait_closed()


def _say_ready(ready: Ready | None, address: tuple[str, int]) -> None:
    if ready is not None:
        ready(address[0], address[1])
