"""R1 The fault loops together try at least five thousand scenarios."""

from __future__ import annotations

from tests.changes.operations import OPERATIONS as PLANS
from tests.disk.faults import FaultyFS, caller, faults_at, scratch
from tests.disk.operations import OPERATIONS


def test_there_are_five_thousand_scenarios() -> None:
    count = 0
    for operation in (*OPERATIONS, *PLANS):
        with scratch() as folder:
            operation.prepare(folder)
            fs = FaultyFS()
            operation.run(fs, folder, caller())
            count += sum(len(list(faults_at(number, name))) for number, name in enumerate(fs.log, 1))
    assert count >= 5000
