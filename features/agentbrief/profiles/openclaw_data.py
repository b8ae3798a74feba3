"""What are the numbers and words of OpenClaw's rules?

The shapes of the key ``openclaw`` of its profile (openclaw.md 6 to 9, 12, 14). Where versions differ, a part
is a list, oldest version first; :func:`for_version` picks from it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, TypeVar


class Versioned(Protocol):
    """A part that holds from a version on."""

    @property
    def since(self) -> str:
        """The first version it holds for, as ``year.month.day``."""
        ...


Part = TypeVar("Part", bound=Versioned)


@dataclass(frozen=True, slots=True)
class WindowData:
    """Windows in tokens: the default, and below which one OpenClaw warns and refuses to run."""

    default_tokens: int
    warn_below_tokens: int
    refuse_below_tokens: int


@dataclass(frozen=True, slots=True)
class StoreCompactionData:
    """Compaction of a transcript store, in tokens.

    ``least_prompt_tokens`` and ``least_prompt_share`` are what later versions leave of the window when they
    lower the floor; ``keep_lines`` is the default of a compaction by lines.
    """

    reserve_tokens: int
    keep_recent_tokens: int
    branch_reserve_tokens: int
    reserve_tokens_floor: int
    max_history_share: float
    recent_turns_preserve: int
    recent_turns_most: int
    least_prompt_tokens: int
    least_prompt_share: float
    keep_lines: int


@dataclass(frozen=True, slots=True)
class StoreSummaryData:
    """How a transcript is counted and summarised (UTF-16 units), and how many checkpoints an entry keeps.

    ``history_share`` and ``prefix_share`` of the reserve are what a model may answer with, in tokens.
    ``branch_fit_share`` is up to which share of its budget a branch still takes a summary that does not fit.
    ``line_chars`` is a line of a preserved turn, of which there are ``messages_per_turn`` where users are
    few; ``list_chars`` one list of files, ``lists_chars`` both. A model is asked up to ``attempts`` times.
    """

    chars_per_token: int
    image_chars: int
    history_share: float
    prefix_share: float
    branch_max_tokens: int
    branch_fit_share: float
    tool_result_chars: int
    max_chars: int
    line_chars: int
    messages_per_turn: int
    failures: int
    failure_chars: int
    list_chars: int
    lists_chars: int
    rules_chars: int
    attempts: int
    least_pause_ms: int
    most_pause_ms: int
    checkpoints: int


@dataclass(frozen=True, slots=True)
class ToolResultData:
    """How long one tool result may be (UTF-16 units), from the window in tokens."""

    window_share: float
    chars_per_token: int
    max_chars: int
    least_kept_chars: int
    notice_chars: int
    line_end_share: float


@dataclass(frozen=True, slots=True)
class PruningData:
    """How old tool results are shortened in memory: shares of the window, and UTF-16 units."""

    ttl: str
    kept_replies: int
    soft_share: float
    hard_share: float
    least_chars: int
    soft_chars: int
    head_chars: int
    tail_chars: int


@dataclass(frozen=True, slots=True)
class OverflowData:
    """What a run does about a context that is too large; ``request_share`` of the window is one request."""

    attempts: int
    timeout_attempts: int
    request_share: float
    pruning: PruningData


@dataclass(frozen=True, slots=True)
class ChunkData:
    """How messages are split for a model that cannot take all of them at once."""

    safety_margin: float
    ratio: float
    least_ratio: float
    large_share: float
    ratio_reduction: float
    overhead_tokens: int
    least_messages: int
    parts: int
    omitted_share: float


@dataclass(frozen=True, slots=True)
class MemoryFlushData:
    """When notes are written before a compaction: tokens, and bytes of the transcript."""

    soft_threshold_tokens: int
    force_flush_transcript_bytes: int


@dataclass(frozen=True, slots=True)
class ResetData:
    """When a session starts anew, and how large a parent may be (tokens) for a thread to copy it."""

    mode: Literal["daily", "idle"]
    at_hour: int
    idle_minutes: int
    triggers: tuple[str, ...]
    parent_fork_max_tokens: int


@dataclass(frozen=True, slots=True)
class StoreMaintenanceData:
    """Defaults of ``session.maintenance``, spelled as a configuration spells them.

    ``store_copies`` are the rotated copies of the store that stay.
    """

    mode: Literal["warn", "enforce"]
    prune_after: str
    max_entries: int
    rotate_bytes: str
    high_water_share: float
    store_copies: int


@dataclass(frozen=True, slots=True)
class CronData:
    """How long the sessions and the log of scheduled jobs are kept."""

    session_retention: str
    run_log_max_bytes: int
    run_log_keep_lines: int


@dataclass(frozen=True, slots=True)
class QueueData:
    """What happens to messages while a run is active; ``line_chars`` is a line of the summary (UTF-16)."""

    mode: Literal["steer", "followup", "collect", "steer-backlog", "interrupt"]
    debounce_ms: int
    cap: int
    drop: Literal["old", "new", "summarize"]
    line_chars: int


@dataclass(frozen=True, slots=True)
class RunRetryData:
    """How often one run may try again: between ``least`` and ``most``, by number of auth profiles."""

    least: int
    most: int
    base: int
    per_profile: int


@dataclass(frozen=True, slots=True)
class ContextFileData:
    """Which files a run begins with and how much of them (UTF-16 units), from version ``since`` on.

    ``memory`` are the optional files; with ``first_memory_only`` the first one that exists.
    ``marker_counted`` says whether the marker of a cut counts against the limit of the file.
    """

    since: str
    names: tuple[str, ...]
    memory: tuple[str, ...]
    first_memory_only: bool
    small_names: tuple[str, ...]
    heartbeat_name: str
    max_file_chars: int
    max_total_chars: int
    head_share: float
    tail_share: float
    marker_counted: bool
    least_file_chars: int
    near_limit_share: float
    max_file_bytes: int


@dataclass(frozen=True, slots=True)
class ReinjectionData:
    """Which sections are shown again after a compaction (UTF-16 units), from version ``since`` on.

    ``time_line`` says whether the date is filled in and the time is added.
    """

    since: str
    enabled: bool
    file: str
    sections: tuple[str, ...]
    old_sections: tuple[str, ...]
    max_chars: int
    time_line: bool


@dataclass(frozen=True, slots=True)
class OpenClawData:
    """All of them."""

    window: WindowData
    compaction: StoreCompactionData
    summary: StoreSummaryData
    tool_result: ToolResultData
    overflow: OverflowData
    chunks: ChunkData
    memory_flush: MemoryFlushData
    resets: ResetData
    maintenance: StoreMaintenanceData
    cron: CronData
    queue: QueueData
    run_retry: RunRetryData
    context_files: tuple[ContextFileData, ...]
    reinjection: tuple[ReinjectionData, ...]


def for_version(parts: Sequence[Part], version: str | None) -> Part:
    """The part that holds for ``version``: the newest for None or an unreadable version, the oldest for an
    older one.

    Raises:
        ValueError: there are no parts.
    """
    if not parts:
        raise ValueError("no parts")
    wanted = _numbers(version) if version else None
    if wanted is None:
        return parts[-1]
    found = [part for part in parts if (_numbers(part.since) or ()) <= wanted]
    return found[-1] if found else parts[0]


def is_since(version: str | None, since: str) -> bool:
    """Whether ``version`` is ``since`` or later; no version is none."""
    wanted = _numbers(version) if version else None
    return wanted is not None and wanted >= (_numbers(since) or ())


def _numbers(version: str) -> tuple[int, ...] | None:
    pieces = version.strip().removeprefix("v").split("-")[0].split(".")
    if not all(piece.isdecimal() and piece.isascii() for piece in pieces):
        return None
    return tuple(int(piece) for piece in pieces)
