"""Objects as Claude Code gives them to its hook, and the ways in which logs come to hold them."""

from __future__ import annotations

import json
from typing import Any


def given(path: str = "/w/CLAUDE.md", reason: str = "session_start", **more: Any) -> dict[str, Any]:
    """What the hook is given for one file; a key whose value is None is left out."""
    found = {
        "session_id": "s1",
        "transcript_path": "/h/.claude/projects/-w/s1.jsonl",
        "cwd": "/w",
        "hook_event_name": "InstructionsLoaded",
        "file_path": path,
        "memory_type": "Project",
        "load_reason": reason,
        **more,
    }
    return {key: value for key, value in found.items() if value is not None}


def line(path: str = "/w/CLAUDE.md", reason: str = "session_start", **more: Any) -> bytes:
    """The same as ``cat`` appends it: one line, without its end."""
    return json.dumps(given(path, reason, **more), ensure_ascii=False).encode()


def pretty(path: str = "/w/CLAUDE.md", **more: Any) -> bytes:
    """The same as ``jq .`` appends it."""
    return json.dumps(given(path, **more), indent=2, ensure_ascii=False).encode() + b"\n"
