"""Which messages does a Codex rollout of any size hold, one after the other?

The same words stand in several logs, and which one is shown depends on the whole file: it is looked through
once before.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from agentbrief.sessions.formats.codex_messages import Log, Turns, chosen_log
from agentbrief.sessions.formats.codex_records import Part, part_of
from agentbrief.sessions.formats.codex_transcript import look
from agentbrief.sessions.jsonl.line_facts import LineFacts
from agentbrief.sessions.jsonl.lines import Line, Record
from agentbrief.sessions.model import Message, Usage


@dataclass(frozen=True, slots=True)
class RolloutPlan:
    """How a rollout is told: the log that is shown, and what calls cost by the line of the answer before."""

    log: Log
    lines: LineFacts
    usage_at: dict[int, Usage] = field(default_factory=dict[int, Usage], hash=False)


def plan_of(chunks: Iterable[bytes], path: str) -> RolloutPlan:
    """The plan for the rollout at ``path`` that ``chunks`` make."""
    turns = Turns()
    logs: set[Log] = set()
    answers: list[tuple[Log, int]] = []

    def take(record: Record, part: Part) -> None:
        for shown in turns.told(record, part):
            logs.add(shown.log)
            if shown.message.role == "assistant":
                answers.append((shown.log, record.line))

    found = look(chunks, path, take)
    log = chosen_log(logs, turns.is_paginated)
    lines = [line for each, line in answers if each in (log, "all")]
    usage_at: dict[int, Usage] = {}
    for event in found.counted():
        if before := bisect_left(lines, event.line):
            usage_at[lines[before - 1]] = event.last
    return RolloutPlan(log, found.lines, usage_at)


def messages_in(lines: Iterable[Line], plan: RolloutPlan) -> Iterator[Message]:
    """The messages of ``lines``, in order."""
    turns = Turns()
    for line in lines:
        if not isinstance(line, Record):
            continue
        for shown in turns.told(line, part_of(line.value)):
            if shown.log not in (plan.log, "all"):
                continue
            usage = plan.usage_at.get(line.line) if shown.message.role == "assistant" else None
            yield shown.message if usage is None else replace(shown.message, usage=usage)
