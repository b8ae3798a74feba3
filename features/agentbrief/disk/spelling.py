"""May a path be looked at, by its spelling alone? Is a text an identifier?

Refused on every system, because a store moves between systems: control characters, Windows device and network
paths, streams, reserved device names, and another user's home folder. A path that data or a client names
(:func:`path_below`) is judged harder than one that a person chose in the file system.
"""

from __future__ import annotations

import os
import re

_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_UNSEEN = re.compile(r"[\x80-\x9f\u2028\u2029\ud800-\udfff]")
_DEVICE_NAMES = frozenset(
    ["con", "prn", "aux", "nul", "conin$", "conout$", "clock$"]
    + [f"{name}{digit}" for name in ("com", "lpt") for digit in "123456789\u00b9\u00b2\u00b3"]
)
_DRIVE = re.compile(r"[A-Za-z]:")
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}")
_ENCODED = re.compile(r"%(?:[0-9A-Fa-f]{2}|[uU][0-9A-Fa-f]{4})")
_SEPARATOR = re.compile(r"[/\\]")
_MAX_NAME_BYTES = 255
_MAX_PATH_BYTES = 4096


def refused_spelling(path: str) -> str | None:
    """Why ``path`` is refused by its spelling, as one word for a log; None when it may be looked at."""
    if not path:
        return "empty"
    if _CONTROL.search(path):
        return "control-character"
    if path.startswith(("\\\\", "//", "\\??\\", "\\?")):
        return "network-or-device-path"
    if path.startswith("~") and not path.startswith(("~/", "~\\")) and path != "~":
        return "home-of-another-user"
    rest = path[2:] if _DRIVE.match(path) and path[2:3] in ("/", "\\") else path
    if _DRIVE.match(rest):
        return "drive-relative"
    for part in _SEPARATOR.split(rest):
        if is_device_name(part):
            return "device-name"
    return None


def is_device_name(name: str) -> bool:
    """Whether Windows takes ``name`` for a device, whatever stands behind the first dot."""
    return name.split(".", 1)[0].rstrip(" ").lower() in _DEVICE_NAMES


def valid_id(text: str) -> bool:
    """Whether ``text`` is an identifier that may become a file name on every system.

    A session, checkpoint, agent or job id: 1 to 128 ASCII letters, digits, ``.``, ``_``, ``-``, the first a
    letter or digit, the last no dot, no reserved device name. Source: openclaw/openclaw
    src/config/sessions/paths.ts, with the names that Windows reserves left out.
    """
    return bool(_ID.fullmatch(text)) and not text.endswith(".") and not is_device_name(text)


def refused_relative(text: str) -> str | None:
    """Why a path below a folder is refused by its spelling, as one word for a log; None if it may be joined.

    Each part must be a plain name on every system: no ``.`` or ``..``, no final dot or blank, no colon.
    """
    if reason := refused_spelling(text):
        return reason
    if _UNSEEN.search(text):
        return "invisible-or-undecodable"
    if text.startswith(("/", "\\", "~")):
        return "absolute"
    if ":" in text:
        return "stream-or-scheme"
    if _ENCODED.search(text):
        return "percent-encoded"
    for part in _SEPARATOR.split(text):
        if part and part.rstrip(". ") != part:
            return "dots-or-blanks"
        if len(part.encode("utf-8")) > _MAX_NAME_BYTES:
            return "too-long"
    return "too-long" if len(text.encode("utf-8")) > _MAX_PATH_BYTES else None


def path_below(root: str, text: str) -> str | None:
    """The path below the folder ``root`` that data or a client names by ``text``; None if it is refused.

    ``text`` is relative, or begins with ``root`` itself. The spelling alone is judged: whether a link leads
    out is seen when it is opened.
    """
    prefix = root if root.endswith(os.sep) else root + os.sep
    relative = text[len(prefix) :] if text.startswith(prefix) else text
    if refused_relative(relative):
        return None
    parts = [part for part in relative.split("/") if part]
    return os.path.join(root, *parts) if parts else None
