"""What is a file of a sessions folder, by its name?

Source: openclaw.md 3.2; openclaw/openclaw ``src/config/sessions/artifacts.ts``.
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import Literal

from agentbrief.sessions.times import iso_of

ArchiveReason = Literal["reset", "deleted", "bak"]

REASONS: tuple[ArchiveReason, ...] = ("reset", "deleted", "bak")
STORE_NAME = "sessions.json"
OURS = ".agentbrief"
"""How the names of our own files and folders begin."""

_STAMP = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2})-([0-9]{2})-([0-9]{2})(?:\.([0-9]{3}))?Z")
_STORE_COPY = re.compile(r"sessions\.json\.bak\.[0-9]+")
_CHECKPOINT = re.compile(
    r".+\.checkpoint\.[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\.jsonl", re.IGNORECASE
)
_EPOCH = datetime(1970, 1, 1)
_MILLISECOND = timedelta(milliseconds=1)


def stamp_text(now_ms: int) -> str:
    """The moment as names have it: ``2026-03-05T12-00-00.000Z``."""
    return iso_of(now_ms).replace(":", "-")


def archive_name(name: str, reason: ArchiveReason, now_ms: int) -> str:
    """The name under which the file ``name`` is put away."""
    return f"{name}.{reason}.{stamp_text(now_ms)}"


def archive_reason(name: str) -> ArchiveReason | None:
    """Why the file was put away; None where ``name`` is no archive's, or that of a copy of the store."""
    return next((reason for reason in REASONS if _stamp(name, reason) is not None), None)


def archive_time_ms(name: str, reason: ArchiveReason) -> int | None:
    """When a file was put away for ``reason``; None for another name, and for a date that does not exist."""
    found = _stamp(name, reason)
    if found is None:
        return None
    words = found.group()
    try:
        at = datetime.fromisoformat(words[:10] + words[10:-1].replace("-", ":"))
    except ValueError:
        return None
    return (at - _EPOCH) // _MILLISECOND


def is_archive(name: str) -> bool:
    """Whether ``name`` is that of an archive, a copy of the store among them."""
    return is_store_copy(name) or archive_reason(name) is not None


def is_store_copy(name: str) -> bool:
    """Whether ``name`` is that of a copy that OpenClaw made of the store."""
    return _STORE_COPY.fullmatch(name) is not None


def is_checkpoint_copy(name: str) -> bool:
    """Whether ``name`` is that of a copy of a transcript that OpenClaw made before a compaction."""
    return _CHECKPOINT.fullmatch(name) is not None


def is_transcript(name: str) -> bool:
    """Whether ``name`` is that of a transcript in use; a copy of one is none."""
    return (
        name.endswith(".jsonl")
        and name != ".jsonl"
        and not name.startswith(OURS)
        and not is_archive(name)
        and not is_checkpoint_copy(name)
    )


def is_counted(name: str) -> bool:
    """Whether a file of that name counts for the size of the folder: all but locks and our own."""
    return not (name.endswith(".lock") or name.startswith(OURS))


def _stamp(name: str, reason: ArchiveReason) -> re.Match[str] | None:
    if reason not in name:
        return None
    before, mark, after = name.rpartition(f".{reason}.")
    return _STAMP.fullmatch(after) if mark and before else None
