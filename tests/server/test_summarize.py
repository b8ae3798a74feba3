"""The editor's language model as a writer of summaries, by a real client: it answers, or does anything else.

However it ends, the session is as it was, or as the preview said.
"""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

from tests.server.compaction_editor import (
    ABLE,
    EDITOR_FIRST,
    IMPATIENT,
    Model,
    add_message,
    long_home,
    never,
    temporary_files,
)
from tests.server.editor import Editor
from tests.server.session_editor import running
from tests.tasks.homes import Home

pytestmark = pytest.mark.e2e

PRIVATE = "sk-ant-api03-" + "Ab1" * 20


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return long_home(tmp_path)


def session(home: Home) -> str:
    return home.claw.as_uri()


async def test_it_answers(home: Home) -> None:
    add_message(home.claw, f"the key is {PRIVATE}")
    add_message(home.claw, "go on")
    for number in range(5):
        add_message(home.claw, f"last {number}")
    async with running(home, client=ABLE, options=EDITOR_FIRST, writes=True) as editor:
        model = Model(editor, lambda _: {"text": "## Goal\n\nThe cache forgets in time."})
        plan = await editor.run("compaction.plan", uri=session(home), show=False)
        assert plan["plan"]["provider"] == "editor"
        assert plan["plan"]["warnings"] == []
        (asked,) = model.asked
        assert set(asked) == {"text", "previousSummary", "instructions", "maxTokens", "deadlineMs"}
        assert asked["text"].startswith("[User]: 0: ")
        assert PRIVATE not in json.dumps(asked)
        assert asked["previousSummary"] is None
        assert isinstance(asked["instructions"], str) and asked["instructions"]
        assert asked["maxTokens"] > 0
        assert 0 < asked["deadlineMs"] <= 60_000
        done = await editor.run("session.compact", token=plan["token"])
        assert done["compacted"] is True
        assert len(model.asked) == 1
        assert b"The cache forgets in time." in home.claw.read_bytes()
        again = await editor.run("compaction.plan", uri=session(home), maxTokens=0, preserve=1, show=False)
        assert again["plan"]["provider"] == "editor"
        assert "The cache forgets in time." in model.asked[1]["previousSummary"]


async def test_what_is_sent_may_be_left_unmasked_by_the_user_alone(home: Home) -> None:
    add_message(home.claw, f"the key is {PRIVATE}")
    for number in range(5):
        add_message(home.claw, f"last {number}")
    unmasked = {"compaction": {**EDITOR_FIRST["compaction"], "redactForProviders": False}}
    async with running(home, client=ABLE, options=unmasked) as editor:
        model = Model(editor, lambda _: {"text": "short"})
        await editor.run("compaction.plan", uri=session(home), show=False)
        assert PRIVATE in model.asked[0]["text"]
    from_workspace = {"compaction": {"redactForProviders": False}}
    async with running(
        home, "vscode", client=ABLE, options=EDITOR_FIRST, configuration=from_workspace
    ) as editor:
        model = Model(editor, lambda _: {"text": "short"})
        await editor.run("compaction.plan", uri=session(home), show=False)
        assert PRIVATE not in model.asked[0]["text"]


@pytest.mark.parametrize("client", [{**ABLE, "summarize": False}, {}])
async def test_a_client_that_has_no_model_is_not_asked(home: Home, client: dict[str, bool]) -> None:
    async with running(home, client=client, options=EDITOR_FIRST) as editor:
        model = Model(editor, lambda _: {"text": "short"})
        plan = await editor.run("compaction.plan", uri=session(home), show=False)
        assert plan["plan"]["provider"] == "extractive"
        assert plan["plan"]["warnings"] == [{"code": "provider-unknown", "subject": "editor"}]
        assert model.asked == []


async def test_it_takes_too_long(home: Home) -> None:
    before = home.claw.read_bytes()
    async with running(home, client=ABLE, options=IMPATIENT, writes=True) as editor:
        model = Model(editor, never)
        plan = await editor.run("compaction.plan", uri=session(home), show=False)
        assert plan["plan"]["provider"] == "extractive"
        assert plan["plan"]["warnings"] == [{"code": "provider-failed", "subject": "editor"}]
        await editor.until(lambda: model.taken_back == 1)
        assert home.claw.read_bytes() == before
        assert (await editor.run("session.compact", token=plan["token"]))["compacted"] is True


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (None, "provider-failed"),
        ("words", "provider-failed"),
        (7, "provider-failed"),
        ([], "provider-failed"),
        ({}, "provider-failed"),
        ({"text": 7}, "provider-failed"),
        ({"text": ["words"]}, "provider-failed"),
        ({"text": {"text": "words"}}, "provider-failed"),
        ({"text": "x" * (1 << 20) + "x"}, "provider-failed"),
        ({"text": None}, "provider-empty"),
        ({"text": ""}, "provider-empty"),
        ({"text": " \n\t"}, "provider-empty"),
        ({"text": "NO_REPLY"}, "provider-empty"),
        ({"text": "I will now read the files and then write a summary."}, "provider-planning-only"),
        ({"text": "我将先阅读文件。"}, "provider-planning-only"),
    ],
)
async def test_it_answers_nonsense(home: Home, answer: Any, code: str) -> None:
    before = home.claw.read_bytes()
    async with running(home, client=ABLE, options=EDITOR_FIRST, writes=True) as editor:
        Model(editor, lambda _: answer)
        plan = await editor.run("compaction.plan", uri=session(home), show=False)
        assert plan["plan"]["provider"] == "extractive"
        assert plan["plan"]["warnings"] == [{"code": code, "subject": "editor"}]
        assert home.claw.read_bytes() == before
        done = await editor.run("session.compact", token=plan["token"])
        assert len(home.claw.read_bytes()) == done["bytesAfter"]


async def test_it_refuses(home: Home) -> None:
    def refuse(_: dict[str, Any]) -> Any:
        raise JsonRpcException("the canary sings", code=-32803)

    async with running(home, client=ABLE, options=EDITOR_FIRST) as editor:
        Model(editor, refuse)
        plan = await editor.run("compaction.plan", uri=session(home))
        assert plan["plan"]["provider"] == "extractive"
        assert plan["plan"]["warnings"] == [{"code": "provider-failed", "subject": "editor"}]
        assert "canary" not in json.dumps(plan)
        assert "canary" not in logged(home)


async def test_the_user_ends_it_by_the_progress(home: Home) -> None:
    before = home.claw.read_bytes()
    async with running(home, "vscode", client=ABLE, options=EDITOR_FIRST) as editor:
        model = Model(editor, never)
        task = asyncio.create_task(editor.run("session.compact", uri=session(home)))
        token = await began(editor)
        await editor.until(
            lambda: any("language model" in str(each) for each in editor.client.progress_reports[token])
        )
        editor.client.window_work_done_progress_cancel(lsp.WorkDoneProgressCancelParams(token))
        reply = await asyncio.wait_for(task, 10)
        assert (reply["compacted"], reply["ended"]) == (False, "cancelled")
        await editor.until(lambda: model.taken_back == 1)
        await editor.until(
            lambda: isinstance(editor.client.progress_reports[token][-1], lsp.WorkDoneProgressEnd)
        )
        assert home.claw.read_bytes() == before
        editor.may_say = True
        assert editor.asked == []


async def test_the_client_cancels_the_command(home: Home) -> None:
    before = home.claw.read_bytes()
    async with running(home, "vscode", client=ABLE, options=EDITOR_FIRST) as editor:
        model = Model(editor, never)
        params = lsp.ExecuteCommandParams("agentbrief.session.compact", [{"uri": session(home)}])
        future = editor.client.protocol.send_request("workspace/executeCommand", params, msg_id="mine")
        await editor.until(lambda: model.asked)
        editor.client.protocol.notify("$/cancelRequest", lsp.CancelParams("mine"))
        with pytest.raises(JsonRpcException) as found:
            await asyncio.wait_for(asyncio.wrap_future(future), 10)
        assert found.value.code == -32800
        await editor.until(lambda: model.taken_back == 1)
        assert home.claw.read_bytes() == before
        again = await editor.run("compaction.plan", uri=session(home), show=False, providers=["extractive"])
        assert again["ended"] == "planned"


async def test_the_client_dies(home: Home) -> None:
    before = home.claw.read_bytes()
    async with running(home, "vscode", client=ABLE, options=EDITOR_FIRST) as editor:
        model = Model(editor, never)
        task = asyncio.create_task(editor.run("session.compact", uri=session(home)))
        await editor.until(lambda: model.asked)
        process: Any = editor.client._server
        unanswered = editor.client.protocol._request_futures
        for key in [key for key, each in unanswered.items() if isinstance(each, asyncio.Task)]:
            del unanswered[key]  # this client would report its own end to itself
        process.stdin.close()
        await asyncio.wait_for(process.wait(), 10)
        task.cancel()
        await model.gives_up()
        assert home.claw.read_bytes() == before
        assert temporary_files(home) == []


async def test_the_server_answers_while_the_model_thinks(home: Home) -> None:
    async with running(home, "vscode", client=ABLE, options=EDITOR_FIRST) as editor:
        model = Model(editor, never)
        task = asyncio.create_task(editor.run("compaction.plan", uri=session(home), show=False))
        await editor.until(lambda: model.asked)
        again = await editor.run("compaction.plan", uri=session(home), show=False)
        assert again["ended"] == "running"
        editor.open("CLAUDE.md")
        assert await editor.hover("CLAUDE.md", 0)
        assert (await editor.run("session.list"))["sessions"]
        await model.gives_up()
        assert (await task)["plan"]["provider"] == "extractive"


async def began(editor: Editor) -> Any:
    """The token of the progress that a command has begun."""

    def found() -> Any:
        for token, reports in editor.client.progress_reports.items():
            if any("ession" in str(getattr(each, "title", "")) for each in reports):
                return token
        return None

    return await editor.until(found)


def logged(home: Home) -> str:
    """All that the server has logged."""
    cache = home.home.parent / "cache"
    return "".join(path.read_text("utf-8", "replace") for path in cache.rglob("*.log"))
