"""File calls that are counted, and folders that refuse to be listed."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from agentbrief.disk.seam import FS


class CountingFS(FS):
    """Counts calls. ``refused`` folders cannot be listed."""

    def __init__(self, refused: tuple[Path, ...] = ()) -> None:
        self.calls: Counter[str] = Counter()
        self.scanned: list[str] = []
        self._refused = {str(path) for path in refused}

    def lstat(self, path: str) -> os.stat_result:
        self.calls["lstat"] += 1
        return super().lstat(path)

    def stat(self, path: str) -> os.stat_result:
        self.calls["stat"] += 1
        return super().stat(path)

    def open_read(self, path: str) -> int:
        descriptor = super().open_read(path)
        self.calls["open"] += 1
        return descriptor

    def close(self, descriptor: int) -> None:
        self.calls["close"] += 1
        super().close(descriptor)

    def scan(self, folder: str) -> Iterator[os.DirEntry[str]]:
        if folder in self._refused:
            raise PermissionError(13, "Permission denied", folder)
        self.calls["scan"] += 1
        self.scanned.append(folder)
        return super().scan(folder)
