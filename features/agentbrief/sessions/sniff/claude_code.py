"""Does a transcript of Claude Code begin so?"""

from __future__ import annotations

from agentbrief.sessions.jsonl.json_tokens import string_in_head
from agentbrief.sessions.jsonl.records import BYTE_ORDER_MARK

FORMAT = "claude-code"

_OWN_KEYS = ("sessionId", "leafUuid", "parentUuid", "uuid")
_OWN_TYPES = frozenset(("file-history-snapshot", "file-history-delta", "attribution-snapshot"))
_SNIFFED_LINES = 8


def sniff(head: bytes) -> bool:
    """Whether a file that begins with ``head`` (a few KiB) is of this format."""
    for line in head.removeprefix(BYTE_ORDER_MARK).split(b"\n")[:_SNIFFED_LINES]:
        kind = string_in_head(line, "type")
        if kind in _OWN_TYPES or (b'"isSidechain"' in line and b'"payload"' not in line):
            return True
        if kind is not None and any(string_in_head(line, key) for key in _OWN_KEYS):
            return True
    return False
