"""What would a compaction do: what goes, what stays, in which words, and by which steps?

Values for every format. A plan is a pure function of the bytes of a file, the settings, the moment and the
summary; nothing is carried out here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, Protocol

from agentbrief.changes.steps import Forward, Stamp
from agentbrief.jsonio import JsonValue
from agentbrief.sessions.model import Message, SessionRef

Reason = Literal["due", "not-due", "tool-pair"]
"""Why a session is compacted or not: ``tool-pair`` where a call reaches back to the first message."""

Trouble = Literal["unreadable", "torn-tail", "would-damage", "in-place-refused", "no-messages"]
"""Why there is no plan; the sentences are ``compaction.trouble.<trouble>``."""


@dataclass(frozen=True, slots=True)
class PlanConfig:
    """The bounds a plan was made with; None where its format has no such bound. Messages and tokens."""

    preserve_recent_messages: int | None = None
    max_estimated_tokens: int | None = None
    keep_recent_tokens: int | None = None

    def record(self) -> dict[str, JsonValue]:
        """The bounds that there are, by name."""
        named = (
            ("preserve_recent_messages", self.preserve_recent_messages),
            ("max_estimated_tokens", self.max_estimated_tokens),
            ("keep_recent_tokens", self.keep_recent_tokens),
        )
        return {name: value for name, value in named if value is not None}


@dataclass(frozen=True, slots=True)
class Cut:
    """Where a session is cut, before there is a summary.

    ``removed`` and ``kept`` are indexes of its messages; an earlier summary in front is in neither.
    ``tokens_kept`` are those of the messages that stay. Tokens are estimates.
    """

    reason: Reason
    removed: range
    kept: range
    tokens_before: int
    tokens_kept: int
    first_kept_id: str | None = None

    @property
    def is_due(self) -> bool:
        """Whether the bounds are passed."""
        return self.reason != "not-due"

    @property
    def changes(self) -> bool:
        """Whether there is anything to do."""
        return self.reason == "due"


@dataclass(frozen=True, slots=True)
class PlanWarning:
    """What a person should know before saying yes; the sentence is ``compaction.warning.<code>``.

    ``subject`` is what it is about: a provider, a number.
    """

    code: str
    subject: str | int = ""


@dataclass(frozen=True, slots=True)
class Written:
    """A summary as its writer left it, who that was, and what went wrong before."""

    text: str
    provider: str
    warnings: tuple[PlanWarning, ...] = ()


@dataclass(frozen=True, slots=True)
class CompactionPlan:
    """What a compaction would do. ``steps`` are for the room ``changes``, empty where nothing changes.

    ``target`` is the file that gets the new content, the session's own or that of a copy; ``checkpoint`` the
    copy that is made before, None where no file is rewritten. ``reinjected`` names the sections that are sent
    again. Tokens are estimates, bytes are of the whole file.
    """

    ref: SessionRef
    stamp: Stamp | None
    config: PlanConfig
    cut: Cut
    summary: str
    formatted_summary: str
    provider: str
    tokens_after: int
    bytes_before: int
    bytes_after: int
    target: str
    steps: tuple[Forward, ...] = ()
    warnings: tuple[PlanWarning, ...] = ()
    reinjected: tuple[str, ...] = ()
    checkpoint: str | None = None

    @property
    def removed(self) -> range:
        """The messages that the summary stands for."""
        return self.cut.removed

    @property
    def kept(self) -> range:
        """The messages that stay as they are."""
        return self.cut.kept

    @property
    def first_kept_id(self) -> str | None:
        """The identifier of the first message that stays, where the format has such."""
        return self.cut.first_kept_id

    @property
    def tokens_before(self) -> int:
        """The tokens of all messages."""
        return self.cut.tokens_before

    @property
    def is_smaller(self) -> bool:
        """Whether the session has fewer tokens afterwards: if not, nothing happens without asking."""
        return self.tokens_after < self.tokens_before


@dataclass(frozen=True, slots=True)
class NotPlanned:
    """Why a file cannot be compacted. ``detail`` is the reader's or the verification's word."""

    trouble: Trouble
    path: str
    detail: str = ""


class Job(Protocol):
    """A session that is to be compacted, its settings decided."""

    @property
    def previous_summary(self) -> str | None:
        """The summary of an earlier compaction, which the new one takes in."""
        ...

    def cuts(self) -> Sequence[Cut]:
        """The ways to cut it, the wanted one first; each of the others keeps less."""
        ...

    def removed(self, cut: Cut) -> Sequence[Message]:
        """The messages that a summary is to stand for."""
        ...

    def plan(self, cut: Cut, written: Written | None) -> CompactionPlan | NotPlanned:
        """The plan with the summary ``written``; None for a cut that changes nothing."""
        ...

    def fits(self, plan: CompactionPlan) -> bool:
        """Whether what is left is small enough."""
        ...


def with_steps_before(
    plan: CompactionPlan, steps: Iterable[Forward], checkpoint: str | None, later: Iterable[Forward] = ()
) -> CompactionPlan:
    """``plan`` with ``steps`` that make the copy ``checkpoint`` before it, and ``later`` ones behind."""
    return replace(plan, steps=(*steps, *plan.steps, *later), checkpoint=checkpoint)


def plan_record(plan: CompactionPlan) -> dict[str, JsonValue]:
    """``plan`` as the command line prints it (cli.md, ``sessions compact --dry-run --json``)."""
    return {
        "due": plan.cut.is_due,
        "reason": plan.cut.reason,
        "config": plan.config.record(),
        "estimated_tokens": plan.tokens_before,
        "removed_message_count": len(plan.removed),
        "kept": len(plan.kept),
        "summary": plan.summary,
        "formatted_summary": plan.formatted_summary,
        "compacted_estimated_tokens": plan.tokens_after,
        "provider": plan.provider,
        "reinjected": list(plan.reinjected),
        "checkpoint": plan.checkpoint,
        "path": plan.target,
        "bytes_before": plan.bytes_before,
        "bytes_after": plan.bytes_after,
        "warnings": [{"code": warning.code, "subject": warning.subject} for warning in plan.warnings],
    }
