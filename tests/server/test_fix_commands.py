"""The command of a quick fix can be run just as the client was given it."""

from __future__ import annotations

import pytest

from tests.server.conftest import Start

pytestmark = pytest.mark.e2e


@pytest.mark.parametrize(
    ("name", "code", "command"),
    [
        ("api/CLAUDE.md", "file-over-limit", "budget.showSections"),
        ("web/CLAUDE.md", "hidden-text", "hiddenText.show"),
        ("CLAUDE.md", "duplicate-instructions", "instructions.compare"),
    ],
)
async def test_it_names_its_file_by_uri(editor: Start, name: str, code: str, command: str) -> None:
    session = await editor("none")
    uri = session.open(name)
    await session.until(lambda: code in session.codes(name))
    line = next(each for each in session.client.diagnostics[uri] if each.code == code).range.start.line
    actions = await session.actions(name, line)
    bare = next(each for each in actions if each.command == f"agentbrief.{command}")
    reply = await session.run(command, **{**bare.arguments[0], "show": False})
    assert reply["text"]
