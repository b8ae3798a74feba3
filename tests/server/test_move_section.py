"""A section that the total limit takes away is moved to the nearest file: in the edit that a client gets, and
with what stands in an open document that is not saved.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

from tests.server.conftest import Start
from tests.server.editor import LIMIT_S, Editor, plain

TOP = "# Far\n\n- first\n\n"
BUILD = "## Build\n\n- run make\n"
NEAREST = "# Near\n\n- one rule\n"
NAME, NEAREST_NAME = "far/CLAUDE.md", "far/a/b/CLAUDE.md"


@pytest.fixture(autouse=True)
def made(workspace: Path) -> None:
    inside = workspace / "far" / "a" / "b"
    inside.mkdir(parents=True)
    (workspace / NEAREST_NAME).write_text(NEAREST)
    (inside / "CLAUDE.local.md").write_text("x" * 4000)
    (inside.parent / "CLAUDE.md").write_text("y" * 4000)
    (inside.parent / "CLAUDE.local.md").write_text("z" * (4000 - len(NEAREST.strip()) - len(TOP) - 12))
    (workspace / NAME).write_text(TOP + BUILD)


async def moving(client: Editor) -> Any:
    """The offer on the section, as soon as the folders from which the file is cut are known."""
    while True:
        for line in range(TOP.count("\n"), (TOP + BUILD).count("\n")):
            for each in await client.actions(NAME, line, ["refactor"]):
                if each.title == "Move the section “Build” to a/b/CLAUDE.md":
                    return each
        await asyncio.sleep(0.05)


async def test_the_section_goes_behind_the_nearest_text_as_it_is_open(editor: Start) -> None:
    client = await editor("vscode")
    client.open(NEAREST_NAME, NEAREST + "- unsaved 🚀\n")
    client.open(NAME)
    move = await asyncio.wait_for(moving(client), LIMIT_S)
    assert move.kind == "refactor"
    assert not move.is_preferred
    steps = {step.text_document.uri: step.edits for step in move.edit.document_changes}
    taken, given = (steps[client.uri(name)][0] for name in (NAME, NEAREST_NAME))
    top = TOP.count("\n")
    assert (taken.range.start, taken.new_text) == (lsp.Position(top, 0), "")
    assert (given.range.start, given.new_text) == (lsp.Position(4, 0), "\n" + BUILD)
    assert next(iter(move.edit.change_annotations.values())).needs_confirmation


async def test_a_client_that_cannot_ask_is_asked_by_the_server(editor: Start) -> None:
    client = await editor("neovim")
    client.may_say = True
    client.open(NAME)
    move = await asyncio.wait_for(moving(client), LIMIT_S)
    client.answers = ["Yes"]
    command = lsp.ExecuteCommandParams(move.command.command, move.command.arguments)
    reply = await client.client.workspace_execute_command_async(command)
    assert plain(reply)["applied"] is True
    (edit,) = client.edits
    assert set(edit.edit.changes) == {client.uri(NAME), client.uri(NEAREST_NAME)}


async def test_what_was_typed_while_the_question_stood_is_moved_too(editor: Start) -> None:
    client = await editor("neovim")
    client.may_say = True
    client.open(NAME)
    move = await asyncio.wait_for(moving(client), LIMIT_S)
    typed = BUILD + "- and this\n"

    class Typing(list[str | None]):
        def pop(self, *args: Any) -> str | None:
            client.change(NAME, TOP + typed, 2)
            return "Yes"

    client.answers = Typing(["Yes"])
    command = lsp.ExecuteCommandParams(move.command.command, move.command.arguments)
    assert plain(await client.client.workspace_execute_command_async(command))["applied"] is True
    (edit,) = client.edits
    (taken,), (given,) = edit.edit.changes[client.uri(NAME)], edit.edit.changes[client.uri(NEAREST_NAME)]
    assert taken.range.end == lsp.Position((TOP + typed).count("\n"), 0)
    assert given.new_text == "\n" + typed


async def test_a_fix_that_is_gone_after_the_question_is_not_made(editor: Start) -> None:
    client = await editor("neovim")
    client.may_say = True
    client.open(NAME)
    move = await asyncio.wait_for(moving(client), LIMIT_S)

    class Typing(list[str | None]):
        def pop(self, *args: Any) -> str | None:
            client.change(NAME, TOP, 2)
            return "Yes"

    client.answers = Typing(["Yes"])
    command = lsp.ExecuteCommandParams(move.command.command, move.command.arguments)
    with pytest.raises(JsonRpcException, match="not there any more"):
        await client.client.workspace_execute_command_async(command)
    assert not client.edits
