"""Texts for a compaction that is running: each is taken exactly once, whatever happens at the same moment."""

from __future__ import annotations

import threading

import pytest

from agentbrief.compaction.openclaw.queue_items import COLLECT_TITLE
from agentbrief.compaction.openclaw.queue_settings import QueueMode
from agentbrief.compaction.steering import Reached, RunningCompaction


@pytest.mark.parametrize(
    ("mode", "reached", "instructions", "waiting"),
    [
        ("steer", "instruction", ("t",), ()),
        ("steer-backlog", "instruction", ("t",), ("t",)),
        ("followup", "afterwards", (), ("t",)),
        ("collect", "afterwards", (), ("t",)),
        ("interrupt", "interrupted", (), ("t",)),
    ],
)
def test_where_a_text_goes(
    mode: QueueMode, reached: Reached, instructions: tuple[str, ...], waiting: tuple[str, ...]
) -> None:
    running = RunningCompaction()
    assert running.steer("t", mode) == reached
    assert running.cancel.is_cancelled == (mode == "interrupt")
    assert running.instructions() == instructions
    running.heeded()
    assert running.finish() == waiting
    assert running.steer("late", mode) == "not-running"


def test_an_instruction_that_no_call_heeded_is_said_again_and_then_handed_back() -> None:
    running = RunningCompaction()
    running.steer("a")
    assert running.instructions() == running.instructions() == ("a",)
    running.steer("b")
    assert running.instructions() == ("a", "b")
    assert running.finish() == ("a", "b")


def test_what_was_heeded_is_not_said_again() -> None:
    running = RunningCompaction()
    running.steer("a")
    running.instructions()
    running.heeded()
    assert running.instructions() == () and running.finish() == ()


def test_texts_keep_their_order_and_collected_ones_are_one() -> None:
    running = RunningCompaction()
    for text, mode in (("1", "followup"), ("2", "collect"), ("3", "followup"), ("4", "collect")):
        running.steer(text, mode)  # type: ignore[arg-type]
    running.instructions()
    first, collected, last = running.finish()
    assert (first, last) == ("1", "3")
    assert collected.startswith(COLLECT_TITLE) and collected.index("2") < collected.index("4")


def test_two_equal_texts_are_two() -> None:
    running = RunningCompaction()
    running.steer("again", "followup")
    running.steer("again", "followup")
    assert running.finish() == ("again", "again")


def test_of_two_threads_each_text_is_taken_once() -> None:
    for _ in range(100):
        running = RunningCompaction()
        taken: list[str] = []
        barrier = threading.Barrier(2)
        sender = threading.Thread(target=send, args=(running, taken, barrier))
        sender.start()
        barrier.wait()
        running.instructions()
        handed_back = running.finish()
        sender.join()
        assert sorted(handed_back) == sorted(taken)
        assert running.finish() == ()


def send(running: RunningCompaction, taken: list[str], barrier: threading.Barrier) -> None:
    barrier.wait()
    for number in range(30):
        if running.steer(str(number), "followup") != "not-running":
            taken.append(str(number))
