"""Records of Claude Code as it writes them, and files of them."""

from __future__ import annotations

import json
from typing import Any

SESSION = "11111111-1111-4111-8111-111111111111"
Record = dict[str, Any]


def record(kind: str, uuid: str, parent: str | None, second: int = 0, **more: Any) -> Record:
    """A record on the chain, written ``second`` seconds after ten."""
    return {
        "parentUuid": parent,
        "isSidechain": False,
        "userType": "external",
        "cwd": "/w/app",
        "sessionId": SESSION,
        "version": "2.1.281",
        "gitBranch": "main",
        "type": kind,
        **more,
        "uuid": uuid,
        "timestamp": f"2026-09-01T10:{second // 60:02d}:{second % 60:02d}.000Z",
    }


def user(uuid: str, parent: str | None, content: Any, second: int = 0, **more: Any) -> Record:
    return record("user", uuid, parent, second, message={"role": "user", "content": content}, **more)


def result(
    uuid: str, parent: str | None, call: str, text: Any = "done", second: int = 0, **more: Any
) -> Record:
    block = {"type": "tool_result", "tool_use_id": call, "content": text}
    return user(uuid, parent, [block], second, **more)


def assistant(
    uuid: str,
    parent: str | None,
    *blocks: Any,
    second: int = 0,
    message_id: str | None = None,
    usage: tuple[int, int, int, int] | None = None,
    model: str = "claude-opus-5",
    **more: Any,
) -> Record:
    """One line of a reply. ``usage``: input, written to the cache, read from it, output."""
    content = [{"type": "text", "text": block} if isinstance(block, str) else block for block in blocks]
    message = {
        "id": message_id or f"msg_{uuid}",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": content,
    }
    if usage is not None:
        names = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens")
        message["usage"] = dict(zip(names, usage, strict=True))
    more.setdefault("requestId", f"req_{message_id or uuid}")
    return record("assistant", uuid, parent, second, message=message, **more)


def call(identifier: str, name: str = "Bash", **given: Any) -> Record:
    return {"type": "tool_use", "id": identifier, "name": name, "input": given}


def boundary(uuid: str, logical: str, second: int = 0, parent: str | None = None, **stated: Any) -> Record:
    return record(
        "system",
        uuid,
        parent,
        second,
        subtype="compact_boundary",
        content="Conversation compacted",
        logicalParentUuid=logical,
        compactMetadata={"trigger": "auto", "preTokens": 967_500, **stated},
    )


def summary(uuid: str, parent: str, text: str = "What was done.", second: int = 0) -> Record:
    return user(uuid, parent, text, second, isCompactSummary=True, isVisibleInTranscriptOnly=True)


def injected(uuid: str, parent: str, path: str, text: str, second: int = 0) -> Record:
    return record(
        "attachment",
        uuid,
        parent,
        second,
        attachment={"type": "nested_memory", "path": path, "content": text},
    )


def file_of(*lines: Record | str, end: str = "\n") -> bytes:
    """The bytes of a file with ``lines``; a text stands as it is."""
    texts = [line if isinstance(line, str) else json.dumps(line, separators=(",", ":")) for line in lines]
    return ("\n".join(texts) + end).encode("utf-8", "surrogatepass")
