"""The small job that both floor servers do at each change (--work chain), so that only their plumbing
differs.

Three names are looked up in each folder up to the root (a stat each; read and hashed only when changed), the
open text is hashed and its lines are measured. Plain tuples: importing dataclasses alone would be a third of
the floor's start.
"""

from __future__ import annotations

import hashlib
import os

NAMES = ("CLAUDE.md", "CLAUDE.local.md", ".claude/CLAUDE.md")
FILE_LIMIT, TOTAL_LIMIT, LINE_LIMIT = 4000, 12000, 200  # characters

Finding = tuple[int, int, int, int, str]  # start line, start character, end line, end character, message


class Chain:
    """The instruction files seen from a folder, with a cache keyed by (mtime, size, inode)."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[tuple[int, int, int], int, bytes]] = {}

    def files(self, folder: str) -> list[tuple[str, int, bytes]]:
        """Path, characters and SHA-256 of each instruction file, nearest first."""
        found = []
        while True:
            for name in NAMES:
                path = f"{folder}/{name}"
                try:
                    stat = os.stat(path)
                except OSError:
                    continue
                key = (stat.st_mtime_ns, stat.st_size, stat.st_ino)
                entry = self._known.get(path)
                if entry is None or entry[0] != key:
                    with open(path, "rb") as file:
                        data = file.read()
                    size = len(data.decode("utf-8", "replace"))
                    entry = self._known[path] = (key, size, hashlib.sha256(data).digest())
                found.append((path, entry[1], entry[2]))
            above = os.path.dirname(folder)
            if above == folder:
                return found
            folder = above

    def check(self, path: str, text: str) -> list[Finding]:
        """What the floor says about one open file."""
        seen = {hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()}
        total = min(len(text), FILE_LIMIT)
        for other, size, digest in self.files(os.path.dirname(path)):
            if other != path and digest not in seen:
                seen.add(digest)
                total += min(size, FILE_LIMIT)
        found: list[Finding] = []
        if len(text) > FILE_LIMIT:
            found.append((0, 0, 0, 1, f"{len(text)} characters, the limit is {FILE_LIMIT}"))
        if total > TOTAL_LIMIT:
            found.append((0, 0, 0, 1, f"{total} characters in all, the limit is {TOTAL_LIMIT}"))
        found.append((0, 0, 0, 1, f"about {len(text) // 4} tokens"))
        for number, line in enumerate(text.split("\n")):
            if len(line) > LINE_LIMIT:
                found.append((number, LINE_LIMIT, number, len(line), "long line"))
        return found
