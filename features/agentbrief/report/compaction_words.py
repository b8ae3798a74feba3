"""In which words is a compaction spoken of: how it ended, why it is not made, what it warns of, its steps?"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from agentbrief.changes.places import checkpoint_index, is_own
from agentbrief.changes.steps import (
    AppendRecord,
    CopyVerified,
    EditStore,
    Forward,
    MoveToTrash,
    ReplaceFile,
    result,
)
from agentbrief.compaction.layers import Outcome
from agentbrief.compaction.pi.memory_notes import MemoryNotes
from agentbrief.compaction.plan import CompactionPlan, NotPlanned, PlanWarning
from agentbrief.messages import say
from agentbrief.messages.catalogue import sentences
from agentbrief.profiles.profile import AgentProfile
from agentbrief.report.numbers import short
from agentbrief.report.session_words import why_text
from agentbrief.sessions.times import iso_of

_TO_THE_MINUTE, _TO_THE_SECOND, _TO_THE_MILLISECOND = 16, 19, 23


def outcome_text(locale: str, outcome: Outcome, path: str, rules: AgentProfile) -> str:
    """How a run ended, in one sentence.

    For one that would change something: from how many tokens to how many.
    """
    if outcome.trouble is not None:
        return trouble_text(locale, outcome.trouble)
    plan = outcome.plan
    if plan is None:
        return say(locale, f"compaction.ended.{outcome.ended}")
    if outcome.ended == "planned":
        return say(
            locale,
            "compaction.ended.planned",
            before=short(plan.tokens_before),
            after=short(plan.tokens_after),
        )
    return say(locale, "compaction.unchanged-because", reason=reason_text(locale, plan, rules))


def reason_text(locale: str, plan: CompactionPlan, rules: AgentProfile) -> str:
    """Why the session is compacted or not, and by whose bounds."""
    config, cut = plan.config, plan.cut
    if config.keep_recent_tokens is not None:
        return say(
            locale,
            "compaction.window.due" if cut.is_due else "compaction.window.not-due",
            agent=rules.title,
            tokens=plan.tokens_before,
            kept=config.keep_recent_tokens,
        )
    return say(
        locale,
        f"compaction.reason.{cut.reason}",
        agent=rules.title,
        count=len(cut.removed) + len(cut.kept),
        tokens=cut.tokens_before,
        limit=config.max_estimated_tokens or 0,
        preserve=config.preserve_recent_messages or 0,
    )


def trouble_text(locale: str, trouble: NotPlanned) -> str:
    """Why there is no plan."""
    known = sentences(locale)
    for key in (f"compaction.refused.{trouble.detail}", f"compaction.nothing.{trouble.detail}"):
        if trouble.trouble in ("in-place-refused", "no-messages") and key in known:
            return say(locale, key, path=trouble.path)
    detail = trouble.detail
    if trouble.trouble == "unreadable":
        detail = why_text(detail, locale).rstrip(".。")
    elif (fault := f"compaction.fault.{detail}") in known:
        detail = say(locale, fault)
    return say(locale, f"compaction.trouble.{trouble.trouble}", path=trouble.path, detail=detail)


def warning_text(locale: str, warning: PlanWarning) -> str:
    """What a person should know before saying yes."""
    return say(locale, f"compaction.warning.{warning.code}", subject=warning.subject)


def provider_text(locale: str, provider: str) -> str:
    """Who wrote the summary, and what that is."""
    key = f"compaction.provider.{provider}"
    what = say(locale, key if key in sentences(locale) else "compaction.provider.other")
    return say(locale, "compaction.page.written-by", provider=provider, what=what)


def time_text(time_ms: int, length: int = _TO_THE_MINUTE) -> str:
    """A moment in UTC, ``2026-11-30 09:36``, as far as that many code points go."""
    return iso_of(time_ms)[:length].replace("T", " ")


def second_text(time_ms: int) -> str:
    """A moment to the second, ``2026-11-30 09:36:05 UTC``."""
    return f"{time_text(time_ms, _TO_THE_SECOND)} UTC"


def times_text(times_ms: Sequence[int]) -> list[str]:
    """The moments of one list, all alike.

    To the minute; to the second or the millisecond where two moments would look the same.
    """
    moments = len(set(times_ms))
    for length in (_TO_THE_MINUTE, _TO_THE_SECOND):
        texts = [time_text(time_ms, length) for time_ms in times_ms]
        if len(set(texts)) == moments:
            return texts
    return [time_text(time_ms, _TO_THE_MILLISECOND) for time_ms in times_ms]


def percent_less(before: int, after: int) -> str:
    """How much less ``after`` is, ``−91%``; with a plus where it is more."""
    share = round(100 * (after - before) / before) if before else 0
    return f"+{share}%" if share > 0 else f"−{-share}%"


def step_texts(locale: str, plan: CompactionPlan, notes: MemoryNotes | None) -> Iterator[str]:
    """Each step of ``plan`` in the order it is done, as one sentence."""
    for step in sorted(plan.steps, key=lambda step: not isinstance(step, CopyVerified)):
        yield say(locale, f"compaction.step.{_step_word(step, plan, notes)}", path=result(step))


def _step_word(step: Forward, plan: CompactionPlan, notes: MemoryNotes | None) -> str:
    if notes is not None and step == notes.step:
        return "notes"
    match step:
        case CopyVerified():
            return "checkpoint"
        case MoveToTrash():
            return "trash"
        case EditStore():
            return "store"
        case ReplaceFile() | AppendRecord() if is_own(step.path):
            assert step.path == checkpoint_index(os.path.dirname(plan.target))
            return "note"
        case AppendRecord():
            return "append"
        case ReplaceFile() if step.stamp is None:
            return "new-file"
        case _:
            return "replace"
