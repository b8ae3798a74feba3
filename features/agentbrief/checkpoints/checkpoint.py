"""What is known of an earlier state of a session?

One record a line in ``index.jsonl``, for stores that have no record of their own (reliability.md 7).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, cast

from agentbrief.disk.spelling import valid_id
from agentbrief.jsonio import JsonValue, dumps, loads

Cause = Literal["compaction", "restore", "cleanup", "asked"]
"""Why a checkpoint was made; the sentences are ``compaction.cause.<cause>``."""

_CAUSES = frozenset({"compaction", "restore", "cleanup", "asked"})


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """An exact copy of a session file.

    ``path`` is the name of the copy in the folder of the checkpoints, ``source`` the name of the file that
    was copied. ``created_ms`` since 1970 (UTC), ``size`` in bytes, ``tokens`` an estimate.
    """

    id: str
    session_id: str
    reason: Cause
    created_ms: int
    path: str
    size: int
    sha256: str
    messages: int
    tokens: int
    source: str


def record_of(checkpoint: Checkpoint) -> bytes:
    """The line of ``checkpoint``, without a line end."""
    value: dict[str, JsonValue] = {
        "id": checkpoint.id,
        "session_id": checkpoint.session_id,
        "reason": checkpoint.reason,
        "created_ms": checkpoint.created_ms,
        "path": checkpoint.path,
        "size": checkpoint.size,
        "sha256": checkpoint.sha256,
        "messages": checkpoint.messages,
        "tokens": checkpoint.tokens,
        "source": checkpoint.source,
    }
    return dumps(value)


def checkpoint_of(line: bytes) -> Checkpoint | None:
    """The checkpoint that ``line`` records; None if it records none.

    The name of a copy that would lead out of its folder is none.
    """
    try:
        value = loads(line)
    except ValueError:
        return None
    if not isinstance(value, dict):
        return None
    texts = [value.get(key) for key in ("id", "session_id", "reason", "path", "sha256", "source")]
    counts = [value.get(key) for key in ("created_ms", "size", "messages", "tokens")]
    if not all(isinstance(text, str) and text for text in texts):
        return None
    if not all(isinstance(count, int) and not isinstance(count, bool) and count >= 0 for count in counts):
        return None
    identifier, session_id, reason, path, sha256, source = cast("list[str]", texts)
    created_ms, size, messages, tokens = cast("list[int]", counts)
    if reason not in _CAUSES or not valid_id(path):
        return None
    return Checkpoint(
        identifier,
        session_id,
        cast("Cause", reason),
        created_ms,
        path,
        size,
        sha256,
        messages,
        tokens,
        source,
    )
