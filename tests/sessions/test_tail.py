"""A transcript that grows is read on; one that was rewritten is read again."""

from __future__ import annotations

import os
from pathlib import Path

from agentbrief.disk.read import real_roots
from agentbrief.disk.seam import FS
from agentbrief.disk.stream import CHUNK_BYTES
from agentbrief.disk.values import ReadProblem
from agentbrief.sessions.formats.claude_index import CLAUDE_INDEX, ClaudeRow
from agentbrief.sessions.jsonl.tail import Followed, follow
from tests.sessions.claude_code.written import file_of, user


class Counting(FS):
    """Counts the bytes that are read, and how often a file is opened."""

    def __init__(self) -> None:
        super().__init__()
        self.read_bytes = 0
        self.opened = 0

    def open_read(self, path: str) -> int:
        self.opened += 1
        return super().open_read(path)

    def pread(self, descriptor: int, size: int, offset: int) -> bytes:
        found = super().pread(descriptor, size, offset)
        self.read_bytes += len(found)
        return found


def looked(fs: FS, path: Path, before: Followed[ClaudeRow] | None = None) -> Followed[ClaudeRow]:
    found = follow(fs, str(path), real_roots(fs, (str(path.parent),)), CLAUDE_INDEX, before)
    assert isinstance(found, Followed)
    return found


def talk(count: int) -> bytes:
    return file_of(
        *[user(f"u{n}", f"u{n - 1}" if n else None, f"prompt {n}" + "x" * 300) for n in range(count)]
    )


def test_a_file_of_several_chunks_is_indexed_whole_however_long_its_lines_are(tmp_path: Path) -> None:
    lengths = [300, 700_000, 10, CHUNK_BYTES, 5, 2 * CHUNK_BYTES + 7, 90_000, CHUNK_BYTES - 400, 1]
    lines = [
        file_of(user(f"u{n}", f"u{n - 1}" if n else None, "x" * length)) for n, length in enumerate(lengths)
    ]
    path = tmp_path / "s.jsonl"
    for torn in (b"", b"{", lines[1][:-1], lines[5][:-1]):
        path.write_bytes(b"".join(lines) + torn)
        found = looked(FS(), path)
        assert found.index.ids == [f"u{n}" for n in range(len(lengths))]
        assert list(found.index.offsets) == [sum(map(len, lines[:n])) for n in range(len(lines))]
        assert (found.pending_bytes, found.index.size) == (len(torn), sum(map(len, lines)))
        assert found.index.bad_lines() == ()


def test_only_what_was_added_is_read(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(talk(3000))
    fs = Counting()
    first = looked(fs, path)
    assert (first.change, first.first_new_line, len(first.index)) == ("read-again", 1, 3000)
    fs.read_bytes = fs.opened = 0
    assert looked(fs, path, first).change == "same"
    assert fs.opened == 0
    with path.open("ab") as file:
        file.write(file_of(user("v", "u2999", "more")))
    second = looked(fs, path, first)
    assert (second.change, second.first_new_line, second.index.ids[-1]) == ("grew", 3001, "v")
    assert fs.read_bytes < 40_000


def test_a_line_without_end_waits_for_its_rest(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    data = talk(4)
    path.write_bytes(data[:-100])
    fs = FS()
    first = looked(fs, path)
    assert (len(first.index), first.pending_bytes > 0) == (3, True)
    path.write_bytes(data[:-50])
    second = looked(fs, path, first)
    assert (second.change, len(second.index)) == ("same", 3)
    path.write_bytes(data)
    third = looked(fs, path, second)
    assert (third.change, len(third.index), third.pending_bytes) == ("grew", 4, 0)


def test_a_file_that_was_rewritten_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    fs = FS()
    path.write_bytes(talk(4))
    first = looked(fs, path)
    path.write_bytes(talk(2))
    shorter = looked(fs, path, first)
    assert (shorter.change, len(shorter.index)) == ("read-again", 2)
    other = tmp_path / "t.jsonl"
    other.write_bytes(talk(6))
    os.replace(other, path)
    replaced = looked(fs, path, shorter)
    assert (replaced.change, len(replaced.index)) == ("read-again", 6)
    with path.open("r+b") as file:
        file.write(talk(8).replace(b"prompt 0", b"PROMPT 0"))
    edited = looked(fs, path, replaced)
    assert (edited.change, len(edited.index)) == ("read-again", 8)


def test_a_file_that_may_not_be_read(tmp_path: Path) -> None:
    fs = FS()
    roots = real_roots(fs, (str(tmp_path),))
    assert follow(fs, str(tmp_path / "none.jsonl"), roots, CLAUDE_INDEX) is None
    outside = follow(fs, "/etc/hostname", roots, CLAUDE_INDEX)
    assert outside is None or (isinstance(outside, ReadProblem) and outside.kind == "outside-roots")
    path = tmp_path / "s.jsonl"
    path.write_bytes(talk(1))
    first = looked(fs, path)
    path.unlink()
    assert follow(fs, str(path), roots, CLAUDE_INDEX, first) is None
