"""The end of a process, without ending one."""

from __future__ import annotations

import threading
import time

from agentbrief_server.transport.ending import GRACE_S, Ending


class Left:
    """Notes the codes a process would have ended with."""

    def __init__(self) -> None:
        self.codes: list[int] = []
        self.when = threading.Event()

    def __call__(self, code: int) -> None:
        self.codes.append(code)
        self.when.set()


def test_last_duties_are_done_last_come_first_served_and_one_that_fails_stops_none() -> None:
    left, done = Left(), list[str]()
    ending = Ending(lambda: 0, left)
    ending.before(lambda: done.append("first"))
    ending.before(lambda: 1 / 0)
    ending.before(lambda: done.append("last"))
    ending.now()
    assert done == ["last", "first"]
    assert left.codes[0] == 0


def test_the_first_code_counts() -> None:
    left = Left()
    ending = Ending(lambda: 7, left)
    ending.now(1)
    ending.now(0)
    ending.now()
    assert set(left.codes) == {1}


def test_a_duty_that_hangs_does_not_hold_the_process() -> None:
    left, never = Left(), threading.Event()
    ending = Ending(lambda: 1, left)
    ending.before(lambda: never.wait(30))
    threading.Thread(target=ending.now, daemon=True).start()
    assert left.when.wait(10)
    assert left.codes == [1]
    never.set()


def test_soon_ends_it_even_if_nobody_comes_by() -> None:
    left, done = Left(), list[str]()
    codes = iter([0])
    ending = Ending(lambda: next(codes), left)
    ending.before(lambda: done.append("duty"))
    ending.soon()
    assert left.codes == []
    assert left.when.wait(10)
    assert left.codes[0] == 0
    assert done == ["duty"]


def test_the_code_is_asked_for_at_the_end() -> None:
    left, code = Left(), [1]
    ending = Ending(lambda: code[0], left)
    ending.soon()
    code[0] = 0
    assert left.when.wait(10)
    assert left.codes[0] == 0


def test_the_limits_fit_into_the_five_seconds_of_a_dead_parent() -> None:
    from agentbrief_server.transport.parent import POLL_S

    assert POLL_S + 2 * GRACE_S < 5


def test_two_threads_end_it_once() -> None:
    left, done = Left(), list[int]()
    ending = Ending(lambda: 0, left)

    def duty() -> None:
        done.append(1)
        time.sleep(0.1)

    ending.before(duty)
    threads = [threading.Thread(target=ending.now) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert done == [1]
