"""An editor on a workspace and a home with sessions of every agent; what the server wrote is looked at."""

from __future__ import annotations

import os
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from pygls.exceptions import JsonRpcException

from tests.server.conftest import digest
from tests.server.editor import Editor, finish, plain, start
from tests.tasks.homes import Home, built

ABLE = {"status": True, "rows": True, "documents": True}
RULES = "# Rules\n\n- be short\n"


def shop(folder: Path) -> Home:
    """The workspace, with an instruction file too."""
    home = built(folder)
    (home.workspace / "CLAUDE.md").write_text(RULES, encoding="utf-8")
    (home.workspace / ".git").mkdir()
    return home


@asynccontextmanager
async def running(
    home: Home,
    name: str = "none",
    *,
    trusted: bool = True,
    writes: bool = False,
    client: dict[str, bool] | None = None,
    **more: Any,
) -> AsyncIterator[Editor]:
    """An editor that is ended. Unless the test ``writes``, nothing in workspace and home is another then."""
    before = digest(home.home), digest(home.workspace)
    options = {"trusted": trusted, "client": ABLE if client is None else client, **more.pop("options", {})}
    if writes:
        more["may_write"] = ("/",)
    editor = await start(home.workspace, home.home, name, options, **more)
    try:
        yield editor
    finally:
        await finish(editor)
    if not writes:
        assert (digest(home.home), digest(home.workspace)) == before


def written(home: Home) -> list[str]:
    """What the server opened for writing or changed since this was last called."""
    notes = home.home.parent / "audit.txt"
    lines = notes.read_text(encoding="utf-8").split("\n") if notes.exists() else []
    notes.unlink(missing_ok=True)
    return [line for line in lines if line]


def now(path: Path, ago_s: float = 0) -> None:
    """The file was changed just now, or so many seconds ago.

    Of two files that were changed in one millisecond none is the newer one.
    """
    at = time.time() - ago_s
    os.utime(path, (at, at))


async def refused(editor: Editor, command: str, **arguments: Any) -> str:
    """The sentence with which a command is refused."""
    with pytest.raises(JsonRpcException) as found:
        await editor.run(command, **arguments)
    assert found.value.data is None
    return str(found.value.message)


async def rows(editor: Editor, home: Home, view: str = "sessions", parent: str | None = None) -> Any:
    """The rows of a view."""
    about = {"view": view, "folder": str(home.workspace), "parent": parent}
    return plain(await editor.ask("agentbrief/rows", about))


async def page(editor: Editor, uri: str) -> Any:
    """The text of one of our pages; None where there is none."""
    return plain(await editor.ask("agentbrief/document", {"uri": uri}))
