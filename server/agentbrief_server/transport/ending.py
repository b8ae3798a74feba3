"""How does the process end?

Once, with one exit code, and soon, whatever is stuck: a handler that never returns, a client that no longer
reads, a worker thread. Nothing waits for threads: the process leaves by ``os._exit``.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable
from types import FrameType

from agentbrief_server import log

GRACE_S = 0.75
"""How long the event loop may take to come by, and then how long the last duties may take."""

_SIGNALS = ("SIGTERM", "SIGHUP", "SIGBREAK", "SIGINT")


class Ending:
    """The end of this process.

    ``code`` gives the exit code of that moment: 0 after ``shutdown``, else 1. ``leave`` is what ends the
    process, ``os._exit`` but in tests of this class.
    """

    def __init__(self, code: Callable[[], int], leave: Callable[[int], object] = os._exit) -> None:
        self._code = code
        self._leave = leave
        self._duties: list[Callable[[], object]] = []
        self._lock = threading.Lock()
        self._is_leaving = False
        self._is_limited = False

    def before(self, duty: Callable[[], object]) -> None:
        """Have ``duty`` done before the process ends, last come first served: release a lock, stop a child.

        It may run in any thread. It has :data:`GRACE_S` seconds, together with all others.
        """
        self._duties.append(duty)

    def soon(self, code: int | None = None) -> None:
        """Let the process end within twice :data:`GRACE_S` seconds, even if nothing else happens.

        May be called from any thread and from a signal handler. ``code`` None asks for it at that moment.
        """
        if not self._is_limited:
            self._is_limited = True
            threading.Thread(target=self._limit, args=(code,), name="ending", daemon=True).start()

    def now(self, code: int | None = None) -> None:
        """End the process after the last duties. The first call counts."""
        with self._lock:
            if self._is_leaving:
                return
            self._is_leaving = True
        code = self._code() if code is None else code
        threading.Thread(target=self._leave_late, args=(code,), name="last-call", daemon=True).start()
        for duty in reversed(self._duties):
            try:
                duty()
            except Exception:
                log.LOG.exception("A last duty failed")
        self._leave(code)

    def _limit(self, code: int | None) -> None:
        time.sleep(GRACE_S)
        self.now(code)

    def _leave_late(self, code: int) -> None:
        time.sleep(GRACE_S)
        self._leave(code)


def end_on_signals(on_signal: Callable[[int | None], object]) -> None:
    """Have ``on_signal`` called with the exit code (None: as usual) when the system asks us to end.

    Only from the main thread. A signal handler of Python also runs while the main thread waits in a system
    call, which one of the event loop does not.
    """

    def asked(number: int, _frame: FrameType | None) -> None:
        on_signal(130 if number == signal.SIGINT else None)

    for name in _SIGNALS:
        if (number := getattr(signal, name, None)) is not None:
            signal.signal(number, asked)
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_IGN)
