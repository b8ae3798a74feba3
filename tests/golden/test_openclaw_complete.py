"""No case that binds us is passed over: each operation, function and command has a test that asks for it."""

from __future__ import annotations

from tests.golden import (
    test_openclaw_cleanup,
    test_openclaw_compaction,
    test_openclaw_functions,
    test_openclaw_functions_queue,
    test_openclaw_functions_resume,
    test_openclaw_functions_sessions,
    test_openclaw_sanitize,
    test_openclaw_state_compaction,
    test_openclaw_state_sessions,
    test_openclaw_state_store,
    test_openclaw_state_summaries,
    test_openclaw_transcripts,
    test_openclaw_workspace,
)
from tests.golden.openclaw_cases import ANY, ASKED, binding, op_of

ASKING = (
    test_openclaw_cleanup,
    test_openclaw_compaction,
    test_openclaw_functions,
    test_openclaw_functions_queue,
    test_openclaw_functions_resume,
    test_openclaw_functions_sessions,
    test_openclaw_sanitize,
    test_openclaw_state_compaction,
    test_openclaw_state_sessions,
    test_openclaw_state_store,
    test_openclaw_state_summaries,
    test_openclaw_transcripts,
    test_openclaw_workspace,
)
FILES = ("transcripts", "compaction", "cleanup", "sanitize", "state", "workspace")


def test_each_operation_is_tested() -> None:
    assert all(ASKING)
    left = [
        (record["id"], op_of(record))
        for file in FILES
        for record in binding(file)
        if not {ANY, op_of(record)} & ASKED[file]
    ]
    assert left == []


def test_each_function_is_tested() -> None:
    left = [
        (record["id"], row.get("fn"))
        for record in binding("functions")
        for row in record["rows"]
        if row.get("fn", record["id"].split("/")[1][:3]) not in ASKED["functions"]
    ]
    assert left == []


def test_each_command_of_the_gateway_is_tested() -> None:
    known = test_openclaw_state_compaction.METHODS.keys() | test_openclaw_state_store.METHODS.keys()
    left = [
        (record["id"], method)
        for record in binding("state")
        if record["op"] == "rpc"
        for method, *_ in record["input"]["request"]
        if method not in known
    ]
    assert left == []
