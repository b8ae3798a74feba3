"""File calls that are counted: what was opened, how many bytes were read, what was written."""

from __future__ import annotations

import os

from agentbrief.disk.seam import FS


class WatchedFS(FS):
    """Notes each file that is opened for reading and how many bytes are read of all of them."""

    def __init__(self) -> None:
        super().__init__()
        self.opened: list[str] = []
        self.bytes = 0

    def open_read(self, path: str) -> int:
        self.opened.append(path)
        return super().open_read(path)

    def read(self, descriptor: int, size: int) -> bytes:
        data = super().read(descriptor, size)
        self.bytes += len(data)
        return data

    def pread(self, descriptor: int, size: int, offset: int) -> bytes:
        data = super().pread(descriptor, size, offset)
        self.bytes += len(data)
        return data

    def names_opened(self) -> list[str]:
        return [os.path.basename(path) for path in self.opened]
