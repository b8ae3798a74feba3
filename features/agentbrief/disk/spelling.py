"""May a path be looked at, by its spelling alone?

Refused on every system, because a store moves between systems: control characters, Windows device and network
paths, streams, reserved device names, and another user's home folder.
"""

from __future__ import annotations

import re

_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_DEVICE_NAMES = frozenset(
    ["con", "prn", "aux", "nul", "conin$", "conout$", "clock$"]
    + [f"{name}{digit}" for name in ("com", "lpt") for digit in "123456789\u00b9\u00b2\u00b3"]
)
_DRIVE = re.compile(r"[A-Za-z]:")


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
    for part in re.split(r"[/\\]", rest):
        if is_device_name(part):
            return "device-name"
    return None


def is_device_name(name: str) -> bool:
    """Whether Windows takes ``name`` for a device, whatever stands behind the first dot."""
    return name.split(".", 1)[0].rstrip(" ").lower() in _DEVICE_NAMES
