"""How full is the context of a session, and with what?

A transcript states what its last call took in; only where none has, the text is counted, and the number is
then marked as an estimate (code points / 4). The window and the point of compaction come from the profile.

Source: agents.md 9.4.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from agentbrief.profiles.windows import CompactionPoint, Window

Kind = Literal["system", "messages", "tool-calls", "tool-results", "summary", "instructions"]
KINDS: tuple[Kind, ...] = ("system", "messages", "tool-calls", "tool-results", "summary", "instructions")
"""What fills a context. ``system`` is what stands in no record: system prompt, tools, instruction files."""

State = Literal["running", "idle"]

NEAR_PERCENT = 80
"""From this share of the window on a compaction is near."""

RUNNING_MS = 60 * 1000
"""An agent may still be writing a file that changed less than this long ago."""

_CHARS_A_TOKEN = 4


@dataclass(frozen=True, slots=True)
class ContextUsed:
    """Tokens in the context. ``reported``: the agent's own number, else an estimate.

    ``by_kind`` adds up to ``tokens``, parts of 0 left out; the parts are estimates in either case.
    ``line`` is that of the call that states the number, 0 for none. ``window`` is the window that the session
    itself states.
    """

    tokens: int
    reported: bool
    by_kind: tuple[tuple[Kind, int], ...] = ()
    model: str | None = None
    line: int = 0
    window: int | None = None


@dataclass(frozen=True, slots=True)
class SessionStatus:
    """How a session stands: tokens in use, the window and where the agent compacts (None: not known)."""

    path: str
    session_id: str | None
    used: int
    reported: bool
    window: int | None
    by_kind: tuple[tuple[Kind, int], ...]
    compacts_at: int | None
    state: State
    baseline: int = 0

    @property
    def percent(self) -> int | None:
        """The share of the window in use, rounded, both sides less the part the vendor leaves out."""
        if not self.window or self.window <= self.baseline:
            return None
        return round(100 * max(self.used - self.baseline, 0) / (self.window - self.baseline))

    @property
    def is_near_compaction(self) -> bool:
        """Whether the agent will soon compact."""
        percent = self.percent
        return percent is not None and percent >= NEAR_PERCENT


def context_used(
    chars: Mapping[Kind, int],
    reported: int | None,
    *,
    model: str | None = None,
    line: int = 0,
    window: int | None = None,
) -> ContextUsed:
    """The context of ``chars`` code points of each kind, of which the agent reported ``reported`` tokens."""
    parts: dict[Kind, int] = {
        kind: tokens for kind in KINDS if (tokens := tokens_of_chars(chars.get(kind, 0)))
    }
    counted = sum(parts.values())
    if reported is None:
        return ContextUsed(counted, False, tuple(parts.items()), model, line, window)
    if counted > reported:
        parts = _scaled(parts, counted, reported)
    rest = reported - sum(parts.values())
    if rest:
        parts["system"] = parts.get("system", 0) + rest
    by_kind: tuple[tuple[Kind, int], ...] = tuple((kind, parts[kind]) for kind in KINDS if parts.get(kind))
    return ContextUsed(reported, True, by_kind, model, line, window)


def chars_of(parts: Iterable[tuple[Kind, int]]) -> dict[Kind, int]:
    """The sums of ``parts`` by kind."""
    found: dict[Kind, int] = {}
    for kind, size in parts:
        found[kind] = found.get(kind, 0) + size
    return found


def status(
    path: str,
    session_id: str | None,
    used: ContextUsed,
    window: Window,
    point: CompactionPoint,
    *,
    baseline: int = 0,
    mtime_ms: int = 0,
    now_ms: int = 0,
) -> SessionStatus:
    """The status of a session whose file changed at ``mtime_ms``, at the time ``now_ms``."""
    running = 0 <= now_ms - mtime_ms < RUNNING_MS
    return SessionStatus(
        path,
        session_id,
        used.tokens,
        used.reported,
        window.tokens,
        used.by_kind,
        point.tokens,
        "running" if running else "idle",
        baseline,
    )


def _scaled(parts: dict[Kind, int], counted: int, reported: int) -> dict[Kind, int]:
    return {kind: tokens * reported // counted for kind, tokens in parts.items()}


def tokens_of_chars(chars: int) -> int:
    """The tokens of so many code points, estimated: a fourth, rounded up."""
    return -(-chars // _CHARS_A_TOKEN)
