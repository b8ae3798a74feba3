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
