"""May a word be the identifier of a session, and so a part of a file name?

Checked before any path is built (claw.md 7.1, reliability.md S1).
"""

from __future__ import annotations

import re

from agentbrief.disk.spelling import is_device_name

_IDENTIFIER = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}")


def valid_id(text: str) -> bool:
    """Whether ``text`` may be one: plain ASCII, no final dot, no device name before the first dot."""
    return _IDENTIFIER.fullmatch(text) is not None and not text.endswith(".") and not is_device_name(text)
