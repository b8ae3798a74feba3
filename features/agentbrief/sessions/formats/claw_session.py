"""What does a session file of claw-code say beside its messages?

The two forms, JSON version 1 and JSONL, hold the same fields; which of them a file really holds is kept, so
that a rewritten file holds no more.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from agentbrief.jsonio import JsonValue
from agentbrief.sessions.formats.claw_records import Compaction, Fork, PromptEntry
from agentbrief.sessions.model import Damage, Message, Slice

Form = Literal["json", "jsonl"]
Profile = Literal["claw", "claw-code"]

VERSION = 1
"""The version that is written."""

_NUMBERED_ID = re.compile(r"session-\+?([0-9]+)-.+", re.DOTALL)
_MAX_UINT64 = (1 << 64) - 1


@dataclass(frozen=True, slots=True)
class ClawSession:
    """A session of claw-code. Times in ms since 1970.

    ``derived`` names the fields that the file does not hold and that were worked out. ``extra`` are top-level
    keys that the format does not know, or whose value it ignores. ``raw`` are the values the messages were
    read from, None for one that was added since; ``prompt_slices`` all lines of prompts, also of bad ones.
    """

    form: Form
    session_id: str
    created_at_ms: int
    updated_at_ms: int
    version: int = VERSION
    messages: tuple[Message, ...] = ()
    compaction: Compaction | None = None
    fork: Fork | None = None
    workspace_root: str | None = None
    model: str | None = None
    prompt_history: tuple[PromptEntry, ...] = ()
    extra: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue], hash=False)
    derived: frozenset[str] = frozenset()
    raw: tuple[JsonValue, ...] = field(default=(), hash=False, compare=False)
    prompt_slices: tuple[Slice, ...] = ()

    def with_message(self, message: Message, now_ms: int) -> ClawSession:
        """The session with one message more, changed at ``now_ms``."""
        return replace(
            self,
            messages=(*self.messages, message),
            raw=(*self.raw, *[None] * (len(self.messages) - len(self.raw)), None),
            updated_at_ms=now_ms,
        )


@dataclass(frozen=True, slots=True)
class Loaded:
    """A session file that was read strictly.

    ``issues`` are what is odd about it, one entry a code and line, line 0 for the file; ``is_torn``: its last
    line is cut, and nothing may be written to it before that is repaired.
    """

    session: ClawSession
    issues: tuple[Damage, ...] = ()
    is_torn: bool = False

    @property
    def codes(self) -> frozenset[str]:
        """The words of the issues."""
        return frozenset(issue.code for issue in self.issues)


@dataclass(frozen=True, slots=True)
class NotLoaded:
    """Why a file is no session: the word for it, the line from 1 (0: the file), and the part at fault."""

    code: str
    line: int = 0
    detail: str = ""


def created_in_id(session_id: str) -> int | None:
    """The time (ms) in an identifier ``session-<ms>-<suffix>``, None in any other."""
    found = _NUMBERED_ID.fullmatch(session_id)
    if found is None or len(found[1].lstrip("0")) > len(str(_MAX_UINT64)):
        return None
    created = int(found[1].lstrip("0") or "0")
    return created if created <= _MAX_UINT64 else None


def new_session_id(now_ms: int, counter: int) -> str:
    """The identifier of a session that begins at ``now_ms``, the ``counter``-th of its process."""
    return f"session-{now_ms}-{counter}"


def clock_ms(now_ms: int, last_ms: int) -> int:
    """``now_ms``, moved past ``last_ms``: inside a process no two times are equal and none goes back."""
    return max(now_ms, last_ms + 1)
