"""H: hashing and looking again, against opening and reading the same files."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Iterator

from agentbrief.disk.files import DiskFiles
from agentbrief.disk.seam import FS
from agentbrief.instructions.instruction_file import content_key
from benchmarks.goals import Goal, against
from benchmarks.inputs import Bench
from benchmarks.measure import by_turns, inside

COUNT, SIZE = 1_000, 4_000


class CountingFS(FS):
    """Counts how often a file is opened."""

    def __init__(self) -> None:
        self.opened = 0

    def open_read(self, path: str) -> int:
        self.opened += 1
        return super().open_read(path)


def area(bench: Bench) -> Iterator[Goal]:
    """The goal H1."""
    paths = [str(path) for path in bench.small_files(COUNT, SIZE)]
    contents = [read(path) for path in paths]
    texts = [data.decode() for data in contents]
    fs = CountingFS()
    files = DiskFiles(fs, time.time_ns)
    roots = files.roots((os.path.dirname(paths[0]),))

    def look() -> None:
        for path in paths:
            files.read(path, roots)

    look()
    opened = fs.opened
    samples = by_turns(
        {
            "open and read": inside(lambda: [read(path) for path in paths]),
            "stat": inside(lambda: [os.stat(path) for path in paths]),
            "sha256": inside(lambda: [hashlib.sha256(data).digest() for data in contents]),
            "key of duplicates": inside(lambda: [content_key.__wrapped__(text) for text in texts]),
            "look again": inside(look),
        },
        bench.rounds,
    )
    what = f"{COUNT:,} files of {SIZE:,} bytes"
    yield against("H1", f"hash, {what}", samples, "sha256", "open and read", 0.3)
    yield Goal(
        "H1", "opens while nothing changed", f"first look {opened}", f"later looks {fs.opened - opened}",
        (fs.opened - opened) / opened, 0.0,
    )  # fmt: skip
    yield against("H1", "look again, nothing changed", samples, "look again", "open and read", None)
    yield against("H1", "look again, against the bare stat", samples, "look again", "stat", None)
    yield against(
        "H1", "normalise and hash (duplicates)", samples, "key of duplicates", "open and read", None
    )


def read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()
