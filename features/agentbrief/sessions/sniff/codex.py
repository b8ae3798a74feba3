"""Does a rollout of Codex begin so?"""

from __future__ import annotations

from agentbrief.sessions.formats.codex_records import COMPACTED, EVENT, ITEM, META, TURN
from agentbrief.sessions.jsonl.json_tokens import string_in_head
from agentbrief.sessions.jsonl.records import BYTE_ORDER_MARK

FORMAT = "codex"

_OWN_TYPES = frozenset((META, TURN, ITEM, EVENT, COMPACTED))


def sniff(head: bytes) -> bool:
    """Whether a file that begins with ``head`` (a few KiB) is of this format."""
    line = head.removeprefix(BYTE_ORDER_MARK).lstrip().split(b"\n", 1)[0]
    kind = string_in_head(line, "type")
    if kind is not None:
        return kind in _OWN_TYPES and b'"payload"' in line
    is_bare = string_in_head(line, "id") is not None and string_in_head(line, "timestamp") is not None
    return is_bare and b'"instructions"' in line
