"""How providers are asked: a call a part, in parts for a small window, again after a failure, for notes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from agentbrief.compaction.claw.engine import CompactionConfig
from agentbrief.compaction.layers import Clock, run
from agentbrief.compaction.pi.branch_summary import branch_budget
from agentbrief.compaction.pi.briefed import Briefed, Briefing
from agentbrief.compaction.pi.in_parts import Room, told_in_parts, value_tokens
from agentbrief.compaction.pi.job import PiJob
from agentbrief.compaction.pi.pi_plan import PiPlan
from agentbrief.compaction.pi.seen import SeenMessages
from agentbrief.compaction.pi.summary_calls import SummaryCall, branch_call, store_call
from agentbrief.compaction.plan import PlanWarning
from agentbrief.compaction.providers.extractive import Extractive
from agentbrief.compaction.providers.provider import Cancelled, CancelToken, Deadline
from agentbrief.sessions.model import Message, Opaque, Text, ToolResult, ToolUse
from tests.compaction.pi.test_deciding import job, reply, session, user
from tests.golden.openclaw_cases import openclaw_data

DATA = openclaw_data()
SUMMARY = DATA.summary
SPLIT = session(user("first"), reply(5), user("ask " * 9), reply(5), reply(6))


class Asked:
    """A provider that notes what it is asked and answers by ``answer``, which gets the number of the call."""

    id = "asked"

    def __init__(self, answer: Callable[[int], str], *, reads: bool = True) -> None:
        self._answer = answer
        self.reads_instructions = reads
        self.calls: list[tuple[tuple[Message, ...], str | None, tuple[str, ...]]] = []

    def summarize(
        self,
        messages: Sequence[Message],
        previous_summary: str | None,
        instructions: Sequence[str],
        deadline: Deadline,
        cancel: CancelToken,
    ) -> str:
        self.calls.append((tuple(messages), previous_summary, tuple(instructions)))
        return self._answer(len(self.calls))


def failing(until: int) -> Callable[[int], str]:
    def answer(number: int) -> str:
        if number <= until:
            raise RuntimeError("busy")
        return f"answer {number}"

    return answer


def split_job(layout: str = "pi", keep: int = 0) -> PiJob:
    found = job(SPLIT, keep, layout)
    assert isinstance(found, PiJob)
    return found


def plan_with(
    provider: Any, the_job: PiJob, briefing: Briefing | None = None
) -> PiPlan | tuple[PlanWarning, ...]:
    outcome = run(
        "s",
        {},
        "asked",
        the_job,
        (Briefed(provider, the_job, briefing or Briefing()),),
        Clock(lambda: 0, 99_999),
    )
    return outcome.plan if isinstance(outcome.plan, PiPlan) else outcome.warnings


def test_a_turn_that_is_split_has_a_call_of_its_own() -> None:
    provider = Asked(lambda number: f"<summary>told {number}</summary>")
    plan = plan_with(provider, split_job())
    assert isinstance(plan, PiPlan)
    assert plan.split_turn
    assert plan.summary == ("Summary:\ntold 1\n\n---\n\n**Turn Context (split turn):**\n\nSummary:\ntold 2")
    (history, _, words), (prefix, _, more) = provider.calls
    assert [message.text for message in history] == ["first", ""]
    assert prefix[0].text.startswith("ask")
    assert "## Goal" in words[0]
    assert "## Original Request" in more[0]
    assert words[0].endswith(" Use at most 80 tokens.")
    assert more[0].endswith(" Use at most 50 tokens.")


def test_a_part_that_is_left_unsaid_is_an_empty_answer() -> None:
    warnings = plan_with(Asked(lambda number: ("told", "NO_REPLY")[number - 1]), split_job())
    assert warnings == (PlanWarning("provider-empty", "asked"),)


def test_openclaw_asks_once_for_all_and_names_its_policy() -> None:
    provider = Asked(lambda number: "told")
    briefing = Briefing("custom", "Keep ticket numbers.")
    plan = plan_with(provider, split_job("openclaw"), briefing)
    assert isinstance(plan, PiPlan)
    assert plan.summary.startswith("told\n\n**Turn Context (split turn):**\n\n- User: ask")
    ((messages, _, words),) = provider.calls
    assert len(messages) == len(plan.removed)
    assert words[0].endswith(" Keep ticket numbers.")
    assert "letter by letter" in store_call(messages, None, ()).instructions[0]
    assert "letter by letter" not in store_call(messages, None, (), "off").instructions[0]
    assert branch_call(messages, ("x",), SUMMARY).instructions[1] == "Additional focus: x"


def test_the_engine_is_given_no_words() -> None:
    provider = Asked(lambda number: "told", reads=False)
    assert isinstance(plan_with(provider, split_job()), PiPlan)
    assert [words for _, _, words in provider.calls] == [(), ()]
    plan = plan_with(Extractive(CompactionConfig(0, 0)), split_job())
    assert isinstance(plan, PiPlan)
    assert plan.summary.count("Conversation summary:") == 2
    assert "<summary>" not in plan.summary


def test_a_call_is_made_again_with_pauses_that_grow() -> None:
    pauses: list[float] = []
    provider = Asked(failing(2))
    plan = plan_with(provider, split_job("openclaw"), Briefing(pause=pauses.append))
    assert isinstance(plan, PiPlan)
    assert plan.summary.startswith("answer 3")
    assert pauses == [0.5, 1.0]
    tired = Asked(failing(3))
    assert plan_with(tired, split_job("openclaw"), Briefing(pause=pauses.append)) == (
        PlanWarning("provider-failed", "asked"),
    )
    assert len(tired.calls) == 3
    once = Asked(failing(1))
    assert isinstance(plan_with(once, split_job("openclaw")), tuple)
    assert len(once.calls) == 1


def message(number: int, tokens: int, *, tied: bool = False) -> Message:
    text = "x" * (tokens * 4)
    return (
        Message("tool", (ToolResult("c", "t", text, False),))
        if tied
        else Message("user", (Text(text),), id=str(number))
    )


ROOM = Room(20_000, DATA.chunks, SUMMARY, 0.5)


def parts_of(messages: Sequence[Message], room: Room = ROOM, staying: int = 0) -> list[SummaryCall]:
    calls: list[SummaryCall] = []

    def ask(call: SummaryCall) -> str:
        calls.append(call)
        return f"told {len(calls)}"

    told_in_parts(SummaryCall("initial", messages, "old"), room, staying, ask)
    return calls


def test_few_messages_are_one_call() -> None:
    (call,) = parts_of([message(number, 100) for number in range(3)])
    assert call.previous_summary == "old"


def test_many_messages_are_two_halves_that_are_merged() -> None:
    messages = [message(number, 1500) for number in range(4)]
    *halves, merge = parts_of(messages)
    assert [each for call in halves for each in call.messages] == messages
    assert merge.template == "merge"
    assert merge.previous_summary is None
    assert all(each.text.startswith("told ") for each in merge.messages)


def test_chunks_go_on_from_each_other() -> None:
    messages = [message(number, 2000) for number in range(3)]
    calls = parts_of(messages)
    assert [len(call.messages) for call in calls] == [1, 1, 1]
    assert [call.previous_summary for call in calls] == ["old", "told 1", "told 2"]


def test_where_much_stays_the_oldest_are_told_first() -> None:
    messages = [message(number, 4000) for number in range(4)]
    calls = parts_of(messages, staying=13_000)
    assert [call.previous_summary for call in calls] == ["old", "told 1", "told 2", "told 3"]
    halves = parts_of(messages, staying=11_000)
    assert [call.previous_summary for call in halves] == ["old", "told 1", None, "told 3", None]
    assert halves[-1].template == "merge"


def test_a_result_stays_with_its_call() -> None:
    messages = [message(0, 1500), message(1, 1500, tied=True), message(2, 1500), message(3, 1500, tied=True)]
    for call in parts_of(messages):
        if call.template != "merge":
            assert not isinstance(call.messages[0].blocks[0], ToolResult)


def test_the_largest_messages_are_left_out_when_the_rest_may_succeed() -> None:
    large, small = message(0, 12_000), message(1, 10)
    calls: list[SummaryCall] = []

    def ask(call: SummaryCall) -> str:
        calls.append(call)
        if any(value_tokens(each, SUMMARY) > 10_000 for each in call.messages):
            raise RuntimeError("too long")
        return "told"

    assert told_in_parts(SummaryCall("initial", [large, small]), ROOM, 0, ask) == "told"
    assert calls[1].messages[0].text == "[Large user (~12K tokens) omitted from summary]"
    with pytest.raises(RuntimeError):
        told_in_parts(SummaryCall("initial", [small]), ROOM, 0, lambda call: failing(9)(1))
    with pytest.raises(Cancelled):
        told_in_parts(SummaryCall("initial", [large]), ROOM, 0, cancelled)


def cancelled(call: SummaryCall) -> str:
    raise Cancelled


def test_the_size_of_a_message_as_a_provider_sees_it() -> None:
    blocks = (
        Text("abcd"),
        ToolUse("i", "ab", {}, "{}"),
        ToolResult("i", "t", "🚀🚀", False),
        Opaque("image", {}),
    )
    assert value_tokens(Message("user", blocks), SUMMARY) == 1203


def test_a_provider_with_a_small_window_is_asked_in_parts() -> None:
    provider = Asked(lambda number: f"told {number}")
    data = session(*(user("w" * 9000) for _ in range(6)), user("kept"))
    the_job = job(data, 1)
    assert isinstance(the_job, PiJob)
    plan = plan_with(provider, the_job, Briefing(room=replace(ROOM, window_tokens=25_000)))
    assert isinstance(plan, PiPlan)
    assert len(provider.calls) > 2
    assert plan.summary == f"told {len(provider.calls)}"
    assert provider.calls[-1][0][0].text.startswith("told ")


def test_messages_are_seen_one_at_a_time() -> None:
    raw: list[Any] = [{"role": "user", "content": "a"}, {"role": "odd"}, {"role": "custom", "content": "b"}]
    seen = SeenMessages(raw)
    assert [each.text for each in seen] == ["a", "b"]
    assert seen[1] == seen[-1]
    assert [each.text for each in seen[1:]] == ["b"]
    assert len(seen) == 2


def test_the_room_for_a_branch() -> None:
    assert branch_budget(200, 50) == 150
    assert branch_budget(10, 50) == 0
