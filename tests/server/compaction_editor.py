"""Sessions that are long enough to be compacted, and an editor whose language model is the test's."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.server.editor import Editor, plain
from tests.server.session_editor import shop
from tests.tasks.homes import Home, put

WORDS = "the cache module keeps what was read before and forgets it when the file is another one; "


def long_home(folder: Path) -> Home:
    """The home of every agent, with one long session of claw-code and one of the workspace's own."""
    home = shop(folder)
    put(home.claw, long_claw(home.workspace), hours_ago=2)
    return home


def long_claw(workspace: Path, count: int = 12) -> bytes:
    """A session of claw-code of ``count`` messages, over its bounds."""
    top: dict[str, Any] = {
        "type": "session_meta",
        "version": 1,
        "session_id": "session-1781234567890-1",
        "created_at_ms": 1780000000000,
        "updated_at_ms": 1780000000000,
        "workspace_root": str(workspace),
    }
    records = [top]
    for number in range(count):
        role = "user" if number % 2 == 0 else "assistant"
        text = f"{number}: {WORDS * 60}"
        records.append(
            {"type": "message", "message": {"role": role, "blocks": [{"type": "text", "text": text}]}}
        )
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


Answer = Callable[[dict[str, Any]], Any]


class Model:
    """The editor's language model: what it was asked, and whether the question was taken back.

    ``answer`` gives the reply to a question; one that it is to think about is a coroutine function.
    """

    def __init__(self, editor: Editor, answer: Answer) -> None:
        self.asked: list[dict[str, Any]] = []
        self.taken_back = 0
        self._thinking: set[asyncio.Task[Any]] = set()

        @editor.client.feature("agentbrief/summarize")
        async def summarize(params: Any) -> Any:
            given = plain(params)
            self.asked.append(given)
            try:
                found = answer(given)
                if not asyncio.iscoroutine(found):
                    return found
                self._thinking.add(task := asyncio.create_task(found))
                return await task
            except asyncio.CancelledError:
                self.taken_back += 1
                raise

    async def gives_up(self) -> None:
        """It has thought long enough: nothing is left to be answered."""
        for task in self._thinking:
            task.cancel()
        await asyncio.sleep(0.1)


async def never(_: dict[str, Any]) -> dict[str, Any]:
    """Thinks for longer than any test."""
    await asyncio.sleep(600)
    return {"text": "too late"}


ABLE = {"status": True, "rows": True, "documents": True, "summarize": True}
EDITOR_FIRST = {"compaction": {"providers": ["editor", "extractive"], "timeoutSeconds": 60}}
IMPATIENT = {"compaction": {"providers": ["editor", "extractive"], "timeoutSeconds": 1}}


def temporary_files(home: Home) -> list[str]:
    """Files beside the sessions that are neither sessions nor checkpoints of ours."""
    known = {home.claw.name, ".agentbrief", ".agentbrief.lock"}
    return sorted(path.name for path in home.claw.parent.iterdir() if path.name not in known)


def add_message(path: Path, text: str) -> None:
    """The agent writes one message more."""
    message = {"role": "user", "blocks": [{"type": "text", "text": text}]}
    with path.open("ab") as file:
        file.write(json.dumps({"type": "message", "message": message}).encode() + b"\n")
