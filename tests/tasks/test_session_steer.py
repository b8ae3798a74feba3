"""A text for a session reaches its running compaction, waits in the session, or is handed back."""

from __future__ import annotations

import json
import os
import random
from pathlib import Path
from typing import Any

import pytest

from agentbrief.compaction.openclaw.queue_settings import QueueMode
from agentbrief.compaction.steering import RunningCompaction
from agentbrief.sessions.model import ToolResult
from agentbrief.sessions.readers import reader
from agentbrief.tasks.compaction.apply import apply_compaction
from agentbrief.tasks.compaction.asked import CompactionAsked
from agentbrief.tasks.compaction.steer import append_texts, apply_steer, own_file_of, plan_steer
from tests.compaction.conversations import json_file, jsonl_file
from tests.tasks.compactions import NOW_MS, OWN, TREES, Says, Sessions, caller, long_data, means


def texts(sessions: Sessions) -> list[str]:
    file = sessions.file
    return [each.text for each in reader(file.format)(sessions.path.read_bytes(), file.path, None).messages]


@pytest.mark.parametrize("kind", OWN)
def test_a_text_waits_in_the_session(kind: str, tmp_path: Path) -> None:
    sessions = Sessions(tmp_path.resolve(), kind, long_data(kind, 2))
    before = sessions.files()
    steered = plan_steer(sessions.setup.fs, sessions.file, "use 规则 B", "collect", NOW_MS)
    assert (steered.end, sessions.files()) == ("appended", before)
    assert apply_steer(sessions.setup.fs, steered, caller()) is not None
    assert texts(sessions)[-1] == "use 规则 B"
    assert len(texts(sessions)) == 3


@pytest.mark.parametrize("kind", TREES)
def test_a_session_that_its_agent_writes_is_not_touched(kind: str, tmp_path: Path) -> None:
    sessions = Sessions(tmp_path.resolve(), kind, long_data(kind, 2))
    before = sessions.files(with_own=True)
    steered = plan_steer(sessions.setup.fs, sessions.file, "use B", "steer", NOW_MS)
    assert (steered.end, steered.why, steered.text) == ("handed-back", "read-only", "use B")
    assert apply_steer(sessions.setup.fs, steered, caller()) is None
    assert sessions.files(with_own=True) == before


def test_a_session_that_looks_live_is_not_touched(tmp_path: Path) -> None:
    sessions = Sessions(tmp_path.resolve(), "claw-jsonl", long_data("claw-jsonl", 2))
    os.utime(sessions.path, (NOW_MS / 1000 - 5, NOW_MS / 1000 - 5))
    steered = plan_steer(sessions.setup.fs, sessions.file, "use B", "steer", NOW_MS)
    assert (steered.end, steered.why) == ("handed-back", "running")


@pytest.mark.parametrize("kind", OWN)
def test_calls_that_wait_get_a_result_first(kind: str, tmp_path: Path) -> None:
    calls = [{"type": "tool_use", "id": f"c{number}", "name": "bash", "input": "ls"} for number in range(2)]
    answer = {
        "type": "tool_result",
        "tool_use_id": "c0",
        "tool_name": "bash",
        "output": "x",
        "is_error": False,
    }
    values: list[dict[str, Any]] = [
        {"role": "assistant", "blocks": calls},
        {"role": "tool", "blocks": [answer]},
    ]
    chance = random.Random(3)
    make = {"port": lambda: json.dumps({"session_id": "s", "messages": values, "input_tokens": 0,
                                        "output_tokens": 0}).encode(),
            "claw-json": lambda: json_file(chance, values)}  # fmt: skip
    data = make.get(kind, lambda: jsonl_file(chance, values, odd=False))()
    sessions = Sessions(tmp_path.resolve(), kind, data)
    apply_steer(
        sessions.setup.fs, plan_steer(sessions.setup.fs, sessions.file, "use B", "steer", NOW_MS), caller()
    )
    file = sessions.file
    messages = reader(file.format)(sessions.path.read_bytes(), file.path, None).messages
    assert [message.role for message in messages] == ["assistant", "tool", "tool", "user"]
    (made,) = messages[2].blocks
    assert isinstance(made, ToolResult)
    assert (made.tool_use_id, made.tool_name, made.is_error) == ("c1", "bash", True)


def test_the_workspaces_own_session_has_no_agent_that_writes_it(tmp_path: Path) -> None:
    sessions = Sessions(tmp_path.resolve(), "port", long_data("port", 2))
    os.utime(sessions.path, (NOW_MS / 1000, NOW_MS / 1000))
    assert plan_steer(sessions.setup.fs, sessions.file, "x", "steer", NOW_MS).end == "appended"


def test_a_session_that_cannot_be_read_gives_the_text_back(tmp_path: Path) -> None:
    sessions = Sessions(tmp_path.resolve(), "port", b"{broken")
    steered = plan_steer(sessions.setup.fs, sessions.file, "use B", "steer", NOW_MS)
    assert steered.end == "handed-back"
    assert steered.why not in ("running", "read-only", "")
    with pytest.raises(ValueError, match="no text"):
        plan_steer(sessions.setup.fs, sessions.file, " \n", "steer", NOW_MS)


@pytest.mark.parametrize(
    ("mode", "end", "told", "waiting"),
    [
        ("steer", "instruction", ["mind the names"], ()),
        ("steer-backlog", "instruction", ["mind the names"], ("mind the names",)),
        ("followup", "afterwards", [], ("mind the names",)),
        ("collect", "afterwards", [], ("mind the names",)),
    ],
)
def test_a_text_reaches_a_running_compaction(
    mode: QueueMode, end: str, told: list[str], waiting: tuple[str, ...], tmp_path: Path
) -> None:
    sessions = Sessions(tmp_path.resolve(), "port", long_data("port"))
    running: dict[str, RunningCompaction] = {}
    ends: list[str] = []

    def fails(*more: Any) -> str:
        steered = plan_steer(sessions.setup.fs, sessions.file, "mind the names", mode, NOW_MS, running)
        ends.append(steered.end)
        raise RuntimeError

    first, second = Says("first", [fails]), Says("second", ["- done"])
    asked = CompactionAsked(preserve=2, max_tokens=0, providers=("first", "second"))
    planned = sessions.plan(asked, means(running, first=first, second=second))
    assert ends == [end]
    assert list(second.asked[0][2]) == told
    assert planned.outcome.waiting == waiting
    apply_compaction(sessions.setup.fs, planned, caller())
    own = own_file_of(sessions.setup.fs, sessions.file)
    receipts = append_texts(sessions.setup.fs, own, planned.outcome.waiting, caller())
    assert len(receipts) == len(waiting)
    assert texts(sessions)[3:] == list(waiting)
