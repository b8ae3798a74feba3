"""The five layers, each by itself and all together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from agentbrief.compaction.claw.engine import CompactionConfig
from agentbrief.compaction.claw.job import FileJob
from agentbrief.compaction.layers import (
    CallFailed,
    Clock,
    Outcome,
    begin,
    from_providers,
    one_call,
    only_plans,
    run,
    triggered,
    with_fewer_kept,
)
from agentbrief.compaction.plan import CompactionPlan, NotPlanned, PlanWarning
from agentbrief.compaction.providers.extractive import Extractive
from agentbrief.compaction.providers.provider import Cancelled, CancelToken, Deadline
from agentbrief.compaction.steering import RunningCompaction
from agentbrief.sessions.model import Message
from tests.compaction.store import SMALL, job_of

Answer = Callable[[], str]


class Writer:
    """A provider whose answers are given: a text, an exception, or something that is done first."""

    reads_instructions = True

    def __init__(self, name: str, *answers: Any) -> None:
        self.id = name
        self.answers = list(answers)
        self.calls: list[tuple[int, str | None, tuple[str, ...]]] = []

    def summarize(
        self,
        messages: Sequence[Message],
        previous_summary: str | None,
        instructions: Sequence[str],
        deadline: Deadline,
        cancel: CancelToken,
    ) -> str:
        self.calls.append((len(messages), previous_summary, tuple(instructions)))
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, BaseException):
            raise answer
        return answer() if callable(answer) else answer  # type: ignore[no-any-return]


def job(count: int = 6, *, size: int = 4, config: CompactionConfig = SMALL, **more: Any) -> FileJob:
    line = '{"type":"message","message":{"role":"user","blocks":[{"type":"text","text":"%s"}]}}\n'
    data = "".join(line % (f"m{number} " + "x" * size) for number in range(count)).encode()
    return job_of(data, "/w/s.jsonl", None, config, 7, **more)


class Time:
    def __init__(self) -> None:
        self.ms = 0

    @property
    def clock(self) -> Clock:
        return Clock(lambda: self.ms, 300_000)


def planned(outcome: Outcome) -> CompactionPlan:
    assert outcome.ended == "planned" and outcome.plan is not None, outcome
    return outcome.plan


# Layer 1: the queue


def test_one_compaction_of_a_session_at_a_time() -> None:
    running: dict[str, RunningCompaction] = {}
    first = begin("s", running)
    assert first is not None and begin("s", running) is None and begin("other", running) is not None
    outcome = run("s", running, "asked", job(), (Writer("a", "words"),), Time().clock)
    assert outcome == Outcome("running")
    del running["s"]
    assert run("s", running, "asked", job(), (Writer("a", "words"),), Time().clock).ended == "planned"
    assert "s" not in running


def test_texts_that_come_in_meanwhile_go_where_their_mode_sends_them() -> None:
    running: dict[str, RunningCompaction] = {}

    def meanwhile() -> str:
        assert running["s"].steer("mind the tests") == "instruction"
        assert running["s"].steer("then rest", "followup") == "afterwards"
        raise RuntimeError

    second = Writer("b", "what was done")
    outcome = run("s", running, "asked", job(), (Writer("a", meanwhile), second), Time().clock)
    assert second.calls[0][2] == ("mind the tests",)
    assert outcome.waiting == ("then rest",)
    assert planned(outcome).provider == "b"


def test_an_interruption_ends_it_and_the_text_is_handed_back() -> None:
    running: dict[str, RunningCompaction] = {}

    def meanwhile() -> str:
        assert running["s"].steer("stop", "interrupt") == "interrupted"
        return "too late"

    outcome = run("s", running, "asked", job(), (Writer("a", meanwhile),), Time().clock)
    assert (outcome.ended, outcome.plan, outcome.waiting) == ("cancelled", None, ("stop",))


# Layer 2: the trigger


@pytest.mark.parametrize(
    ("trigger", "ended"), [("near-window", "not-due"), ("overflow", "unchanged"), ("asked", "unchanged")]
)
def test_nothing_is_written_where_nothing_is_due(trigger: Any, ended: str) -> None:
    called: list[int] = []

    def summarise() -> Outcome:
        called.append(1)
        return Outcome("planned")

    few = job(config=CompactionConfig(2, 10_000))
    outcome = triggered(trigger, few, summarise)
    assert outcome.ended == ended and called == []
    assert outcome.plan is not None and outcome.plan.steps == () and not outcome.plan.cut.changes
    assert triggered(trigger, job(), summarise).ended == "planned" and called == [1]


def test_a_job_that_cannot_be_planned_says_why() -> None:
    torn = b'{"type":"message","message":{"role":"user","blocks":[]}}\n'
    found = job_of(torn, "/w/s.jsonl", None, SMALL, 7)

    class Foreign:
        previous_summary = None

        def cuts(self) -> Any:
            return found.cuts()

        def removed(self, cut: Any) -> Any:
            return ()

        def plan(self, cut: Any, written: Any) -> NotPlanned:
            return NotPlanned("in-place-refused", "/h/s.jsonl")

        def fits(self, plan: Any) -> bool:
            return True

    outcome = triggered("asked", Foreign(), lambda: Outcome("planned"))
    assert outcome.ended == "failed" and outcome.trouble is not None


# Layer 3: the providers


def test_the_next_provider_is_asked_when_one_fails() -> None:
    writers = (
        PlanWarning("provider-unknown", "gone"),
        Writer("a", RuntimeError("no")),
        Writer("b", "  \n "),
        Writer("c", "NO_REPLY"),
        Writer("d", "Let me look at the code first."),
        Extractive(SMALL),
    )
    plan = planned(from_providers(job(), writers, Time().clock, RunningCompaction()))
    assert plan.provider == "extractive"
    assert [(warning.code, warning.subject) for warning in plan.warnings if "provider" in warning.code] == [
        ("provider-unknown", "gone"),
        ("provider-failed", "a"),
        ("provider-empty", "b"),
        ("provider-empty", "c"),
        ("provider-planning-only", "d"),
    ]


def test_where_all_fail_nothing_is_planned() -> None:
    outcome = from_providers(job(), (Writer("a", ValueError()),), Time().clock, RunningCompaction())
    assert (outcome.ended, outcome.plan) == ("failed", None)
    assert outcome.warnings == (PlanWarning("provider-failed", "a"),)


def test_each_provider_has_its_own_time() -> None:
    time = Time()

    def slow() -> str:
        time.ms += 400_000
        return "too late"

    plan = planned(
        from_providers(job(), (Writer("a", slow), Writer("b", "in time")), time.clock, RunningCompaction())
    )
    assert plan.provider == "b" and plan.warnings[0] == PlanWarning("provider-failed", "a")


# Layer 4: the retries


def test_less_is_kept_until_it_fits() -> None:
    writer = Writer("a", "words")
    big = job(8, size=36_000, config=CompactionConfig(4, 10_000), until_fits=True)
    plan = with_fewer_kept(big, writer, Time().clock, RunningCompaction())
    assert isinstance(plan, CompactionPlan)
    assert [call[0] for call in writer.calls] == [4, 6, 7] and len(plan.kept) == 1
    once = Writer("a", "words")
    plain = job(8, size=36_000, config=CompactionConfig(4, 10_000))
    plan = with_fewer_kept(plain, once, Time().clock, RunningCompaction())
    assert isinstance(plan, CompactionPlan) and len(plan.kept) == 4 and len(once.calls) == 1


def test_where_nothing_fits_the_smallest_is_taken() -> None:
    writer = Writer("a", "w" * 40_000, "w" * 50_000, "w" * 30_000, "w" * 60_000)
    big = job(8, config=CompactionConfig(4, 5), until_fits=True)
    plan = with_fewer_kept(big, writer, Time().clock, RunningCompaction())
    assert isinstance(plan, CompactionPlan) and len(plan.kept) == 1 and len(writer.calls) == 4


def test_a_later_call_that_fails_leaves_the_plan_that_there_is() -> None:
    writer = Writer("a", "w" * 40_000, RuntimeError())
    big = job(8, config=CompactionConfig(4, 5), until_fits=True)
    plan = with_fewer_kept(big, writer, Time().clock, RunningCompaction())
    assert isinstance(plan, CompactionPlan) and len(plan.kept) == 4


# Layer 5: one call


def call(writer: Any, current: RunningCompaction | None = None, time: Time | None = None) -> Any:
    found, time = job(), time or Time()
    deadline = Deadline(time.ms + 1000, lambda: time.ms)
    return one_call(found, found.cuts()[0], writer, deadline, current or RunningCompaction())


def test_a_call_gets_the_removed_messages_and_the_earlier_summary() -> None:
    writer = Writer("a", "what was done")
    assert call(writer).text == "what was done"
    assert writer.calls == [(4, None, ())]


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        ("", "provider-empty"),
        (None, "provider-empty"),
        (7, "provider-empty"),
        ("NO_REPLY", "provider-empty"),
        ("NO_REPLY.", "provider-empty"),
        ("\u3000\n", "provider-empty"),
        ("I will now read the files.", "provider-planning-only"),
        ("让我先看看代码。", "provider-planning-only"),
        (KeyError("x"), "provider-failed"),
        (Cancelled(), "provider-failed"),
    ],
)
def test_what_is_no_summary(answer: Any, code: str) -> None:
    with pytest.raises(CallFailed) as failed:
        call(Writer("a", answer))
    assert failed.value.warning == PlanWarning(code, "a")


def test_a_cancelled_call_does_not_count_whatever_it_answers() -> None:
    for answer in ("words", RuntimeError(), Cancelled()):
        current = RunningCompaction()

        def late(answer: Any = answer, current: RunningCompaction = current) -> str:
            current.cancel.cancel()
            if isinstance(answer, Exception):
                raise answer
            return str(answer)

        with pytest.raises(Cancelled):
            call(Writer("a", late), current)
    with pytest.raises(Cancelled):
        call(Writer("a", "words"), current)


def test_a_call_whose_time_has_passed_is_not_made() -> None:
    writer, time = Writer("a", "words"), Time()
    deadline = Deadline(0, lambda: time.ms)
    with pytest.raises(CallFailed):
        one_call(job(), job().cuts()[0], writer, deadline, RunningCompaction())
    assert writer.calls == []


def test_instructions_wait_for_a_writer_that_reads_them() -> None:
    current = RunningCompaction()
    current.steer("mind the tests")
    assert call(Extractive(SMALL), current).provider == "extractive"
    assert current.finish() == ("mind the tests",)


@pytest.mark.parametrize(
    ("text", "plans"),
    [
        ("I will look at the tests.", True),
        ("  Let me check.\nThen I will go on.", True),
        ("我會先讀檔案。", True),
        ("I will look.\n\n- a.ts\n- b.ts", False),
        ("Let me sum up\n# Goal", False),
        ("I will do\n1. this", False),
        ("I'll " + "x" * 600, False),
        ("The user asked. I will answer.", False),
        ("", False),
    ],
)
def test_an_answer_that_only_plans(text: str, plans: bool) -> None:
    assert only_plans(text) == plans


# All of them


def test_through_all_layers_the_deterministic_summary_comes_out() -> None:
    outcome = run("s", {}, "asked", job(), (Extractive(SMALL),), Time().clock)
    plan = planned(outcome)
    assert (plan.provider, len(plan.removed), len(plan.kept)) == ("extractive", 4, 2)
    assert outcome.waiting == () and plan.steps


def test_cancelled_before_it_begins_nothing_is_asked() -> None:
    cancel, writer = CancelToken(), Writer("a", "words")
    cancel.cancel()
    assert run("s", {}, "asked", job(), (writer,), Time().clock, cancel).ended == "cancelled"
    assert writer.calls == []
