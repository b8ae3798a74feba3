"""R1 Each call of each operation fails once, from then on, half way, or ends the process."""

from __future__ import annotations

import pytest

from tests.disk.faults import Operation, judge, scenarios, scratch
from tests.disk.operations import OPERATIONS


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)
def test_every_promise_holds_whichever_call_fails(operation: Operation) -> None:
    wrong: list[str] = []
    count = 0
    with scratch() as folder:
        for outcome in scenarios(operation, folder):
            count += 1
            wrong += judge(operation, outcome, folder)
    assert wrong == []
    assert count > 50
