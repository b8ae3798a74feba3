"""Which agent wrote this file, by its place and its first bytes?

What tells a format stands in a module of its own, which loads next to nothing of what reads the format.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from agentbrief.sessions.sniff import claude_code, claw_code, codex, openclaw, pi, port_sessions

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


def format_of(head: bytes, path: str) -> str | None:
    """The format of the file at ``path`` that begins with ``head``; None if it is none that is known.

    OpenClaw's transcripts are pi's by their bytes; the place tells them apart.
    """
    for name, sniff in SNIFFERS.items():
        if sniff(head[:SNIFFED_BYTES]):
            return openclaw.FORMAT if name == pi.FORMAT and openclaw.claims(path) else name
    return None
