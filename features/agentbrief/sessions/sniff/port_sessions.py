"""Does a session of the workspace's own begin so?"""

from __future__ import annotations

import re

FORMAT = "port-sessions"

_KEYS = tuple(re.compile(rf'"{key}"\s*:') for key in ("session_id", "messages"))
_COUNT = re.compile(r'"(?:input|output)_tokens"\s*:')
_VERSION = re.compile(r'"version"\s*:')


def sniff(head: bytes) -> bool:
    """Whether a file that begins with ``head`` (a few KiB) looks like a session of the workspace's own."""
    text = head.decode("utf-8", "ignore").lstrip(" \t\r\n")
    if not text.startswith("{") or not all(pattern.search(text) for pattern in _KEYS):
        return False
    return _VERSION.search(text) is None or (_COUNT.search(text) is not None and '"blocks"' not in text)
