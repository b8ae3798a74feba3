"""How does a compaction come about, and what is tried again when a part of it fails?

Five layers, outermost first; each one restores something of its own (openclaw.md 15):

1. the queue: while a session is being compacted, no second compaction of it begins, and texts for it go where
   their queue mode sends them (:func:`begin`, :mod:`agentbrief.compaction.steering`);
2. the trigger: near the window, an overflow that was reported, or the user's wish (:func:`triggered`);
3. the providers: when one fails, the next in the list is asked (:func:`from_providers`);
4. the retries: when too much is left, less is kept, 4, 2, 1 and 0 messages (:func:`with_fewer_kept`);
5. one call to one provider (:func:`one_call`).

Nothing is written here: what comes out is a plan, or the reason why there is none. No transcript is deleted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, MutableMapping
from dataclasses import dataclass, replace
from typing import Literal

from agentbrief.compaction.plan import CompactionPlan, Cut, Job, NotPlanned, PlanWarning, Written
from agentbrief.compaction.providers.provider import Cancelled, CancelToken, CompactionProvider, Deadline
from agentbrief.compaction.providers.registry import Listed
from agentbrief.compaction.steering import RunningCompaction
from agentbrief.sessions.silent_reply import is_silent
from agentbrief.text.whitespace import is_blank, lines, trim

Trigger = Literal["near-window", "overflow", "asked"]
"""What may set a compaction off. A user who asks, and an overflow, get one whatever the numbers say."""

Ended = Literal["planned", "unchanged", "cancelled", "running", "not-due", "failed"]
"""How a run ended; the sentences are ``compaction.ended.<ended>``."""

MAX_PLAN_CHARS = 600
"""A longer answer is a summary even if it begins like a plan (openclaw.md 8.7)."""

_PLANNING = ("I will", "I'll", "I am going to", "Let me", "我将", "我会", "让我", "我會", "讓我")
_STRUCTURE = re.compile(r"(?:#{1,6}[ \t]|[-*+][ \t]|[0-9]{1,9}[.)][ \t])")


@dataclass(frozen=True, slots=True)
class Clock:
    """The time in ms, and how long one provider may take (ms)."""

    now_ms: Callable[[], int]
    timeout_ms: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a run ended. ``plan`` is there if it was planned or would change nothing.

    ``waiting`` are the texts that came in meanwhile and are to be appended to the session now, in their
    order.
    """

    ended: Ended
    plan: CompactionPlan | None = None
    trouble: NotPlanned | None = None
    warnings: tuple[PlanWarning, ...] = ()
    waiting: tuple[str, ...] = ()


class CallFailed(Exception):
    """A provider gave no summary; ``warning`` says which one and how."""

    def __init__(self, warning: PlanWarning) -> None:
        super().__init__(warning.code)
        self.warning = warning


def run(
    key: str,
    running: MutableMapping[str, RunningCompaction],
    trigger: Trigger,
    job: Job,
    providers: Iterable[Listed],
    clock: Clock,
    cancel: CancelToken | None = None,
) -> Outcome:
    """How the compaction ``job`` of the session ``key`` ends, through all five layers.

    ``running`` holds what is being compacted, by session.
    """
    current = begin(key, running, cancel)
    if current is None:
        return Outcome("running")
    try:
        outcome = triggered(trigger, job, lambda: from_providers(job, providers, clock, current))
    except Cancelled:
        outcome = Outcome("cancelled")
    finally:
        running.pop(key, None)
        waiting = current.finish()
    return replace(outcome, waiting=waiting)


def begin(
    key: str, running: MutableMapping[str, RunningCompaction], cancel: CancelToken | None = None
) -> RunningCompaction | None:
    """Layer 1: the compaction of ``key`` that begins now; None while another one of it is running."""
    current = RunningCompaction(cancel)
    return current if running.setdefault(key, current) is current else None


def triggered(trigger: Trigger, job: Job, summarise: Callable[[], Outcome]) -> Outcome:
    """Layer 2: what comes of ``trigger``; near the window nothing does unless the bounds are passed."""
    cuts = job.cuts()
    if any(cut.changes for cut in cuts):
        return summarise()
    plan = job.plan(cuts[0], None)
    if isinstance(plan, NotPlanned):
        return Outcome("failed", trouble=plan)
    return Outcome("not-due" if trigger == "near-window" and not cuts[0].is_due else "unchanged", plan)


def from_providers(
    job: Job, providers: Iterable[Listed], clock: Clock, current: RunningCompaction
) -> Outcome:
    """Layer 3: the plan with the summary of the first provider that gives one.

    Raises:
        Cancelled: the user has called it off.
    """
    warnings: list[PlanWarning] = []
    for provider in providers:
        if isinstance(provider, PlanWarning):
            warnings.append(provider)
            continue
        try:
            plan = with_fewer_kept(job, provider, clock, current)
        except CallFailed as failure:
            warnings.append(failure.warning)
            continue
        if isinstance(plan, NotPlanned):
            return Outcome("failed", trouble=plan, warnings=tuple(warnings))
        return Outcome("planned", replace(plan, warnings=(*warnings, *plan.warnings)), None, tuple(warnings))
    return Outcome("failed", warnings=tuple(warnings))


def with_fewer_kept(
    job: Job, provider: CompactionProvider, clock: Clock, current: RunningCompaction
) -> CompactionPlan | NotPlanned:
    """Layer 4: the first plan that leaves little enough, else the smallest one.

    A call that fails after another has succeeded ends the search with what there is.

    Raises:
        CallFailed: the first call failed.
        Cancelled: the user has called it off.
    """
    smallest: CompactionPlan | None = None
    trouble: NotPlanned | None = None
    deadline = Deadline(clock.now_ms() + clock.timeout_ms, clock.now_ms)
    for cut in job.cuts():
        if not cut.changes:
            continue
        try:
            written = one_call(job, cut, provider, deadline, current)
        except CallFailed:
            if smallest is None:
                raise
            break
        plan = job.plan(cut, written)
        if isinstance(plan, NotPlanned):
            trouble = trouble or plan
            continue
        if job.fits(plan):
            return plan
        if smallest is None or plan.tokens_after < smallest.tokens_after:
            smallest = plan
    found = smallest or trouble
    if found is None:
        raise ValueError("nothing to cut")
    return found


def one_call(
    job: Job, cut: Cut, provider: CompactionProvider, deadline: Deadline, current: RunningCompaction
) -> Written:
    """Layer 5: what ``provider`` writes for ``cut``, if that is a summary.

    Raises:
        CallFailed: it failed, was too late, gave nothing, or only said what it was going to do.
        Cancelled: the user has called it off; the answer does not count.
    """
    cancel = current.cancel
    cancel.require()
    reads = bool(getattr(provider, "reads_instructions", True))
    instructions = current.instructions() if reads else ()
    if deadline.has_passed:
        raise CallFailed(PlanWarning("provider-failed", provider.id))
    try:
        text = provider.summarize(job.removed(cut), job.previous_summary, instructions, deadline, cancel)
    except Cancelled:
        if cancel.is_cancelled:
            raise
        raise CallFailed(PlanWarning("provider-failed", provider.id)) from None
    except Exception as error:
        # a provider may be anybody's code: whatever it raises is its failure and never ours
        cancel.require()
        raise CallFailed(PlanWarning("provider-failed", provider.id)) from error
    cancel.require()
    if deadline.has_passed:
        raise CallFailed(PlanWarning("provider-failed", provider.id))
    if not isinstance(text, str) or is_blank(text) or is_silent(text):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise CallFailed(PlanWarning("provider-empty", provider.id))
    if only_plans(text):
        raise CallFailed(PlanWarning("provider-planning-only", provider.id))
    if reads:
        current.heeded()
    return Written(text, provider.id)


def only_plans(text: str) -> bool:
    """Whether ``text`` only says what its writer is going to do: short, without headings or lists."""
    words = trim(text)
    if len(words) > MAX_PLAN_CHARS or not words.startswith(_PLANNING):
        return False
    return not any(_STRUCTURE.match(trim(line) + " ") for line in lines(words))
