"""When are the sessions that were listed judged, and who hears of it?"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from agentbrief_server.sessions.findings import TranscriptFindings
from agentbrief_server.sessions.judging import Findings, ListJudge
from agentbrief_server.sessions.place import listed
from agentbrief_server.state import State
from tests.server.session_editor import now, shop
from tests.tasks.homes import Home


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    """One transcript has two records on its second line."""
    home = shop(tmp_path)
    monkeypatch.setenv("HOME", str(home.home))
    lines = home.claude.read_bytes().split(b"\n")
    lines[1] += lines[1]
    home.claude.write_bytes(b"\n".join(lines))
    now(home.claude)
    return home


async def judged(home: Home, *, forgotten: bool) -> Findings:
    """What is found on the sessions of the workspace; the lists may be forgotten before a worker is free."""
    state = State()
    state.folders = (str(home.workspace),)
    told: asyncio.Future[Findings] = asyncio.get_running_loop().create_future()
    snapshot = state.snapshot()
    listed(snapshot, state.folders[0])
    ListJudge(told.set_result).soon(snapshot, state.folders[0])
    if forgotten:
        state.sessions.forget()
    return await asyncio.wait_for(told, 20)


@pytest.mark.parametrize("forgotten", [False, True])
async def test_a_list_is_judged_though_settings_arrive_meanwhile(home: Home, forgotten: bool) -> None:
    found = await judged(home, forgotten=forgotten)
    assert "transcript-merged-line" in {each.code for each in found[str(home.claude)]}


async def test_rows_are_told_when_their_faults_are_known_and_only_then(home: Home) -> None:
    found = await judged(home, forgotten=False)
    heard: list[str] = []
    state = State()

    def notify(method: str, params: Any) -> None:
        heard.append(f"{method} {params['uri'].rsplit('/', 1)[-1]}")

    findings = TranscriptFindings(state, notify, lambda: None, lambda: heard.append("rows"))
    findings.take(found)
    assert heard[0] == "rows"
    assert f"textDocument/publishDiagnostics {home.claude.name}" in heard
    heard.clear()
    findings.take(found)
    assert heard == []
