"""Where do our own files of a store lie?"""

from __future__ import annotations

import os
from datetime import UTC, datetime

OWN_PREFIX = ".agentbrief"
"""Names that begin so are ours: listings of sessions leave them out."""


def own_folder(store: str) -> str:
    """The folder in which everything of ours lies but the lock."""
    return os.path.join(store, OWN_PREFIX)


def is_own(path: str) -> bool:
    """Whether ``path`` lies in the folder of ours of some store, however the store is spelled."""
    return f"{os.sep}{OWN_PREFIX}{os.sep}" in path


def checkpoints_folder(store: str) -> str:
    """The folder of the checkpoints' copies."""
    return os.path.join(own_folder(store), "checkpoints")


def checkpoint_index(store: str) -> str:
    """The file with one record a checkpoint, for stores that have no record of their own."""
    return os.path.join(checkpoints_folder(store), "index.jsonl")


def trash_folder(store: str) -> str:
    """The folder that holds a folder for each day on which something was moved to the trash."""
    return os.path.join(own_folder(store), "trash")


def trash_manifest(store: str) -> str:
    """The file with one record for each thing that happened to the trash."""
    return os.path.join(trash_folder(store), "manifest.jsonl")


def day_of(now_ns: int) -> str:
    """The day in UTC, ``2026-11-30``."""
    return datetime.fromtimestamp(now_ns // 1_000_000_000, UTC).strftime("%Y-%m-%d")
