"""Compaction by the language server: previewed, carried out, undone; what is refused and why."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.server.compaction_editor import long_claw, long_home
from tests.server.session_editor import page, refused, running
from tests.tasks.homes import Home

pytestmark = pytest.mark.e2e


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return long_home(tmp_path)


async def test_plan_compact_undo_gives_the_original_bytes(home: Home) -> None:
    before = home.claw.read_bytes()
    async with running(home, writes=True) as editor:
        plan = await editor.run("compaction.plan", uri=home.claw.as_uri())
        assert plan["ended"] == "planned"
        assert plan["plan"]["provider"] == "extractive"
        assert home.claw.read_bytes() == before
        done = await editor.run("session.compact", token=plan["token"])
        assert done["compacted"] is True
        after = home.claw.read_bytes()
        assert after != before
        assert len(after) == plan["plan"]["bytes_after"]
        undone = await editor.run("change.undo", change=done["change"])
        assert undone["undone"] is True
        assert home.claw.read_bytes() == before
