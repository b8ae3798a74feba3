"""R3 Power failures: what was not synced may be lost; what was acknowledged is there, nothing is mixed."""

from __future__ import annotations

import pytest

from tests.changes.operations import OPERATIONS as PLANS
from tests.disk.faults import Operation
from tests.disk.operations import OPERATIONS
from tests.disk.power import power_failures


@pytest.mark.parametrize("operation", [*OPERATIONS, *PLANS], ids=lambda operation: operation.name)
def test_what_was_acknowledged_survives_and_nothing_is_mixed(operation: Operation) -> None:
    assert list(power_failures(operation, seeds=10)) == []
