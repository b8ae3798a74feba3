"""What does a session look like after a compaction, as messages?

Everything is a pure function of the messages and the settings; files are the work of the modules beside this
one. Source: claw.md 6.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from agentbrief.compaction.claw.boundary import first_kept, is_due
from agentbrief.compaction.claw.cleaning import defused
from agentbrief.compaction.claw.collecting import parts_of
from agentbrief.compaction.claw.continuation import summary_in, summary_message
from agentbrief.compaction.claw.format_summary import format_summary_text
from agentbrief.compaction.claw.grammar import END, LABEL, START
from agentbrief.compaction.claw.merging import merged
from agentbrief.compaction.claw.parsing import parse_summary
from agentbrief.compaction.claw.summary import summary_text
from agentbrief.compaction.claw.upstream import upstream_summary
from agentbrief.compaction.plan import Reason
from agentbrief.profiles.profile import AgentProfile
from agentbrief.sessions.claw.tokens import message_tokens
from agentbrief.sessions.formats.claw_session import Profile
from agentbrief.sessions.model import Message
from agentbrief.sessions.shapes import shape_of


@dataclass(frozen=True, slots=True)
class CompactionConfig:
    """When a session of the Claw family is compacted, and what stays. 0 is allowed for both.

    More than ``preserve_recent_messages`` messages and at least ``max_estimated_tokens`` tokens make it due.
    ``extra_extensions`` are those of files that the summary lists too.
    """

    preserve_recent_messages: int
    max_estimated_tokens: int
    extra_extensions: tuple[str, ...] = ()
    profile: Profile = "claw"

    def __post_init__(self) -> None:
        if self.preserve_recent_messages < 0 or self.max_estimated_tokens < 0:
            raise ValueError("a bound of a compaction is not negative")


@dataclass(frozen=True, slots=True)
class Compacted:
    """The result on messages. Where nothing changed they are as they were, and ``summary`` is empty."""

    messages: tuple[Message, ...]
    removed: range
    summary: str
    reason: Reason
    tokens_before: int
    tokens_after: int

    @property
    def formatted_summary(self) -> str:
        """The summary as it is shown."""
        return format_summary_text(self.summary)


def config_of(
    agent: AgentProfile,
    *,
    preserve: int | None = None,
    max_tokens: int | None = None,
    extra_extensions: Iterable[str] = (),
) -> CompactionConfig:
    """The settings of ``agent``, one of the Claw family, with those that are given in their place.

    Raises:
        ValueError: the agent has none, or one is negative.
    """
    defaults = agent.compaction
    if defaults is None:
        raise ValueError(f"{agent.id} has no bounds of a compaction")
    return CompactionConfig(
        defaults.preserve_recent_messages if preserve is None else preserve,
        defaults.max_estimated_tokens if max_tokens is None else max_tokens,
        tuple(extra_extensions),
        "claw-code" if agent.id == "claw-code" else "claw",
    )


def format_compact_summary(
    given: str | Iterable[Message], profile: Profile = "claw", extra_extensions: Sequence[str] = ()
) -> str:
    """The formatted summary of a text or of messages."""
    if not isinstance(given, str):
        given = extractive_summary(tuple(given), None, profile, extra_extensions)
    return format_summary_text(given, profile)


def extractive_summary(
    messages: Iterable[Message],
    old: str | None,
    profile: Profile = "claw",
    extra_extensions: Sequence[str] = (),
) -> str:
    """The stored summary of ``messages`` after the earlier summary ``old``."""
    if profile == "claw-code":
        return upstream_summary(tuple(messages), old)
    parts = parts_of(messages, extra_extensions)
    return summary_text(parts if old is None else merged(parse_summary(old), parts))


def wrapped_summary(text: str) -> str:
    """The stored summary of another writer's ``text``: formatted and without tags, between the tags."""
    formatted = defused(format_summary_text(text)).removeprefix(f"{LABEL}\n")
    return f"{START}\n{formatted}\n{END}"


def compact(messages: Sequence[Message], config: CompactionConfig) -> Compacted:
    """``messages`` compacted, or as they are where that is not due or not possible."""
    shapes = [shape_of(message) for message in messages]
    old = summary_in(messages[0], config.profile) if messages else None
    prefix = 0 if old is None else 1
    before = sum(shape.tokens for shape in shapes)
    unchanged = tuple(messages)
    if not is_due(shapes, prefix, config.preserve_recent_messages, config.max_estimated_tokens):
        return Compacted(unchanged, range(prefix, prefix), "", "not-due", before, before)
    kept = first_kept(shapes, prefix, config.preserve_recent_messages, config.profile)
    if kept == prefix and config.profile == "claw":
        return Compacted(unchanged, range(prefix, prefix), "", "tool-pair", before, before)
    summary = extractive_summary(messages[prefix:kept], old, config.profile, config.extra_extensions)
    first = summary_message(summary, preserved=kept < len(messages), profile=config.profile)
    after = message_tokens(first) + sum(shape.tokens for shape in shapes[kept:])
    return Compacted((first, *messages[kept:]), range(prefix, kept), summary, "due", before, after)
