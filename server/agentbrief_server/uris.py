"""Which file does a URI name, and which URI names a file?

A URI comes from outside. What it may not say is refused by its spelling, before anything is opened.
"""

from __future__ import annotations

import os
import re
from functools import lru_cache
from urllib.parse import quote

from agentbrief.disk.spelling import refused_spelling

_MAX_PATH_BYTES = 4096
_MAX_NAME_BYTES = 255
_FILE = re.compile(r"file:(?://([^/]*))?(/.*)", re.IGNORECASE | re.DOTALL)
_ESCAPE = re.compile(rb"%(?:([0-9A-Fa-f]{2})|.?)", re.DOTALL)
_NEVER = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u2028\u2029\\]|%(?:2[ef]|5c|25|[01][0-9a-f]|7f|c[01]|u[0-9a-f]{4})", re.IGNORECASE
)
"""Characters no path holds here, and escapes that are still there once a URI was unescaped."""
_DRIVE = re.compile(r"/[A-Za-z]:(?=/|$)")


@lru_cache(maxsize=256)
def path_of(uri: str) -> str | None:
    """The absolute path a ``file`` URI names, with forward slashes; None if it is refused.

    Refused are other schemes, hosts, queries and fragments, escapes that are no UTF-8 or that hide a
    separator or another escape, control characters, ``..``, device and network names, and what is longer than
    a path may be. The answer says nothing about whether the file exists or may be read.
    """
    found = _FILE.fullmatch(uri) if len(uri) <= 4 * _MAX_PATH_BYTES else None
    if found is None or (found[1] or "").lower() not in ("", "localhost"):
        return None
    if "?" in found[2] or "#" in found[2] or re.search("%(2f|5c)", found[2], re.IGNORECASE):
        return None
    try:
        path = _unescaped(found[2].encode("utf-8")).decode("utf-8")
    except ValueError:
        return None
    if _NEVER.search(path) or len(path.encode("utf-8")) > _MAX_PATH_BYTES:
        return None
    if _DRIVE.match(path):
        if os.name != "nt":
            return None
        path = path[1].upper() + path[2:]
    names = path.split("/")
    if ".." in names or any(len(name.encode("utf-8")) > _MAX_NAME_BYTES for name in names):
        return None
    if refused_spelling(path):
        return None
    start = "/" if path.startswith("/") else ""
    return start + "/".join(name for name in names if name not in ("", "."))


def path_within(uri: str, folders: tuple[str, ...]) -> str | None:
    """As :func:`path_of`, and None unless the path lies, by its spelling, in one of ``folders``.

    Links are not followed: what is read is looked at once more by ``agentbrief.disk``.
    """
    path = path_of(uri)
    if path is None:
        return None
    return (
        path
        if any(path == folder or path.startswith(folder.rstrip("/") + "/") for folder in folders)
        else None
    )


def uri_of(path: str) -> str:
    """The ``file`` URI of an absolute ``path``. All but letters, digits, ``-._~`` and slashes is escaped."""
    slashed = path.replace("\\", "/") if os.name == "nt" else path
    octets = slashed.encode("utf-8", "surrogateescape")
    return "file://" + ("" if slashed.startswith("/") else "/") + quote(octets, safe="/~")


def _unescaped(octets: bytes) -> bytes:
    def character(escape: re.Match[bytes]) -> bytes:
        if escape[1] is None:
            raise ValueError("an escape that is none")
        return bytes([int(escape[1], 16)])

    return _ESCAPE.sub(character, octets)
