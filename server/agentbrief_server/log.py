"""What may be logged?

Never the text of a file, a parameter, a transcript, or the text of an exception, which may quote one: of an
exception its type and the places it came through are written. Of other packages' records (pygls writes whole
messages) only where they come from is written. The log goes to a file or nowhere, never to standard error,
which may be dead.
"""

from __future__ import annotations

import faulthandler
import logging
import os
import stat
import sys
import time
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress

LOG = logging.getLogger("agentbrief_server")

MAX_FILE_BYTES = 256 * 1024
KEPT_FILES = 2
"""Older log files that are kept, ``agentbrief.log.1`` being the newest."""

_FILE_NAME = "agentbrief.log"
_OWN = ("agentbrief", "agentbrief_server")
_HELD_LINES = 200


def line_of(record: logging.LogRecord) -> str:
    """``record`` as one line without its end."""
    when = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(record.created))
    is_ours = record.name.partition(".")[0] in _OWN
    said = _message(record) if is_ours else f"{record.funcName}:{record.lineno}"
    error = record.exc_info[1] if record.exc_info else None
    parts = [when, record.levelname, record.name, said] + ([described(error)] if error is not None else [])
    return " ".join(" ".join(parts).split())


def described(error: BaseException) -> str:
    """The type of ``error`` and the places it came through, innermost first, without its text."""
    places: list[str] = []
    trace = error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        places.append(f"{os.path.basename(code.co_filename)}:{trace.tb_lineno} {code.co_name}")
        trace = trace.tb_next
    names = [type(error).__name__]
    if error.__cause__ is not None:
        names.append(type(error.__cause__).__name__)
    return f"[{' from '.join(names)}] " + " < ".join(reversed(places[-12:]))


def _message(record: logging.LogRecord) -> str:
    if isinstance(record.args, tuple):
        args = tuple(type(arg).__name__ if isinstance(arg, BaseException) else arg for arg in record.args)
        return str(record.msg) % args if args else str(record.msg)
    return record.getMessage()


class LogFile(logging.Handler):
    """Writes lines to a file of mode 0600 and starts a new one when it is full.

    Until :meth:`open` names the folder, the newest lines wait in memory. A failing disk loses lines, nothing
    else. Several processes may share the file: each line is one appending write.
    """

    def __init__(self) -> None:
        super().__init__()
        self._held: deque[str] = deque(maxlen=_HELD_LINES)
        self._path: str | None = None
        self._descriptor = -1

    @property
    def is_open(self) -> bool:
        return self._descriptor >= 0

    @property
    def holds_lines(self) -> bool:
        """Whether lines wait for a file."""
        return bool(self._held)

    def open(self, folder: str) -> bool:
        """Write to ``folder`` from now on; it is made, mode 0700, if it is not there. False if that fails."""
        self.acquire()
        try:
            os.makedirs(folder, mode=0o700, exist_ok=True)
            self._path = os.path.join(folder, _FILE_NAME)
            self._open_file()
            while self._held:
                self._write(self._held.popleft())
        except (OSError, ValueError):
            return False
        finally:
            self.release()
        return True

    def emit(self, record: logging.LogRecord) -> None:
        with suppress(Exception):
            line = line_of(record)
            if self.is_open:
                self._write(line)
            else:
                self._held.append(line)

    def _write(self, line: str) -> None:
        with suppress(OSError):
            os.write(self._descriptor, (line + "\n").encode("utf-8", "backslashreplace"))
            if os.fstat(self._descriptor).st_size >= MAX_FILE_BYTES:
                self._rotate()

    def _open_file(self) -> None:
        assert self._path is not None
        flags = (
            os.O_WRONLY
            | os.O_APPEND
            | os.O_CREAT
            | getattr(os, "O_NOFOLLOW", 0)
            | getattr(os, "O_NONBLOCK", 0)
        )
        descriptor = os.open(self._path, flags, 0o600)
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            os.close(descriptor)
            raise OSError("not a plain file")
        if os.name == "posix" and status.st_mode & 0o077:
            os.fchmod(descriptor, 0o600)
        faulthandler.enable(file=descriptor)
        if self.is_open:
            os.close(self._descriptor)
        self._descriptor = descriptor

    def _rotate(self) -> None:
        assert self._path is not None
        for number in range(KEPT_FILES, 0, -1):
            older = self._path if number == 1 else f"{self._path}.{number - 1}"
            with suppress(FileNotFoundError):
                os.replace(older, f"{self._path}.{number}")
        self._open_file()


class ClientLog(logging.Handler):
    """Says our own records to the client as well.

    ``say`` gets the type of message (1 error to 4 log) and the line, and may itself write log records: what
    is logged while a line is said is not said again, and records of pygls never are.
    """

    def __init__(self, say: Callable[[int, str], object]) -> None:
        super().__init__()
        self._say = say
        self._is_saying = False

    def emit(self, record: logging.LogRecord) -> None:
        if self._is_saying or record.name.partition(".")[0] not in _OWN:
            return
        self._is_saying = True
        try:
            kind = 1 if record.levelno >= logging.ERROR else 2 if record.levelno >= logging.WARNING else 4
            with suppress(Exception):
                self._say(kind, line_of(record))
        finally:
            self._is_saying = False


FILE = LogFile()
"""The log of this process."""


def take_over() -> None:
    """Make :data:`FILE` the only place that log records go to. Crashes of the interpreter follow it."""
    logging.raiseExceptions = False
    logging.lastResort = None
    root = logging.getLogger()
    root.handlers[:] = [FILE]
    root.setLevel(logging.WARNING)
    set_verbose(False)
    with suppress(OSError, ValueError):
        faulthandler.enable(file=2)


def set_verbose(verbose: bool) -> None:
    """Log what our own packages do, not only what went wrong (``agentbrief.trace.server``).

    pygls stays at WARNING: below that it logs whole messages.
    """
    for name in _OWN:
        logging.getLogger(name).setLevel(logging.DEBUG if verbose else logging.WARNING)
    for name in ("pygls", "asyncio", "websockets"):
        logging.getLogger(name).setLevel(logging.WARNING)


def storage_folder(given: object, environment: Mapping[str, str]) -> str | None:
    """The absolute folder of logs and generated files; it need not exist.

    ``given`` is what the client named (``initializationOptions.client.storage``); without an absolute path
    there, the user's cache folder. None if there is none either.
    """
    if isinstance(given, str) and os.path.isabs(given) and "\0" not in given:
        return given
    home = environment.get("HOME", "")
    if sys.platform == "win32":
        cache = environment.get("LOCALAPPDATA", "")
    elif sys.platform == "darwin":
        cache = environment.get("XDG_CACHE_HOME") or (home and os.path.join(home, "Library", "Caches"))
    else:
        cache = environment.get("XDG_CACHE_HOME", "")
        if not os.path.isabs(cache):
            cache = home and os.path.join(home, ".cache")
    return os.path.join(cache, "agentbrief") if os.path.isabs(cache) else None
