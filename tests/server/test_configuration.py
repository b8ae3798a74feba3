"""Settings by each of the three ways, their scopes, trust, folders that come and go."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from lsprotocol import types as lsp

from tests.server.conftest import Start
from tests.server.editor import Editor


async def limit_in_hover(client: Editor) -> str:
    text = await client.hover("api/CLAUDE.md", 0)
    assert text is not None
    return text.split("Claw: ")[1].split(" a file")[0]


async def soon(client: Editor, limit: str) -> None:
    """Ask until the limit is in force."""
    for _ in range(500):
        if await limit_in_hover(client) == limit:
            return
        await asyncio.sleep(0.01)
    pytest.fail("the setting was not taken")


@pytest.mark.parametrize(
    "options", [{"limits": {"perFile": 100}}, {"agentbrief": {"limits": {"perFile": 100}}}]
)
async def test_initialization_options(editor: Start, options: dict[str, object]) -> None:
    client = await editor("none", options)
    client.open("api/CLAUDE.md")
    assert await limit_in_hover(client) == "100"


async def test_pulled_settings(editor: Start) -> None:
    client = await editor("vscode", configuration={"limits": {"perFile": 200}})
    client.open("api/CLAUDE.md")
    await soon(client, "200")


@pytest.mark.parametrize(
    "settings", [{"agentbrief": {"limits": {"perFile": 300}}}, {"limits": {"perFile": 300}}]
)
async def test_pushed_settings(editor: Start, settings: dict[str, object]) -> None:
    client = await editor("none")
    client.open("api/CLAUDE.md")
    client.client.workspace_did_change_configuration(lsp.DidChangeConfigurationParams(settings=settings))
    await soon(client, "300")


async def test_a_workspace_cannot_hide_hidden_text(editor: Start) -> None:
    client = await editor("none", {"trusted": True})
    settings = {
        "diagnostics": {"hiddenText": "off", "level": {"hidden-text": "off", "duplicate-instructions": "off"}}
    }
    client.client.workspace_did_change_configuration(lsp.DidChangeConfigurationParams(settings=settings))
    await client.until(lambda: "hidden-text" in client.codes("web/CLAUDE.md"))
    await client.until(lambda: client.codes("copy/CLAUDE.md") == {"claw-code-differs"})
    assert "duplicate-instructions" not in client.codes("CLAUDE.md")


async def test_an_untrusted_workspace_changes_no_severity(editor: Start) -> None:
    client = await editor("none")
    settings = {"diagnostics": {"level": {"duplicate-instructions": "off"}}}
    client.client.workspace_did_change_configuration(lsp.DidChangeConfigurationParams(settings=settings))
    await client.until(lambda: "duplicate-instructions" in client.codes("CLAUDE.md"))
    client.client.protocol.notify("agentbrief/didChangeTrust", {"trusted": True})
    await client.until(lambda: "duplicate-instructions" not in client.codes("CLAUDE.md"))


async def test_folders_come_and_go(editor: Start, workspace: Path, tmp_path: Path) -> None:
    client = await editor("none")
    await client.until(lambda: "hidden-text" in client.codes("web/CLAUDE.md"))
    other = tmp_path / "other"
    other.mkdir()
    (other / "CLAUDE.md").write_text("x" * 4100, encoding="utf-8")
    folders = [lsp.WorkspaceFolder(uri=each.as_uri(), name=each.name) for each in (other, workspace)]
    client.client.workspace_did_change_workspace_folders(
        lsp.DidChangeWorkspaceFoldersParams(lsp.WorkspaceFoldersChangeEvent(added=folders[:1], removed=[]))
    )
    uri = (other / "CLAUDE.md").as_uri()
    await client.until(lambda: client.client.diagnostics.get(uri))
    client.client.workspace_did_change_workspace_folders(
        lsp.DidChangeWorkspaceFoldersParams(lsp.WorkspaceFoldersChangeEvent(added=[], removed=folders[1:]))
    )
    await client.until(lambda: not client.codes("web/CLAUDE.md"))


async def test_a_single_file_without_a_folder(editor: Start, workspace: Path) -> None:
    client = await editor("none", folders=[])
    client.open("api/CLAUDE.md")
    await client.until(lambda: "file-over-limit" in client.codes("api/CLAUDE.md"))
    text = await client.hover("api/CLAUDE.md", 0)
    assert text is not None
    assert "Rank 1 of 2" in text


async def test_auto_is_the_agent_that_the_folder_is_made_for(editor: Start, workspace: Path) -> None:
    client = await editor("none", {"agents": ["auto"], "client": {"status": True}})
    client.changes_files = True  # type: ignore[attr-defined]
    client.open("CLAUDE.md")
    await client.until(lambda: client.status.get(str(workspace)))
    said = client.status[str(workspace)]
    # CLAUDE.md and AGENTS.md lie in it: claw-code reads both.
    assert said["agent"] == {"id": "claw-code", "title": "claw-code", "automatic": True}
    hover = await client.hover("CLAUDE.md", 0)
    assert hover is not None
    assert "claw-code: 4,000 a file" in hover

    (workspace / "AGENTS.md").unlink()
    await client.until(lambda: client.status[str(workspace)]["agent"]["id"] == "claw")
    assert client.status[str(workspace)]["agent"]["automatic"] is True


async def test_auto_can_be_chosen_until_the_server_ends(editor: Start, workspace: Path) -> None:
    client = await editor("none", {"client": {"status": True}})
    await client.until(lambda: client.status.get(str(workspace)))
    assert client.status[str(workspace)]["agent"] == {"id": "claw", "title": "Claw", "automatic": False}
    client.may_say = True
    assert (await client.run("profile.select", agent="auto"))["agents"] == ["auto"]
    await client.until(lambda: client.status[str(workspace)]["agent"]["automatic"])
    assert client.status[str(workspace)]["agent"]["id"] == "claw-code"
    (said,) = client.client.messages
    assert "What lies in a folder decides" in said.message
