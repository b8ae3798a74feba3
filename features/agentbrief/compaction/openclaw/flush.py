"""Is it time to write notes before a compaction, and with what words are they asked for?

OpenClaw runs a silent turn before it compacts (openclaw.md 9; openclaw/openclaw
``src/auto-reply/reply/memory-flush.ts``). Here only the decision and the texts are made.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import tzinfo
from typing import Literal

from agentbrief.compaction.openclaw import clock_text
from agentbrief.compaction.openclaw.settings import reserve_floor
from agentbrief.jsonio import JsonValue
from agentbrief.profiles.openclaw_data import OpenClawData
from agentbrief.sessions.agent_config import object_at, whole_number
from agentbrief.sessions.setting_amounts import size_bytes, spelled
from agentbrief.sessions.silent_reply import NO_REPLY
from agentbrief.sessions.store.entries import StoreEntry
from agentbrief.text import utf16

PROMPT = (
    "This conversation will soon be compacted. Before that, write down what must outlast it.\n"
    f"Append it to memory/{clock_text.DATE_PLACE}.md (make the folder memory/ if it is missing), and"
    " change nothing that already stands there.\n"
    f"Nothing worth keeping? Then answer {NO_REPLY}."
)
"""What is asked where nothing else is set."""

SYSTEM_PROMPT = (
    "This is a turn for saving notes, just before the conversation is compacted. Put lasting facts into"
    f" files. An answer is possible, but {NO_REPLY} is usually the right one."
)

HINT = f"If there is nothing that the user should see, begin your answer with {NO_REPLY}."
"""Added to a text of the user's own that does not name the token."""

Skipped = Literal["heartbeat", "cli-backend", "read-only-workspace"]
Reason = Literal["tokens", "transcript-bytes"]


@dataclass(frozen=True, slots=True)
class FlushSettings:
    """What is in force: tokens, bytes of the transcript (0 = never by size), and the two texts."""

    soft_threshold_tokens: int
    force_flush_transcript_bytes: int
    prompt: str
    system_prompt: str
    reserve_tokens_floor: int


@dataclass(frozen=True, slots=True)
class FlushState:
    """Where a session stands. ``threshold_tokens`` None = the window leaves no room for a flush.

    ``done`` says that this cycle has had its flush; ``due`` names what makes it due, None = not due.
    """

    threshold_tokens: int | None
    total_tokens: int | float | None
    done: bool
    due: Reason | None
    skipped: Skipped | None = None


def flush_settings(config: Mapping[str, JsonValue], data: OpenClawData) -> FlushSettings | None:
    """The settings of ``agents.defaults.compaction.memoryFlush``; None where it is switched off."""
    found = object_at(config, "agents", "defaults", "compaction", "memoryFlush")
    if found.get("enabled") is False:
        return None
    soft = whole_number(found.get("softThresholdTokens"), 0)
    words = spelled(found.get("forceFlushTranscriptBytes"))
    size = size_bytes(words) if words is not None else None
    return FlushSettings(
        data.memory_flush.soft_threshold_tokens if soft is None else soft,
        data.memory_flush.force_flush_transcript_bytes if size is None else size,
        _hinted(_text(found.get("prompt")) or PROMPT),
        _hinted(_text(found.get("systemPrompt")) or SYSTEM_PROMPT),
        reserve_floor(config, data.compaction),
    )


def threshold(settings: FlushSettings, window_tokens: int) -> int | None:
    """From how many tokens on a flush is due; None = never."""
    found = max(0, window_tokens) - settings.reserve_tokens_floor - settings.soft_threshold_tokens
    return found if found > 0 else None


def flush_state(
    entry: StoreEntry | None,
    settings: FlushSettings,
    window_tokens: int,
    *,
    token_count: int | None = None,
    transcript_bytes: int | None = None,
    skipped: Skipped | None = None,
) -> FlushState:
    """Where the session of ``entry`` stands. ``token_count`` counts more than what the entry says."""
    most = threshold(settings, window_tokens)
    if entry is None:
        return FlushState(most, None, False, None, skipped)
    total = token_count if token_count is not None and token_count > 0 else entry.total_tokens
    last = entry.number("memoryFlushCompactionCount")
    done = last is not None and last == entry.count("compactionCount")
    due: Reason | None = None
    if not done and skipped is None:
        if most is not None and total and total >= most:
            due = "tokens"
        elif transcript_bytes and 0 < settings.force_flush_transcript_bytes <= transcript_bytes:
            due = "transcript-bytes"
    return FlushState(most, total, done, due, skipped)


def live_total(
    stored: int | None, last_prompt_tokens: int | None, last_output_tokens: int, new_prompt_tokens: int
) -> int | None:
    """The tokens of a run that is about to begin; None where nothing is known of the past."""
    past = max(stored or 0, last_prompt_tokens or 0)
    return past + last_output_tokens + new_prompt_tokens if past else None


def prompt_for_run(prompt: str, now_ms: int, config: Mapping[str, JsonValue], host_zone: tzinfo) -> str:
    """``prompt`` with the date put in and the time added, unless it already tells the time."""
    zone = clock_text.user_zone(config, host_zone)
    dated = utf16.trim_end(prompt.replace(clock_text.DATE_PLACE, clock_text.date_text(now_ms, zone)))
    if clock_text.MARK in dated:
        return dated
    line = clock_text.time_line(now_ms, zone, hours_24=clock_text.twenty_four_hours(config))
    return f"{dated}\n{line}" if dated else line


def note_path(now_ms: int, config: Mapping[str, JsonValue], host_zone: tzinfo) -> str:
    """Where the notes of the day go, relative to the agent's workspace."""
    return f"memory/{clock_text.date_text(now_ms, clock_text.user_zone(config, host_zone))}.md"


def flush_never_runs(settings: FlushSettings, reserve_tokens: int) -> bool:
    """Whether the compaction comes first: the reserve is larger than what the flush reckons with.

    OpenClaw's threshold uses the floor, not the reserve in force.
    """
    return reserve_tokens > settings.reserve_tokens_floor + settings.soft_threshold_tokens


def _text(value: JsonValue) -> str:
    return utf16.trim(value) if isinstance(value, str) else ""


def _hinted(text: str) -> str:
    return text if NO_REPLY in text else f"{text}\n\n{HINT}"
