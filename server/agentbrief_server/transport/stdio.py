"""How do frames come in and go out over standard input and output?

The event loop reads frames itself where the system lets it wait for them. Elsewhere (Windows, input from a
plain file) one daemon thread reads them and posts their bodies to the loop; nothing else runs in it. A frame
is one write. The process ends by :mod:`agentbrief_server.transport.ending`.
"""

from __future__ import annotations

import asyncio
import os
import threading
import time
from contextlib import suppress
from typing import NoReturn

from agentbrief import jsonio
from agentbrief_server import log
from agentbrief_server.brief_server import BriefServer
from agentbrief_server.transport.ending import end_on_signals
from agentbrief_server.transport.frames import BrokenStream, read_frames
from agentbrief_server.transport.loop_reader import LoopReader
from agentbrief_server.transport.start import claim_descriptors

_BUFFER_BYTES = 64 * 1024
_SHORT_BYTES = 256
_MESSAGE_BYTES = 512
_MAX_WAITING_BYTES = 128 * 1024 * 1024
"""How far the reader may run ahead of the event loop, each message counted with what it costs to hold it."""


class DescriptorWriter:
    """Writes whole frames to a descriptor, one at a time, from any thread."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._lock = threading.Lock()

    def write(self, data: bytes) -> None:
        """Write all of ``data``.

        Raises:
            OSError: nobody reads any more.
        """
        with self._lock:
            written = os.write(self._descriptor, data)
            while written < len(data):
                written += os.write(self._descriptor, memoryview(data)[written:])

    def close(self) -> None:
        """Nothing: the process ends with the stream."""


def serve_stdio(server: BriefServer) -> NoReturn:
    """Serve the client at standard input and output. Ends the process, with the exit code LSP asks for.

    :func:`agentbrief_server.transport.start.claim_descriptors` should have been called before the first
    import that could print; it is called here if it was not.
    """
    try:
        descriptors = claim_descriptors()
    except OSError:
        os._exit(1)
    server.protocol.set_writer(DescriptorWriter(descriptors.writing))
    loop = open_loop(server)
    reader = _Reader(server, descriptors.reading)
    on_the_loop = LoopReader(server, loop, descriptors.reading, reader.look_for_the_end, reader.end)
    if not on_the_loop.start():
        reader.start()
    turn(server, loop)


def open_loop(server: BriefServer) -> asyncio.AbstractEventLoop:
    """The event loop of ``server``, with the log and the signals seen to."""
    log.take_over()
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    server.loop = loop
    server.ending.before(_keep_the_log)
    if threading.current_thread() is threading.main_thread():
        end_on_signals(server.leave)
    return loop


def turn(server: BriefServer, loop: asyncio.AbstractEventLoop) -> NoReturn:
    """Let ``loop`` run until the process ends. A handler that calls ``sys.exit`` does not end it."""
    while True:
        try:
            loop.run_forever()
        except (SystemExit, KeyboardInterrupt):
            log.LOG.error("A handler tried to end the process")
        if loop.is_closed():
            server.ending.now(1)


def _keep_the_log() -> None:
    """Write down what happened before a client named the folder of the log."""
    if log.FILE.holds_lines and not log.FILE.is_open:
        folder = log.storage_folder(None, os.environ)
        if folder is not None:
            log.FILE.open(folder)


class _Reader:
    """Posts the bodies of the frames on a descriptor to the event loop, from a thread of its own."""

    def __init__(self, server: BriefServer, descriptor: int) -> None:
        self._server = server
        self._descriptor = descriptor
        self._posted_bytes = self._taken_bytes = 0
        self._saw_shutdown = False

    def start(self) -> None:
        threading.Thread(target=self._read, name="reader", daemon=True).start()

    def _read(self) -> None:
        try:
            for body in read_frames(os.fdopen(self._descriptor, "rb", _BUFFER_BYTES)):
                self._posted_bytes += len(body) + _MESSAGE_BYTES
                self._server.call_soon(self._take, body)
                self.look_for_the_end(body)
                while self._posted_bytes - self._taken_bytes > _MAX_WAITING_BYTES:
                    time.sleep(0.01)
        except BrokenStream as problem:
            log.LOG.error("The client's stream cannot be trusted: %s", str(problem))
            self._server.leave(1)
            return
        except OSError:
            pass
        except Exception:  # a server that no longer reads must not stay
            log.LOG.exception("Reading failed")
            self._server.leave(1)
            return
        self.end()

    def end(self) -> None:
        """The stream has ended: so does the process."""
        self._server.ending.soon(self._late_code)
        self._server.leave()

    def _take(self, body: bytes) -> None:
        self._taken_bytes += len(body) + _MESSAGE_BYTES
        self._server.protocol.receive(body)

    def look_for_the_end(self, body: bytes) -> None:
        """See to it that ``exit`` ends the process even if the event loop is busy for ever."""
        if len(body) > _SHORT_BYTES or not (b'"exit"' in body or b'"shutdown"' in body):
            return
        with suppress(ValueError):
            message = jsonio.loads(body)
            method = message.get("method") if isinstance(message, dict) else None
            self._saw_shutdown = self._saw_shutdown or method == "shutdown"
            if method == "exit":
                self._server.ending.soon(self._late_code)

    @property
    def _late_code(self) -> int | None:
        """The exit code if the event loop never gets to what was posted."""
        return 0 if self._saw_shutdown else None
