"""Which compaction settings are in force for an OpenClaw session, and where does each come from?

pi's own settings, then ``agents.defaults.compaction`` of OpenClaw, whose floor raises a lower reserve
(openclaw.md 8.1). Values of a wrong kind are ignored.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from agentbrief.jsonio import JsonValue
from agentbrief.profiles.openclaw_data import StoreCompactionData
from agentbrief.sessions.agent_config import object_at, text_at, value_at, whole_number

Mode = Literal["default", "safeguard"]
IdentifierPolicy = Literal["strict", "off", "custom"]
ReserveSource = Literal["pi", "configured", "floor"]

_PLACE = ("agents", "defaults", "compaction")


@dataclass(frozen=True, slots=True)
class PiCompaction:
    """What pi is set to, in tokens."""

    reserve_tokens: int
    keep_recent_tokens: int
    enabled: bool = True


@dataclass(frozen=True, slots=True)
class Reserve:
    """What is kept free (``reserve_tokens``) and what stays as it is (``keep_recent_tokens``), in tokens.

    ``source`` says what set the reserve; ``changes_reserve`` and ``changes_keep`` whether OpenClaw changes
    what pi is set to.
    """

    reserve_tokens: int
    keep_recent_tokens: int
    source: ReserveSource
    changes_reserve: bool
    changes_keep: bool


@dataclass(frozen=True, slots=True)
class CompactionChoices:
    """The other settings of ``agents.defaults.compaction``; ``sections`` None = the version's own.

    ``truncate_after``: summarised messages go from the transcript. ``identifier_words`` are the user's own,
    for the policy ``custom``.
    """

    mode: Mode
    provider: str | None
    max_history_share: float
    recent_turns_preserve: int
    truncate_after: bool
    identifier_policy: IdentifierPolicy
    identifier_words: str
    sections: tuple[str, ...] | None


def pi_compaction(settings: Mapping[str, JsonValue], data: StoreCompactionData) -> PiCompaction:
    """Pi's settings: ``compaction`` of its merged ``settings.json``, or its defaults."""
    found = object_at(settings, "compaction")
    reserve = whole_number(found.get("reserveTokens"), 0)
    keep = whole_number(found.get("keepRecentTokens"), 0)
    return PiCompaction(
        data.reserve_tokens if reserve is None else reserve,
        data.keep_recent_tokens if keep is None else keep,
        found.get("enabled") is not False,
    )


def reserve_floor(config: Mapping[str, JsonValue], data: StoreCompactionData) -> int:
    """The least reserve in tokens; 0 = none."""
    found = whole_number(value_at(config, *_PLACE, "reserveTokensFloor"), 0)
    return data.reserve_tokens_floor if found is None else found


def lowered_floor(floor_tokens: int, window_tokens: int, data: StoreCompactionData) -> int:
    """The floor of 2026.4.15 and later: low enough to leave room for a prompt in a small window."""
    room = min(data.least_prompt_tokens, max(1, int(window_tokens * data.least_prompt_share)))
    return min(floor_tokens, max(0, window_tokens - room))


def reserve(
    pi: PiCompaction,
    config: Mapping[str, JsonValue],
    data: StoreCompactionData,
    window_tokens: int | None = None,
) -> Reserve:
    """What is in force.

    ``window_tokens`` is given for 2026.4.15 and later, which lower the floor by it. Source: openclaw/openclaw
    ``src/agents/pi-settings.ts``.
    """
    floor = reserve_floor(config, data)
    if window_tokens is not None:
        floor = lowered_floor(floor, window_tokens, data)
    configured = whole_number(value_at(config, *_PLACE, "reserveTokens"), 0)
    keep = whole_number(value_at(config, *_PLACE, "keepRecentTokens"), 1)
    wanted = pi.reserve_tokens if configured is None else configured
    source: ReserveSource = "floor" if floor > wanted else "pi" if configured is None else "configured"
    kept = pi.keep_recent_tokens if keep is None else keep
    reserved = max(wanted, floor)
    return Reserve(reserved, kept, source, reserved != pi.reserve_tokens, kept != pi.keep_recent_tokens)


def choices(config: Mapping[str, JsonValue], data: StoreCompactionData) -> CompactionChoices:
    """The other settings, each a default where it is missing or unusable."""
    found = object_at(config, *_PLACE)
    provider = text_at(config, *_PLACE, "provider")
    share = found.get("maxHistoryShare")
    turns = whole_number(found.get("recentTurnsPreserve"), 0)
    sections = found.get("postCompactionSections")
    words = (text_at(config, *_PLACE, "identifierInstructions") or "").strip()
    return CompactionChoices(
        _mode(config, provider),
        provider or None,
        float(share) if isinstance(share, float) and 0 < share < 1 else data.max_history_share,
        data.recent_turns_preserve if turns is None else min(turns, data.recent_turns_most),
        found.get("truncateAfterCompaction") is True,
        _policy(found.get("identifierPolicy"), words),
        words,
        tuple(name for name in sections if isinstance(name, str)) if isinstance(sections, list) else None,
    )


def _mode(config: Mapping[str, JsonValue], provider: str | None) -> Mode:
    if provider:
        return "safeguard"
    match value_at(config, *_PLACE, "mode"):
        case "default" | "safeguard" as mode:
            return mode
        case _:
            has_defaults = isinstance(value_at(config, "agents", "defaults"), dict)
            return "safeguard" if has_defaults else "default"


def _policy(value: JsonValue, words: str) -> IdentifierPolicy:
    if value == "custom" and words:
        return "custom"
    return "off" if value == "off" else "strict"
