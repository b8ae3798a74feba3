"""Who reads the client's frames, where the system lets the event loop wait for them?

The loop itself: a thread in between costs each message two changes of threads, which is more than most
answers take. A guard sleeps beside it, and reads only while the loop is stuck in something that does not
return: what comes then must still be able to end the process.
"""

from __future__ import annotations

import asyncio
import os
import select
import threading
import time
from collections.abc import Callable

from agentbrief_server import log
from agentbrief_server.brief_server import BriefServer
from agentbrief_server.transport.frames import BrokenStream, FrameBuffer

GUARD_S = 1.0
"""How long something must wait unread until the loop counts as stuck."""

_CHUNK_BYTES = 64 * 1024
_SLICE_S = 0.005
"""How long the loop reads on before it does something else."""
_MAX_WAITING_BYTES = 128 * 1024 * 1024
_MESSAGE_BYTES = 512


class LoopReader:
    """Takes the bodies of the frames on a descriptor on the event loop, as they come.

    ``seen`` hears of each body that the guard read before the loop gets it; ``ended`` is told when the stream
    has ended.
    """

    def __init__(
        self,
        server: BriefServer,
        loop: asyncio.AbstractEventLoop,
        descriptor: int,
        seen: Callable[[bytes], None],
        ended: Callable[[], None],
    ) -> None:
        self._server = server
        self._loop = loop
        self._descriptor = descriptor
        self._seen = seen
        self._ended = ended
        self._buffer = FrameBuffer()
        self._lock = threading.Lock()
        self._turns = 0
        self._posted = self._posted_bytes = 0
        self._is_over = self._is_broken = False

    def start(self) -> bool:
        """Begin to read; False where the loop cannot wait for this descriptor."""
        try:
            self._may_read = _readable(self._descriptor)
            self._loop.add_reader(self._descriptor, self._read_and_take)
        except (AttributeError, NotImplementedError, OSError, ValueError):
            return False
        threading.Thread(target=self._guard, name="guard", daemon=True).start()
        return True

    def _read_and_take(self) -> None:
        if self._is_broken:
            self._loop.remove_reader(self._descriptor)
        elif self._lock.acquire(blocking=False):
            try:
                until = self._loop.time() + _SLICE_S
                while self._read() and self._loop.time() < until and self._may_read():
                    pass
            finally:
                self._lock.release()
            self._take_all()

    def _read(self) -> bool:
        """Read what is there; whether there may be more. The lock is held."""
        try:
            data = os.read(self._descriptor, _CHUNK_BYTES)
        except OSError:
            data = b""
        self._buffer.feed(data)
        self._is_over = not data
        return len(data) == _CHUNK_BYTES

    def _next(self) -> bytes | None:
        with self._lock:
            self._turns += 1
            return self._buffer.take()

    def _take_all(self) -> None:
        """Do what the complete messages say. On the event loop."""
        try:
            while (body := self._next()) is not None:
                if self._posted:
                    # The guard read others before, which the loop has not come to yet.
                    self._loop.call_soon(self._server.protocol.receive, body)
                else:
                    self._server.protocol.receive(body)
            self._server.taken()
        except BrokenStream as problem:
            self._broken(problem)
        else:
            if self._is_over:
                self._end()

    def _broken(self, problem: BrokenStream) -> None:
        log.LOG.error("The client's stream cannot be trusted: %s", str(problem))
        self._is_over = self._is_broken = True
        self._server.leave(1)

    def _end(self) -> None:
        self._loop.remove_reader(self._descriptor)
        self._ended()

    def _guard(self) -> None:
        may_read = _readable(self._descriptor)
        before = -1
        while not self._is_over:
            time.sleep(GUARD_S)
            if self._turns == before and (self._buffer.holds_bytes or may_read()):
                # It may have come just now: the loop gets a last chance.
                time.sleep(GUARD_S / 10)
                if self._turns == before:
                    self._read_for_the_loop(may_read)
            before = self._turns

    def _read_for_the_loop(self, may_read: Callable[[], bool]) -> None:
        """Read what the loop does not come to, and post it to the loop. In the guard's thread."""
        with self._lock:
            try:
                while True:
                    while (body := self._buffer.take()) is not None:
                        self._post(body)
                    if self._is_over or self._posted_bytes > _MAX_WAITING_BYTES or not may_read():
                        break
                    self._read()
            except BrokenStream as problem:
                self._broken(problem)
                return
        if self._is_over:
            self._ended()

    def _post(self, body: bytes) -> None:
        self._posted += 1
        self._posted_bytes += len(body) + _MESSAGE_BYTES
        self._server.call_soon(self._take_posted, body)
        self._seen(body)

    def _take_posted(self, body: bytes) -> None:
        with self._lock:
            self._posted -= 1
            self._posted_bytes -= len(body) + _MESSAGE_BYTES
        self._server.protocol.receive(body)


def _readable(descriptor: int) -> Callable[[], bool]:
    """Whether ``descriptor`` can be read without waiting, to be asked by one thread."""
    poll = select.poll()
    poll.register(descriptor, select.POLLIN | select.POLLHUP)
    return lambda: bool(poll.poll(0))
