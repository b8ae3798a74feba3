"""Where do the sessions of a workspace lie, in which order are they listed, and which one is meant?

Source: claw.md 5.6; ultraworkers/claw-code rust/crates/runtime/src/session_control.rs@08106b0c.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from agentbrief.disk.values import Stamp

ALIASES = frozenset({"latest", "last", "recent"})
"""References that mean the newest session with a message."""

_FNV_OFFSET = 0xCBF29CE484222325
_FNV_PRIME = 0x100000001B3
_ROTATED = re.compile(r"(.+)\.rot-[^/\\]*\.jsonl", re.IGNORECASE | re.DOTALL)
_OURS = ".agentbrief"


def fingerprint(workspace: str) -> str:
    """The 16 hexadecimal digits that stand for the canonical path ``workspace``: FNV-1a 64 of its UTF-8."""
    found = _FNV_OFFSET
    for byte in workspace.encode("utf-8", "surrogatepass"):
        found = (found ^ byte) * _FNV_PRIME & 0xFFFFFFFFFFFFFFFF
    return f"{found:016x}"


def session_folders(workspace: str) -> tuple[str, str]:
    """The folder of the sessions of ``workspace`` (a real path), and the older one without a fingerprint."""
    older = f"{workspace.rstrip('/')}/.claw/sessions"
    return f"{older}/{fingerprint(workspace)}", older


def rotated_copy_of(name: str) -> str | None:
    """The stem of the session that ``name`` is a rotated copy of, None for any other file name."""
    found = _ROTATED.fullmatch(name)
    return found[1] if found else None


def is_session_name(name: str) -> bool:
    """Whether a file of that name in a session folder may be a session: rotated copies and our files are
    none.
    """
    return name.endswith((".jsonl", ".json")) and not name.startswith(_OURS) and rotated_copy_of(name) is None


def will_rotate(size_bytes: int, rotate_after_bytes: int) -> bool:
    """Whether claw-code would rename a file of ``size_bytes`` before its next save (profile data).

    We never do.
    """
    return size_bytes >= rotate_after_bytes


@dataclass(frozen=True, slots=True)
class Listed:
    """A session as a list shows it; times in ms since 1970.

    ``unreadable`` is why its file could not be read, with 0 messages then. ``is_foreign``: it belongs to
    another workspace and is opened for reading only. ``rotated`` are the names of its rotated copies, newest
    name first; ``stamp`` is the version of the file that was looked at. ``tokens`` by claw-code's formula;
    ``turns`` are messages that a person typed, ``first`` and ``last`` the starts of the first and the last
    message with words.
    """

    id: str
    path: str
    updated_at_ms: int
    mtime_ms: int
    messages: int
    unreadable: str | None = None
    workspace_root: str | None = None
    is_foreign: bool = False
    title: str = ""
    rotated: tuple[str, ...] = ()
    stamp: Stamp | None = None
    tokens: int = 0
    turns: int = 0
    first: str = ""
    last: str = ""

    @property
    def shown_ms(self) -> int:
        """When it changed last: an appended message does not touch the time that the file names."""
        return max(self.updated_at_ms, self.mtime_ms)


def in_order(sessions: Iterable[Listed]) -> tuple[Listed, ...]:
    """``sessions`` as a list shows them: newest by their own time first, then by the file's, then by id."""
    return tuple(sorted(sessions, key=lambda one: (one.updated_at_ms, one.mtime_ms, one.id), reverse=True))


def referred(reference: str, sessions: Iterable[Listed]) -> Listed | None:
    """The session that ``reference`` means: an alias, an identifier or a path; None if there is none.

    An alias and an identifier never lead into another workspace; a path does, as it names it. Of two files
    with one identifier the JSONL form comes first.
    """
    found = in_order(sessions)
    own = [one for one in found if not one.is_foreign]
    if reference in ALIASES:
        return next((one for one in own if one.messages), None)
    named = [one for one in own if reference in (one.id, _stem(one.path))]
    named.sort(key=lambda one: not one.path.endswith(".jsonl"))
    return next(iter(named), None) or next((one for one in found if one.path == reference), None)


def _stem(path: str) -> str:
    return re.split(r"[/\\]", path)[-1].rpartition(".")[0]
