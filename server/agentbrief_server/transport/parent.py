"""Is the editor that started us still there?

Standard input tells it unless a child of the editor still holds the pipe. So the process id that the client
sends with ``initialize`` is looked at every three seconds. An id that cannot be seen from here (the client
runs outside our container) is never watched.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable

POLL_S = 3.0


def watch_parent(pid: int | None, on_gone: Callable[[], object]) -> bool:
    """Call ``on_gone`` from a thread of its own once the process ``pid`` has ended.

    Gives False, and watches nothing, if there is no such process to be seen now.
    """
    if pid is None or pid <= 0 or (first := _identity(pid)) is None:
        return False

    def watch() -> None:
        while (now := _identity(pid)) is not None and (now == first or not now or not first):
            time.sleep(POLL_S)
        on_gone()

    threading.Thread(target=watch, name="parent-watch", daemon=True).start()
    return True


if sys.platform == "win32":
    import ctypes

    def _identity(pid: int) -> str | None:
        """What tells the process ``pid`` from a later one, empty if unknown; None if it is not running.

        ``os.kill(pid, 0)`` would end the process here.
        """
        kernel = ctypes.WinDLL("kernel32", use_last_error=True)
        kernel.OpenProcess.restype = ctypes.c_void_p
        query_limited_information, still_active, access_denied = 0x1000, 259, 5
        handle = kernel.OpenProcess(query_limited_information, False, pid)
        if not handle:
            return "" if ctypes.get_last_error() == access_denied else None
        try:
            code = ctypes.c_ulong()
            known = kernel.GetExitCodeProcess(ctypes.c_void_p(handle), ctypes.byref(code))
            return "" if not known or code.value == still_active else None
        finally:
            kernel.CloseHandle(ctypes.c_void_p(handle))

else:

    def _identity(pid: int) -> str | None:
        """What tells the process ``pid`` from a later one, empty if unknown; None if it is not running.

        A process that has ended but that nobody waited for is not running.
        """
        try:
            os.kill(pid, 0)
        except PermissionError:
            pass
        except (OSError, OverflowError):
            return None
        try:
            with open(f"/proc/{pid}/stat", "rb") as file:
                fields = file.read().rpartition(b")")[2].split()
        except OSError:
            return ""
        return None if fields[0] in (b"Z", b"X") else fields[19].decode("ascii")
