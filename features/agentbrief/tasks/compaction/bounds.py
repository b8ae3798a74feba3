"""Which bounds of a compaction do the settings and the wishes of the user give?"""

from __future__ import annotations

from dataclasses import replace

from agentbrief.compaction.claw.engine import CompactionConfig, config_of
from agentbrief.compaction.claw.job import CompactableFile
from agentbrief.compaction.pi.bounds import OwnBounds
from agentbrief.profiles.load import profile
from agentbrief.tasks.compaction.asked import CLAW_PROFILES, CompactionAsked
from agentbrief.tasks.settings import Settings


def claw_config(settings: Settings, asked: CompactionAsked) -> CompactionConfig:
    """The bounds for a session whose messages are counted: what was asked for, else the settings, else the
    agent's own.

    Raises:
        ValueError: a bound is negative, or ``asked`` names an agent of another family.
    """
    named = asked.agent or next(
        (name for name in settings.strings("agents") if name in CLAW_PROFILES), CLAW_PROFILES[0]
    )
    if named not in CLAW_PROFILES:
        raise ValueError(f"{named} compacts nothing here")
    preserve, most = asked.preserve, asked.max_tokens
    return config_of(
        profile(named),
        preserve=settings.number("compaction.preserveRecentMessages") if preserve is None else preserve,
        max_tokens=settings.number("compaction.maxEstimatedTokens") if most is None else most,
        extra_extensions=settings.strings("compaction.extraExtensions"),
    )


def for_trigger(config: CompactionConfig, asked: CompactionAsked, file: CompactableFile) -> CompactionConfig:
    """``config`` as the trigger of ``asked`` has it: a context that was too long is due whatever was counted.

    A bound that the user names holds in any case.
    """
    if asked.trigger != "overflow" or asked.max_tokens is not None:
        return config
    counted = sum(shape.tokens for shape in file.shapes)
    return replace(config, max_estimated_tokens=min(config.max_estimated_tokens, counted))


def own_bounds(settings: Settings, asked: CompactionAsked) -> OwnBounds:
    """The bounds for a transcript of pi or OpenClaw whose agent's own settings cannot be read."""
    return OwnBounds(
        asked.max_tokens if asked.max_tokens is not None else settings.number("compaction.keepRecentTokens"),
        settings.number("compaction.reserveTokens"),
        settings.number("compaction.reserveTokensFloor"),
    )
