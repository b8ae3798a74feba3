"""A text for a session: it reaches a compaction that runs, waits in the session, or is handed back."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.server.compaction_editor import ABLE, EDITOR_FIRST, Model, long_home
from tests.server.editor import Editor
from tests.server.session_editor import now, refused, running
from tests.tasks.homes import Home

pytestmark = pytest.mark.e2e


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return long_home(tmp_path)


class Waiting(Model):
    """A model that answers each question when it is let go: ``answers`` one after another."""

    def __init__(self, editor: Editor, *answers: Any) -> None:
        self.go = asyncio.Event()
        self._answers = list(answers)
        super().__init__(editor, lambda _: self._when_let_go())

    async def _when_let_go(self) -> Any:
        await self.go.wait()
        self.go.clear()
        return self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]


@asynccontextmanager
async def compacting(
    home: Home, *answers: Any, **more: Any
) -> AsyncIterator[tuple[Editor, Waiting, asyncio.Task[Any]]]:
    """A compaction of the session of claw-code that has asked its model, who thinks."""
    async with running(home, "vscode", client=ABLE, options=EDITOR_FIRST, writes=True) as editor:
        editor.may_say = True
        model = Waiting(editor, *answers)
        editor.answers = ["Compact", None]
        task = asyncio.create_task(editor.run("session.compact", uri=home.claw.as_uri(), **more))
        await editor.until(lambda: model.asked)
        yield editor, model, task


async def steer(editor: Editor, home: Home, text: str, mode: str = "steer") -> Any:
    return await editor.run("session.steer", uri=home.claw.as_uri(), text=text, mode=mode)


def last_texts(home: Home, count: int) -> list[str]:
    lines = home.claw.read_bytes().strip().split(b"\n")[-count:]
    return [json.loads(line)["message"]["blocks"][0]["text"] for line in lines]


async def test_without_a_compaction_it_waits_in_the_session(home: Home) -> None:
    async with running(home, writes=True) as editor:
        before = home.claw.read_bytes()
        found = await steer(editor, home, "Look at the tests too.\nAll of them.")
        assert (found["end"], found["text"], found["saved"]) == ("appended", None, True)
        assert home.claw.read_bytes().startswith(before)
        assert last_texts(home, 1) == ["Look at the tests too.\nAll of them."]


async def test_a_session_that_looks_live_is_not_touched(home: Home) -> None:
    now(home.claw)
    async with running(home) as editor:
        found = await steer(editor, home, "Stop.")
        assert (found["end"], found["why"], found["text"]) == ("handed-back", "running", "Stop.")
        assert "Give this text to the agent yourself" in found["message"]


async def test_a_foreign_session_is_not_touched(home: Home) -> None:
    async with running(home) as editor:
        for path in (home.claude, home.codex, home.pi, home.openclaw):
            found = await editor.run("session.steer", uri=path.as_uri(), text="Stop.")
            assert (found["end"], found["text"]) == ("handed-back", "Stop.")


async def test_in_memory_it_joins_what_is_not_saved(home: Home) -> None:
    async with running(home, writes=True) as editor:
        await editor.run("session.append", id="plan", text="one more")
        before = home.port.read_bytes()
        found = await editor.run("session.steer", uri=home.port.as_uri(), text="and this")
        assert (found["end"], found["saved"]) == ("appended", False)
        assert home.port.read_bytes() == before
        await editor.run("session.save", id="plan")
        assert b"and this" in home.port.read_bytes()


@pytest.mark.parametrize("given", [{"text": " \n"}, {}, {"text": 7}, {"text": "x", "mode": "shout"}])
async def test_wrong_arguments(home: Home, given: dict[str, Any]) -> None:
    async with running(home) as editor:
        assert await refused(editor, "session.steer", uri=home.claw.as_uri(), **given)


async def test_it_reaches_the_next_call_of_a_running_compaction(home: Home) -> None:
    bounds = {"untilFits": True, "maxTokens": 3100}
    async with compacting(home, {"text": "The cache forgets."}, **bounds) as (editor, model, task):
        found = await steer(editor, home, "Keep the port number.")
        assert (found["end"], found["text"]) == ("instruction", None)
        assert "Keep the port number." not in model.asked[0]["instructions"]
        model.go.set()
        await editor.until(lambda: len(model.asked) == 2)
        assert "Keep the port number." in model.asked[1]["instructions"]
        model.go.set()
        assert (await asyncio.wait_for(task, 20))["compacted"] is True
        assert b"Keep the port number." not in home.claw.read_bytes()


async def test_a_writer_that_reads_no_instructions_leaves_the_text_to_the_session(home: Home) -> None:
    async with compacting(home, None) as (editor, model, task):
        assert (await steer(editor, home, "Keep the port number."))["end"] == "instruction"
        model.go.set()
        assert (await asyncio.wait_for(task, 20))["compacted"] is True
        assert last_texts(home, 1) == ["Keep the port number."]


async def test_a_text_that_no_call_follows_is_added_afterwards(home: Home) -> None:
    async with compacting(home, {"text": "The cache forgets."}) as (editor, model, task):
        assert (await steer(editor, home, "first"))["end"] == "instruction"
        assert (await steer(editor, home, "second", "followup"))["end"] == "afterwards"
        assert (await steer(editor, home, "third", "followup"))["end"] == "afterwards"
        model.go.set()
        assert (await asyncio.wait_for(task, 20))["compacted"] is True
        assert b"The cache forgets." in home.claw.read_bytes()
        assert last_texts(home, 3) == ["first", "second", "third"]


async def test_collected_texts_are_added_as_one(home: Home) -> None:
    async with compacting(home, {"text": "The cache forgets."}) as (editor, model, task):
        for text in ("one", "two"):
            assert (await steer(editor, home, text, "collect"))["end"] == "afterwards"
        model.go.set()
        await asyncio.wait_for(task, 20)
        (both,) = last_texts(home, 1)
        assert "one" in both and "two" in both


async def test_an_interruption_calls_it_off(home: Home) -> None:
    before = home.claw.read_bytes()
    async with compacting(home, {"text": "The cache forgets."}) as (editor, model, task):
        assert (await steer(editor, home, "Stop that.", "interrupt"))["end"] == "interrupted"
        reply = await asyncio.wait_for(task, 20)
        assert (reply["compacted"], reply["ended"]) == (False, "cancelled")
        await editor.until(lambda: model.taken_back == 1)
        assert home.claw.read_bytes().startswith(before)
        assert last_texts(home, 1) == ["Stop that."]
        assert editor.asked == []


async def test_after_a_no_the_text_is_still_added(home: Home) -> None:
    before = home.claw.read_bytes()
    async with compacting(home, {"text": "The cache forgets."}) as (editor, model, task):
        editor.answers = ["Cancel"]
        await steer(editor, home, "later", "followup")
        model.go.set()
        assert (await asyncio.wait_for(task, 20))["compacted"] is False
        assert home.claw.read_bytes().startswith(before)
        assert last_texts(home, 1) == ["later"]


async def test_after_a_preview_the_text_waits_for_the_compaction(home: Home) -> None:
    async with running(home, "vscode", client=ABLE, options=EDITOR_FIRST, writes=True) as editor:
        model = Waiting(editor, {"text": "The cache forgets."})
        task = asyncio.create_task(editor.run("compaction.plan", uri=home.claw.as_uri(), show=False))
        await editor.until(lambda: model.asked)
        await steer(editor, home, "later", "followup")
        model.go.set()
        plan = await asyncio.wait_for(task, 20)
        assert plan["waiting"] == ["later"]
        assert b"later" not in home.claw.read_bytes()
        assert (await editor.run("session.compact", token=plan["token"]))["compacted"] is True
        assert last_texts(home, 1) == ["later"]
