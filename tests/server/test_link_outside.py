"""An instruction file that is a link out of the workspace: said where it leads, and copied in when asked."""

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
    commands = {f"agentbrief.instructions.{name}": given for name in ("revealTarget", "copyIn")}
    assert commands.items() <= (await opened(client)).items()
    client.may_say = True
    assert await client.run("instructions.revealTarget", **given) == {"target": str(target)}
    (said,) = client.client.messages
    assert said.message.startswith(f"CLAUDE.md is a link to {target}.")
    assert not client.edits


async def test_the_link_is_removed_before_the_copy_is_made(editor: Start, target: Path) -> None:
    client = await editor("vscode", {"trusted": True})
    client.may_say = True
    await opened(client)
    client.answers.append("Yes")
    assert await client.run("instructions.copyIn", uri=client.uri(NAME)) == {"applied": True}
    (question,) = client.asked
    assert str(target) in question.message
    assert f"{len(TEXT)} characters" in question.message
    (edit,) = client.edits
    delete, create, insert = edit.edit.document_changes
    uri = client.uri(NAME)
    assert (delete.kind, delete.uri, create.kind, create.uri) == ("delete", uri, "create", uri)
    # With any of these an editor might write through a link that is still there.
    assert create.options is None
    assert insert.text_document.uri == uri
    assert [each.new_text for each in insert.edits] == [TEXT]
    assert target.read_text(encoding="utf-8") == TEXT


@pytest.mark.parametrize("answer", ["No", None])
async def test_without_a_yes_nothing_happens(editor: Start, target: Path, answer: str | None) -> None:
    client = await editor("vscode", {"trusted": True})
    client.may_say = True
    await opened(client)
    client.answers.append(answer)
    assert await client.run("instructions.copyIn", uri=client.uri(NAME)) == {"applied": False}
    assert not client.edits


async def test_what_cannot_be_done_is_refused(editor: Start, target: Path) -> None:
    client = await editor("vscode", {"trusted": False})
    await opened(client)
    client.open("CLAUDE.md")
    assert "not trusted" in await refused(client, "instructions.copyIn", uri=client.uri(NAME))
    assert "no link out of" in await refused(client, "instructions.copyIn", uri=client.uri("CLAUDE.md"))
    assert "no link out of" in await refused(client, "instructions.revealTarget", uri=client.uri("CLAUDE.md"))
    assert not client.asked


async def test_a_client_that_cannot_remove_files_is_told_so(editor: Start, target: Path) -> None:
    client = await editor("none", {"trusted": True})
    client.open(NAME, TEXT)
    assert "must be done by hand" in await refused(client, "instructions.copyIn", uri=client.uri(NAME))


async def test_a_target_that_is_no_text_is_not_copied(editor: Start, target: Path) -> None:
    target.write_bytes(b"\xff\xfe\x00")
    client = await editor("vscode", {"trusted": True})
    await opened(client)
    message = await refused(client, "instructions.copyIn", uri=client.uri(NAME))
    assert "cannot be read as text in UTF-8" in message
    assert not client.asked
