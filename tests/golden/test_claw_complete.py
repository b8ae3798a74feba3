"""No case is passed over: each operation has a test that asks for it, and each class leaves something to
compare.
"""

from __future__ import annotations

from tests.data_folders import is_own
from tests.golden import (
    test_claw_compaction,
    test_claw_instructions,
    test_claw_port_context,
    test_claw_python_port,
    test_claw_sessions,
)
from tests.golden.claw_cases import ASKED, CLASSES, FOLDER, all_records, op_of, wanted

ASKING = (
    test_claw_compaction,
    test_claw_instructions,
    test_claw_port_context,
    test_claw_python_port,
    test_claw_sessions,
)


def test_each_operation_is_tested() -> None:
    assert all(ASKING)
    assert [(record["id"], op_of(record)) for record in all_records() if op_of(record) not in ASKED] == []


def test_each_class_leaves_something_to_compare() -> None:
    for record in all_records():
        rule = CLASSES[record["id"]]
        profiles = {case.profile for case in wanted(record)}
        assert ("claw" in profiles) == (rule["class"] != "reference"), record["id"]
        assert ("claw-code" in profiles) == (rule["claw_code"] == "must"), record["id"]


def test_the_cases_are_there() -> None:
    found = {record["id"] for record in all_records()}
    assert found <= CLASSES.keys()
    assert not is_own(FOLDER) or len(found) == len(CLASSES) == 266
