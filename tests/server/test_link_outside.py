"""An instruction file that is a link out of the workspace: it is said where it leads."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pygls.exceptions import JsonRpcException

from tests.server.conftest import Start
from tests.server.editor import Editor

TEXT = "# Shared rules 🚀\n\n- be kind\n"
NAME = "lib/CLAUDE.md"


@pytest.fixture
def target(workspace: Path, tmp_path: Path) -> Path:
    """What the link leads to; it lies beside the workspace."""
    path = tmp_path / "shared" / "RULES.md"
    path.parent.mkdir()
    path.write_text(TEXT, encoding="utf-8")
    (workspace / "lib").mkdir()
    (workspace / NAME).symlink_to(path)
    return path


async def opened(client: Editor) -> dict[str, Any]:
    """The quick fixes of the finding on the link: the commands, with their arguments."""
    client.open(NAME, TEXT)
    actions = await client.actions(NAME, 0, ["quickfix"])
    return {each.command.command: each.command.arguments[0] for each in actions if each.command}


async def refused(client: Editor, command: str, **arguments: Any) -> str:
    with pytest.raises(JsonRpcException) as caught:
        await client.run(command, **arguments)
    return str(caught.value)


async def test_the_place_is_said(editor: Start, target: Path) -> None:
    client = await editor("vscode", {"trusted": True})
    given = {"uri": client.uri(NAME)}
    assert (await opened(client))["agentbrief.instructions.revealTarget"] == given
    client.may_say = True
    assert await client.run("instructions.revealTarget", **given) == {"target": str(target)}
    (said,) = client.client.messages
    assert said.message.startswith(f"CLAUDE.md is a link to {target}.")
    assert not client.edits


async def test_a_file_that_is_no_link_is_said_to_be_none(editor: Start, target: Path) -> None:
    client = await editor("vscode")
    client.open("CLAUDE.md")
    assert "no link out of" in await refused(client, "instructions.revealTarget", uri=client.uri("CLAUDE.md"))
