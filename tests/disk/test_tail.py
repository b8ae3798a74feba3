"""The end of a file of any size, and what stands at a path: looked at by the one seam, never written."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from agentbrief.disk.files import DiskFiles
from agentbrief.disk.open_files import OpenFiles
from agentbrief.disk.read import real_roots
from agentbrief.disk.seam import FS
from agentbrief.disk.tail import read_tail
from agentbrief.disk.values import FileTail, ReadProblem


@pytest.mark.parametrize(
    ("size", "most", "skipped"), [(0, 4, 0), (3, 4, 0), (4, 4, 0), (5, 4, 1), (3 << 20, 5 << 18, 1835008)]
)
def test_the_last_bytes(tmp_path: Path, size: int, most: int, skipped: int) -> None:
    path = tmp_path / "log"
    data = os.urandom(size)
    path.write_bytes(data)
    found = read_tail(FS(), str(path), real_roots(FS(), (str(tmp_path),)), most)
    assert isinstance(found, FileTail)
    assert (found.data, found.skipped, found.stamp.size) == (data[skipped:], skipped, size)
    assert len(found.data) <= most


def test_why_there_are_none(tmp_path: Path) -> None:
    fs, roots = FS(), real_roots(FS(), (str(tmp_path / "in"),))
    (tmp_path / "in").mkdir()
    (tmp_path / "out").write_bytes(b"x")
    (tmp_path / "in" / "link").symlink_to(tmp_path / "out")
    roots = real_roots(fs, (str(tmp_path / "in"),))
    assert read_tail(fs, str(tmp_path / "in" / "none"), roots, 9) is None
    for name, kind in ((".", "not-a-file"), ("link", "outside-roots"), ("../out", "outside-roots")):
        found = read_tail(fs, str(tmp_path / "in" / name), roots, 9)
        assert isinstance(found, ReadProblem)
        assert found.kind == kind


def test_what_is_added_while_it_is_read_is_left_for_the_next_look(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(b"one\n")

    class Growing(FS):
        def pread(self, descriptor: int, size: int, offset: int) -> bytes:
            with path.open("ab") as file:
                file.write(b"more\n")
            return super().pread(descriptor, size, offset)

    found = read_tail(Growing(), str(path), real_roots(FS(), (str(tmp_path),)), 100)
    assert isinstance(found, FileTail)
    assert found.data == b"one\n"


def test_a_conclusion_rests_on_a_look_and_on_the_end_of_a_file(tmp_path: Path) -> None:
    root = Path(os.path.realpath(tmp_path))
    path, link = root / "log", root / "link"
    path.write_bytes(b"one")
    link.symlink_to("log")
    disk = DiskFiles(FS(), time.time_ns)
    for files in (disk, OpenFiles(disk, {str(path): "an open text"})):
        asked: list[bytes] = []

        def told(files: DiskFiles | OpenFiles = files, asked: list[bytes] = asked) -> bytes:
            def conclude(look: object) -> bytes:
                assert isinstance(look, DiskFiles | OpenFiles)
                assert look.look(str(link)).is_link
                found = look.tail(str(path), look.roots((str(root),)), 9)
                asked.append(found.data if isinstance(found, FileTail) else b"")
                return asked[-1]

            return files.remembered("end", conclude)

        time.sleep(0.06)
        assert (told(), told(), len(asked)) == (told(), asked[0], 1)
        path.write_bytes(asked[0] + b"+")
        assert told() == asked[0] + b"+"
        path.unlink()
        assert told() == b""
        path.write_bytes(b"again")
        assert told() == b"again"
