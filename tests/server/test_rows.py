"""What a row of a view says beside its words."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.server.conftest import Start
from tests.server.editor import plain

pytestmark = pytest.mark.e2e


async def test_the_row_of_a_copy_knows_the_file_that_is_kept(editor: Start, workspace: Path) -> None:
    """Seen from its own folder the outer file is no copy: only the row can say of what it is one."""
    folder = workspace / "copy"
    session = await editor("vscode", {"client": {"rows": True}}, folders=[folder])
    rows = plain(await session.ask("agentbrief/rows", {"view": "files", "folder": str(folder)}))
    others = {row["label"]: row.get("other") for row in rows}
    assert others["../CLAUDE.md"] == session.uri("copy/CLAUDE.md")
    assert others["CLAUDE.md"] is None
