"""Does a transcript of pi begin so?"""

from __future__ import annotations

from agentbrief.sessions.jsonl.json_tokens import string_in_head
from agentbrief.sessions.jsonl.records import BYTE_ORDER_MARK

FORMAT = "pi"


def sniff(head: bytes) -> bool:
    """Whether a file that begins with ``head`` is of this format. OpenClaw's files begin the same way.

    Its first line that is not blank is the header of a session, as far as ``head`` shows it.
    """
    line = head.removeprefix(BYTE_ORDER_MARK).lstrip().split(b"\n", 1)[0]
    return (
        line.startswith(b"{")
        and string_in_head(line, "type") == "session"
        and string_in_head(line, "id") is not None
    )
