"""Which agent wrote this file, by its place and its first bytes?"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import cast

from agentbrief.sessions.formats import claude_code, claw_code, codex, openclaw, pi, port_sessions
from agentbrief.sessions.formats.claude_index import CLAUDE_INDEX
from agentbrief.sessions.formats.codex_index import CODEX_INDEX
from agentbrief.sessions.formats.pi_index import PI_INDEX
from agentbrief.sessions.jsonl.index_shape import IndexShape

SNIFFED_BYTES = 4096
"""How much of a file's start is enough."""

SNIFFERS: Mapping[str, Callable[[bytes], bool]] = {
    codex.FORMAT: codex.sniff,
    pi.FORMAT: pi.sniff,
    claude_code.FORMAT: claude_code.sniff,
    port_sessions.FORMAT: port_sessions.sniff,
    claw_code.FORMAT: claw_code.sniff,
}
"""Format → whether a file that begins so is of it, in the order they are asked."""

INDEX_SHAPES: Mapping[str, IndexShape[object]] = {
    claude_code.FORMAT: cast("IndexShape[object]", CLAUDE_INDEX),
    codex.FORMAT: cast("IndexShape[object]", CODEX_INDEX),
    pi.FORMAT: cast("IndexShape[object]", PI_INDEX),
    openclaw.FORMAT: cast("IndexShape[object]", PI_INDEX),
}
"""Format → what the index of its files keeps."""


def format_of(head: bytes, path: str) -> str | None:
    """The format of the file at ``path`` that begins with ``head``; None if it is none that is known.

    OpenClaw's transcripts are pi's by their bytes; the place tells them apart.
    """
    for name, sniff in SNIFFERS.items():
        if sniff(head[:SNIFFED_BYTES]):
            return openclaw.FORMAT if name == pi.FORMAT and openclaw.claims(path) else name
    return None
