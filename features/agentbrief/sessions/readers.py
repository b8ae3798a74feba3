"""By what is a file of a format read whole, indexed and sketched?

What reads one format is a dozen modules: only those of the format that is asked for are loaded.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, cast

from agentbrief.disk.values import Stamp
from agentbrief.sessions.model import Session
from agentbrief.sessions.sniff import claude_code, claw_code, codex, openclaw, pi, port_sessions

if TYPE_CHECKING:
    from agentbrief.sessions.jsonl.index_shape import IndexShape
    from agentbrief.sessions.sketch import Sketcher

Reader = Callable[[bytes, str, Stamp | None], Session]
"""Bytes, path and stamp of a file → its session; whatever is wrong with the bytes is part of it."""

AGENT_OF: Mapping[str, str] = {
    claude_code.FORMAT: "claude-code",
    codex.FORMAT: "codex",
    pi.FORMAT: "pi",
    openclaw.FORMAT: "openclaw",
    claw_code.FORMAT: "claw-code",
    port_sessions.FORMAT: "claw",
}
"""Format → the profile of the agent whose sessions have it."""

OWN_FORMATS = frozenset((claw_code.FORMAT, port_sessions.FORMAT))
"""The formats whose files are read whole in any case: one JSON text, or not long."""

TRANSCRIPTS = frozenset(AGENT_OF) - OWN_FORMATS
"""The formats of one record a line, which are indexed and sketched. Also the names of profiles' adapters."""


def reader(form: str) -> Reader:
    """How a file of the format ``form`` is read whole.

    Raises:
        KeyError: there is no such format.
    """
    match form:
        case claude_code.FORMAT:
            from agentbrief.sessions.formats.claude_code import read as read_claude_code

            return read_claude_code
        case codex.FORMAT:
            from agentbrief.sessions.formats.codex import read as read_codex

            return read_codex
        case pi.FORMAT:
            from agentbrief.sessions.formats.pi import read as read_pi

            return read_pi
        case openclaw.FORMAT:
            from agentbrief.sessions.formats.openclaw import read as read_openclaw

            return read_openclaw
        case claw_code.FORMAT:
            from agentbrief.sessions.formats.claw_code import read as read_claw_code

            return read_claw_code
        case port_sessions.FORMAT:
            from agentbrief.sessions.formats.port_sessions import read as read_port_sessions

            return read_port_sessions
        case _:
            raise KeyError(form)


def index_shape(form: str) -> IndexShape[object]:
    """What the index of a transcript of the format ``form`` keeps.

    Raises:
        KeyError: ``form`` is none of :data:`TRANSCRIPTS`.
    """
    match form:
        case claude_code.FORMAT:
            from agentbrief.sessions.formats.claude_index import CLAUDE_INDEX

            return cast("IndexShape[object]", CLAUDE_INDEX)
        case codex.FORMAT:
            from agentbrief.sessions.formats.codex_index import CODEX_INDEX

            return cast("IndexShape[object]", CODEX_INDEX)
        case pi.FORMAT | openclaw.FORMAT:
            from agentbrief.sessions.formats.pi_index import PI_INDEX

            return cast("IndexShape[object]", PI_INDEX)
        case _:
            raise KeyError(form)


def sketcher(form: str) -> Sketcher:
    """How a transcript of the format ``form`` is sketched.

    Raises:
        KeyError: ``form`` is none of :data:`TRANSCRIPTS`.
    """
    match form:
        case claude_code.FORMAT:
            from agentbrief.sessions.formats.claude_sketch import ClaudeSketcher

            return ClaudeSketcher()
        case codex.FORMAT:
            from agentbrief.sessions.formats.codex_sketch import CodexSketcher

            return CodexSketcher()
        case pi.FORMAT | openclaw.FORMAT:
            from agentbrief.sessions.formats.pi_sketch import PiSketcher

            return PiSketcher()
        case _:
            raise KeyError(form)
