"""Loaded by the servers that tests start: writes down whatever Agent Brief promises never to do.

AUDIT_FILE names where. Events: a program started, a connection made, foreign code loaded, and each file
opened for writing outside the folders that AUDIT_MAY_WRITE lists.
"""

import os
import sys

_NEVER = (
    "subprocess.Popen",
    "os.exec",
    "os.posix_spawn",
    "os.fork",
    "os.system",
    "socket.connect",
    "ctypes.dlopen",
)
_CHANGES = (
    "os.rename",
    "os.remove",
    "os.rmdir",
    "os.mkdir",
    "os.truncate",
    "os.link",
    "os.symlink",
    "os.chmod",
)
_file = os.environ.get("AUDIT_FILE", "")
_may_write = tuple(filter(None, os.environ.get("AUDIT_MAY_WRITE", "").split(os.pathsep)))
_busy = False


def _told(text):
    global _busy
    _busy = True
    try:
        with open(_file, "a", encoding="utf-8", errors="backslashreplace") as file:
            file.write(text + "\n")
    finally:
        _busy = False


def _is_allowed(path):
    if isinstance(path, int) or path is None:
        return True
    path = os.path.abspath(os.fsdecode(path))
    return path.startswith(_may_write) or path.startswith("/dev/") or "__pycache__" in path


def _hook(event, arguments):
    if _busy:
        return
    if event.startswith(_NEVER):
        if event == "ctypes.dlopen" and arguments and arguments[0] is None:
            return
        _told(f"{event} {arguments!r}")
    elif event == "open":
        path, mode, flags = arguments
        writes = (isinstance(mode, str) and set(mode) & set("wax+")) or (
            isinstance(flags, int) and flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC)
        )
        if writes and not _is_allowed(path):
            _told(f"open for writing {path!r}")
    elif event in _CHANGES and not _is_allowed(arguments[0]):
        _told(f"{event} {arguments!r}")


if _file:
    sys.addaudithook(_hook)
