"""Writers of summaries: the user's program, those of packages, and what they are told."""

from __future__ import annotations

import sys
import time
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

from agentbrief.compaction.plan import PlanWarning
from agentbrief.compaction.providers import registry
from agentbrief.compaction.providers.command import Command, CommandFailed
from agentbrief.compaction.providers.extractive import Extractive
from agentbrief.compaction.providers.masked import masked
from agentbrief.compaction.providers.provider import Cancelled, CancelToken, Deadline
from agentbrief.compaction.providers.registry import providers_of
from agentbrief.compaction.providers.serialised import RESULT_CHARS, serialised
from agentbrief.redact import mask
from agentbrief.sessions.model import Message, Opaque, Text, Thinking, ToolResult, ToolUse
from tests.compaction.store import SMALL

HELLO = (Message("user", (Text("hello"),)),)


def soon(seconds: float = 20) -> Deadline:
    end = time.monotonic_ns() // 1_000_000 + int(seconds * 1000)
    return Deadline(end, lambda: time.monotonic_ns() // 1_000_000)


def program(tmp_path: Path, source: str, redact: Any = None) -> Command:
    return Command((sys.executable, "-c", source), str(tmp_path), redact)


def answer(command: Command, messages: Any = HELLO, deadline: Deadline | None = None, **more: Any) -> str:
    return command.summarize(
        messages, more.get("old"), more.get("instructions", ()), deadline or soon(), CancelToken()
    )


ECHO = "import sys; sys.stdout.buffer.write(sys.stdin.buffer.read())"


def test_the_program_gets_the_conversation_and_its_output_is_the_summary(tmp_path: Path) -> None:
    text = answer(program(tmp_path, ECHO), old="older", instructions=("mind the tests",))
    assert text == "[Earlier summary]: older\n\n[User]: hello\n\n[Instruction]: mind the tests"


def test_secrets_are_masked_before_anything_leaves(tmp_path: Path) -> None:
    secret = "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vW7xY9zA1cD3eF5"
    messages = (
        Message("user", (Text(f"use {secret}"),)),
        Message("tool", (ToolResult("c", "env", f"TOKEN={secret}", False),)),
    )
    assert secret not in answer(program(tmp_path, ECHO, mask), messages)
    assert secret in answer(program(tmp_path, ECHO), messages)


def test_a_long_conversation_passes_through_the_pipe_both_ways(tmp_path: Path) -> None:
    messages = (Message("user", (Text("漢字 " * 60_000),)),)
    assert answer(program(tmp_path, ECHO), messages) == "[User]: " + "漢字 " * 60_000


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("raise SystemExit(3)", "exit-code"),
        ("print('words'); raise SystemExit(1)", "exit-code"),
        ("import sys; sys.stdout.buffer.write(b'\\xff')", "not-utf8"),
        ("print('x' * 1_100_000)", "too-long"),
    ],
)
def test_how_a_program_fails(tmp_path: Path, source: str, why: str) -> None:
    with pytest.raises(CommandFailed) as failed:
        answer(program(tmp_path, source))
    assert failed.value.why == why


def test_a_program_that_cannot_be_started(tmp_path: Path) -> None:
    with pytest.raises(CommandFailed) as failed:
        answer(Command((str(tmp_path / "none"),), str(tmp_path), None))
    assert failed.value.why == "not-started"
    with pytest.raises(ValueError, match="program"):
        Command((), str(tmp_path), None)


def test_a_program_that_reads_nothing_still_answers(tmp_path: Path) -> None:
    messages = (Message("user", (Text("x" * 500_000),)),)
    assert answer(program(tmp_path, "import os; os.close(0); print('short')"), messages) == "short\n"


SLEEPS = (
    "import subprocess, sys, time\n"
    "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
    "open('pid', 'w').write(str(child.pid))\n"
    "time.sleep(600)"
)


def test_a_program_that_takes_too_long_is_ended_with_what_it_started(tmp_path: Path) -> None:
    with pytest.raises(CommandFailed) as failed:
        answer(program(tmp_path, SLEEPS), deadline=soon(1.5))
    assert failed.value.why == "deadline"
    assert not is_running(int((tmp_path / "pid").read_text()))


def test_a_cancelled_program_is_ended(tmp_path: Path) -> None:
    cancel = CancelToken()
    calls = iter(range(1000))

    def clock() -> int:
        if next(calls) > 3:
            cancel.cancel()
        return 0

    with pytest.raises(Cancelled):
        program(tmp_path, "import time; time.sleep(600)").summarize(
            HELLO, None, (), Deadline(1000, clock), cancel
        )


def test_every_kind_of_block_is_masked_and_keeps_its_shape() -> None:
    message = Message(
        "assistant",
        (
            Text("key"),
            ToolUse("1", "run", {"a": ["key", 1, None], "b": {"c": "key"}}, '{"a":"key"}'),
            ToolResult("1", "run", "key", True),
            Thinking("key", "signed"),
            Opaque("odd", {"x": "key", "n": 2.5}),
        ),
        id="key",
        extra={"raw": "key"},
    )
    seen = masked(message, lambda text: text.replace("key", "***"))
    assert seen.blocks == (
        Text("***"),
        ToolUse("1", "run", {"a": ["***", 1, None], "b": {"c": "***"}}, '{"a":"***"}'),
        ToolResult("1", "run", "***", True),
        Thinking("***"),
        Opaque("odd", {"x": "***", "n": 2.5}),
    )
    assert (seen.id, seen.extra) == ("key", {})


def is_running(pid: int) -> bool:
    for _ in range(100):
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            return False
        if state == "Z":
            return False
        time.sleep(0.02)
    return True


def test_the_conversation_as_text() -> None:
    messages = (
        Message("system", (Text("be kind"),)),
        Message("user", (Text("a"), Text("b"))),
        Message(
            "assistant",
            (
                Thinking("secret thoughts"),
                Text("looking"),
                ToolUse("1", "read", {"path": "a.py", "n": 1}, '{"path":"a.py","n":1}'),
                ToolUse("2", "run", "make", "make"),
            ),
        ),
        Message("tool", (ToolResult("1", "read", "r" * (RESULT_CHARS + 7), False),)),
        Message("assistant", ()),
    )
    assert serialised(messages) == (
        "[System]: be kind\n\n[User]: a\nb\n\n[Assistant]: looking\n\n"
        '[Assistant tool calls]: read(path="a.py", n=1); run(make)\n\n'
        f"[Tool result]: {'r' * RESULT_CHARS}\n\n[... 7 more characters truncated]"
    )


def test_the_list_of_providers_ends_with_the_one_that_never_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    class Third:
        id = "third"

        def summarize(self) -> None: ...

    points = {
        "nothing": EntryPoint("nothing", "builtins:dict", registry.GROUP),
        "third": EntryPoint("third", f"{__name__}:make_third", registry.GROUP),
        "broken": EntryPoint("broken", "no.such.module:x", registry.GROUP),
    }
    monkeypatch.setattr(sys.modules[__name__], "make_third", Third, raising=False)
    monkeypatch.setattr(
        "importlib.metadata.entry_points", lambda group, name: [points[name]] if name in points else []
    )
    extractive = Extractive(SMALL)
    found = providers_of(["third", "broken", "nothing", "gone", "third"], {"extractive": extractive})
    assert [getattr(each, "id", each) for each in found] == [
        "third",
        PlanWarning("provider-failed", "broken"),
        PlanWarning("provider-failed", "nothing"),
        PlanWarning("provider-unknown", "gone"),
        "extractive",
    ]
    assert found[-1] is extractive
    assert providers_of(["extractive"], {"extractive": extractive}) == (extractive,)
