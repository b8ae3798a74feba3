"""Which bounds hold for the compaction of this session?

Those of the agent where its settings can be read: what it does by itself and what is done here then agree.
Else those of the user's settings for this program (openclaw.md 8.1).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from agentbrief.compaction.openclaw.settings import PiCompaction, choices, pi_compaction, reserve
from agentbrief.compaction.pi.pi_source import PiSettings
from agentbrief.compaction.pi.workspace_rules import WorkspaceRules
from agentbrief.jsonio import JsonValue
from agentbrief.profiles.openclaw_data import OpenClawData


@dataclass(frozen=True, slots=True)
class OwnBounds:
    """The user's settings for this program, in tokens; None = the agent's default. A floor of 0 is none."""

    keep_recent_tokens: int | None = None
    reserve_tokens: int | None = None
    reserve_tokens_floor: int | None = None


def pi_settings(
    agent: Mapping[str, JsonValue] | None,
    own: OwnBounds,
    data: OpenClawData,
    window_tokens: int | None = None,
) -> PiSettings:
    """The bounds for a session of pi. ``agent`` are its merged settings, None = they cannot be read."""
    found = _own(own, data) if agent is None else pi_compaction(agent, data.compaction)
    return PiSettings(found.keep_recent_tokens, found.reserve_tokens, "pi", data.summary, window_tokens)


def openclaw_settings(
    config: Mapping[str, JsonValue] | None,
    agent: Mapping[str, JsonValue] | None,
    own: OwnBounds,
    rules: WorkspaceRules,
    data: OpenClawData,
    window_tokens: int | None = None,
    *,
    lowers_floor: bool = False,
) -> PiSettings:
    """The bounds for a session of OpenClaw: its configuration over pi's settings, the floor over both.

    ``lowers_floor`` holds for 2026.4.15 and later, which leave room for a prompt in a small window.
    """
    if config is None:
        base = _own(own, data)
        floor = own.reserve_tokens_floor
        config = {} if floor is None else _with_floor(floor)
    else:
        base = pi_compaction(agent or {}, data.compaction)
    found = reserve(base, config, data.compaction, window_tokens if lowers_floor else None)
    return PiSettings(
        found.keep_recent_tokens,
        found.reserve_tokens,
        "openclaw",
        data.summary,
        window_tokens,
        choices(config, data.compaction).recent_turns_preserve,
        rules.text,
        rules.names,
    )


def _own(own: OwnBounds, data: OpenClawData) -> PiCompaction:
    defaults = data.compaction
    return PiCompaction(
        defaults.reserve_tokens if own.reserve_tokens is None else own.reserve_tokens,
        defaults.keep_recent_tokens if own.keep_recent_tokens is None else own.keep_recent_tokens,
    )


def _with_floor(tokens: int) -> dict[str, JsonValue]:
    return {"agents": {"defaults": {"compaction": {"reserveTokensFloor": tokens}}}}
