"""Links of a generated page lead somewhere, in the way that the client follows them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.server.conftest import Start

pytestmark = pytest.mark.e2e


async def test_in_a_preview_from_the_first_workspace_folder(editor: Start, workspace: Path) -> None:
    """VS Code's preview follows no link with a scheme."""
    session = await editor("vscode", {"client": {"documents": True}}, folders=[workspace / "api"])
    reply = await session.run("brief.show", uri=session.uri("api/CLAUDE.md"), show=False)
    assert "](/CLAUDE.md)" in reply["text"]
    assert "](/../CLAUDE.md)" in reply["text"]
    assert "file:" not in reply["text"]


async def test_elsewhere_by_their_uri(editor: Start) -> None:
    session = await editor("neovim")
    reply = await session.run("brief.show", uri=session.uri("api/CLAUDE.md"), show=False)
    assert f"]({session.uri('api/CLAUDE.md')})" in reply["text"]
