"""R1 Each call of each plan fails once, from then on, half way, or ends the process."""

from __future__ import annotations

import pytest

from tests.changes.operations import OPERATIONS
from tests.disk.faults import Operation, judge, scenarios, scratch


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)
def test_every_promise_holds_whichever_call_fails(operation: Operation) -> None:
    wrong: list[str] = []
    count = 0
    with scratch() as folder:
        for outcome in scenarios(operation, folder):
            count += 1
            wrong += judge(operation, outcome, folder)
            if outcome.end != "crash" and outcome.fault.times == 1 and not outcome.fault.then:
                left = [path for path in outcome.after if path.endswith(".lock")]
                wrong += [f"{operation.name}, {outcome.fault}: left {path}" for path in left]
    assert wrong == []
    assert count > 150
