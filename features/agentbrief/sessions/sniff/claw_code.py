"""Does a session of claw-code begin so?"""

from __future__ import annotations

import re

FORMAT = "claw-code"

_TYPE = re.compile(r'"type"\s*:\s*"(session_meta|prompt_history)"')
_MESSAGE_LINE = re.compile(r'"type"\s*:\s*"message"')
_COMPACTION_LINE = re.compile(r'"removed_message_count"\s*:')
_VERSION = re.compile(r'"version"\s*:')
_MESSAGES = re.compile(r'"messages"\s*:')
_BLOCKS = re.compile(r'"blocks"\s*:')


def sniff(head: bytes) -> bool:
    """Whether a file that begins with ``head`` (a few KiB) looks like a session of claw-code."""
    text = head.decode("utf-8", "ignore").lstrip("\ufeff \t\r\n")
    if not text.startswith("{"):
        return False
    first = text.partition("\n")[0]
    if _TYPE.search(first) or _COMPACTION_LINE.search(first):
        return True
    if _MESSAGE_LINE.search(first) and _BLOCKS.search(first):
        return True
    return bool(_MESSAGES.search(text) and (_VERSION.search(text) or _BLOCKS.search(text)))
