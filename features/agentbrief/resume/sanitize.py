"""What does the next run send of a history, and what did each step change in it?

In memory only. Source: openclaw.md 11.2, 11.5, 11.6; openclaw/openclaw
src/agents/pi-embedded-runner/{google,run/attempt}.ts at 2026.3.2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from agentbrief.jsonio import JsonValue
from agentbrief.resume import clean_steps
from agentbrief.resume.held import Held, StepReport, report
from agentbrief.resume.limits import last_turns
from agentbrief.resume.merging import merged_assistants, merged_users
from agentbrief.resume.pairing import paired
from agentbrief.resume.policies import HistoryPolicy
from agentbrief.resume.reasoning_pairs import with_reasoning_pairs
from agentbrief.resume.tool_ids import with_plain_ids
from agentbrief.sessions.pi.context import RawMessage


@dataclass(frozen=True, slots=True)
class SentHistory:
    """A history on its way to a provider, and what each step that did something did.

    ``only_upstream_keeps`` are words for what OpenClaw 2026.3.2 really sends here, unrepaired:
    ``doubled-result``, ``result-order``, ``reused-call-id``, ``text-lost``, ``summary-cut``.
    """

    messages: tuple[Held, ...]
    steps: tuple[StepReport, ...] = ()
    only_upstream_keeps: tuple[str, ...] = ()

    @property
    def values(self) -> list[RawMessage]:
        """The messages alone."""
        return [held.value for held in self.messages]


class _Run:
    """The steps so far."""

    def __init__(self, messages: Sequence[Held]) -> None:
        self.messages = list(messages)
        self.steps: list[StepReport] = []
        self.kept_upstream: set[str] = set()

    def do(self, step: str, change: Callable[[list[Held]], Sequence[Held]]) -> None:
        before = self.messages
        self.messages = list(change(before))
        done = report(step, before, self.messages)
        if not done.is_idle:
            self.steps.append(done)

    def pair(self, step: str, now_ms: int) -> None:
        def change(messages: list[Held]) -> Sequence[Held]:
            found = paired(messages, now_ms)
            self.kept_upstream.update(found.only_upstream_keeps)
            return found.messages

        self.do(step, change)

    def result(self, before: SentHistory | None = None) -> SentHistory:
        kept = self.kept_upstream.union(before.only_upstream_keeps if before else ())
        steps = (*before.steps, *self.steps) if before else tuple(self.steps)
        return SentHistory(tuple(self.messages), steps, tuple(sorted(kept)))


def sanitized(
    messages: Iterable[Mapping[str, JsonValue] | None],
    policy: HistoryPolicy,
    *,
    now_ms: int,
    allowed_tools: Iterable[str] | None = None,
) -> SentHistory:
    """The messages of a context as a provider with ``policy`` may get them.

    ``now_ms`` is the time of messages that are made up. ``allowed_tools`` None: calls of every tool stay.
    """
    run = _Run([Held(dict(value), at) for at, value in enumerate(messages) if value is not None])
    call_ids = policy.call_ids
    run.do("inter-session", clean_steps.with_inter_session_marks)
    if call_ids is not None:
        run.do("call-ids", lambda held: with_plain_ids(held, call_ids))
    run.do("result-lists", clean_steps.with_result_lists)
    if policy.cleans_text:
        run.do("clean-text", lambda held: clean_steps.with_clean_text(held, policy.base64_signatures))
    if policy.drops_thinking:
        run.do("thinking", clean_steps.without_thinking)
    run.do("bad-calls", lambda held: clean_steps.without_bad_calls(held, allowed_tools))
    run.pair("pairing", now_ms)
    run.do("details", clean_steps.without_details)
    run.do("stale-usage", clean_steps.without_stale_usage)
    if policy.reasoning_pairs:
        run.do("reasoning-pairs", with_reasoning_pairs)
    if policy.user_first:
        run.do("user-first", lambda held: clean_steps.user_first(held, now_ms))
    return run.result()


def sent(
    history: SentHistory, policy: HistoryPolicy, *, limit: int | None = None, now_ms: int
) -> SentHistory:
    """A sanitised ``history`` merged, limited to its last ``limit`` user turns, and paired again."""
    run = _Run(history.messages)
    if policy.merges_assistants:
        run.do("merged-assistants", merged_assistants)
    if policy.merges_users:
        if _loses_text(run.messages):
            run.kept_upstream.add("text-lost")
        run.do("merged-users", merged_users)
    before = len([held for held in run.messages if held.role == "compactionSummary"])
    run.do("limit", lambda held: last_turns(held, limit))
    if before and run.messages and _was_cut(run):
        run.kept_upstream.add("summary-cut")
    run.pair("pairing-again", now_ms)
    return run.result(history)


def _was_cut(run: _Run) -> bool:
    return bool(run.steps) and run.steps[-1].step == "limit" and run.messages[0].role == "compactionSummary"


def _loses_text(messages: Sequence[Held]) -> bool:
    """Whether a user message whose content is a text follows or precedes another user message."""
    return any(
        first.role == "user" == second.role
        and (isinstance(first.value.get("content"), str) or isinstance(second.value.get("content"), str))
        for first, second in pairwise(messages)
    )
