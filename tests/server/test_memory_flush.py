"""Memory notes by the language server: previewed, written to the day's file, undone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.server.compaction_editor import ABLE, EDITOR_FIRST, Model, long_home
from tests.server.session_editor import refused, running
from tests.server.test_compaction_commands import long_tree
from tests.tasks.homes import Home, put

pytestmark = pytest.mark.e2e


@pytest.fixture
def home(tmp_path: Path) -> Home:
    home = long_home(tmp_path)
    put(home.openclaw, long_tree(home.openclaw), hours_ago=3)
    (home.home / ".openclaw" / "workspace").mkdir()
    return home


def notes(home: Home) -> list[Path]:
    return sorted((home.home / ".openclaw" / "workspace").rglob("*.md"))


async def test_previewed_written_and_undone(home: Home) -> None:
    uri, store = home.openclaw.as_uri(), home.openclaw.with_name("sessions.json")
    before = store.read_bytes()
    async with running(home, writes=True) as editor:
        plan = await editor.run("memory.flush", uri=uri, notes="- the port is 8443", dryRun=True)
        assert (plan["written"], plan["source"]) == (False, "user")
        assert "the port is 8443" in plan["text"]
        assert notes(home) == []
        done = await editor.run("memory.flush", token=plan["token"])
        assert done["written"] is True
        (file,) = notes(home)
        assert file.parent.name == "memory"
        assert done["uri"] == file.as_uri()
        assert "the port is 8443" in file.read_text()
        assert "memoryFlushAt" in store.read_text()
        assert (await editor.run("change.undo", change=done["change"]))["undone"] is True
        assert notes(home) == []
        assert json.loads(store.read_bytes()) == json.loads(before)
        assert await refused(editor, "memory.flush", token=plan["token"])


async def test_the_user_is_asked(home: Home) -> None:
    async with running(home, writes=True) as editor:
        editor.answers = ["Cancel"]
        assert (await editor.run("memory.flush", uri=home.openclaw.as_uri()))["written"] is False
        assert notes(home) == []
        editor.answers = ["Write", None]
        assert (await editor.run("memory.flush", uri=home.openclaw.as_uri()))["written"] is True
        assert len(notes(home)) == 1


async def test_the_editor_s_model_writes_them(home: Home) -> None:
    async with running(home, client=ABLE, options=EDITOR_FIRST, writes=True) as editor:
        model = Model(editor, lambda _: {"text": "- deploy on Fridays"})
        editor.answers = ["Write", None]
        done = await editor.run("memory.flush", uri=home.openclaw.as_uri())
        assert (done["written"], done["source"]) == (True, "provider")
        assert "deploy on Fridays" in notes(home)[0].read_text()
        assert len(model.asked) == 1


async def test_a_silent_model_writes_nothing(home: Home) -> None:
    async with running(home, client=ABLE, options=EDITOR_FIRST, writes=True) as editor:
        Model(editor, lambda _: {"text": "NO_REPLY"})
        done: Any = await editor.run("memory.flush", uri=home.openclaw.as_uri())
        assert "Nothing in this session is worth a note" in done["message"]
        assert notes(home) == []
        assert editor.asked == [] or len(editor.asked) == 1


async def test_it_is_a_rule_of_openclaw(home: Home) -> None:
    async with running(home) as editor:
        for path in (home.claw, home.port, home.pi, home.claude):
            assert "rule of OpenClaw" in await refused(editor, "memory.flush", uri=path.as_uri())
