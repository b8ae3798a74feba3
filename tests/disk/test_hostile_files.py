"""S4 Whatever is named CLAUDE.md: it is read or refused with a reason, and the other files are there."""

from __future__ import annotations

import errno
import os
import socket
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from agentbrief.disk.files import DiskFiles
from agentbrief.disk.read import MAX_TEXT_BYTES
from agentbrief.disk.seam import FS
from agentbrief.disk.values import FileText, ReadProblem
from agentbrief.instructions import Place, find
from agentbrief.profiles.load import profile
from tests.disk.faults import scratch


class NoAccess(FS):
    """Mode 000 counts also for who may do everything."""

    def open_read(self, path: str) -> int:
        if os.stat(path).st_mode & 0o777 == 0:
            raise PermissionError(errno.EACCES, "Permission denied", path)
        return super().open_read(path)


class WhileRead(FS):
    """Another process works on each file named CLAUDE… while it is read."""

    def __init__(self, act: Callable[[int], None]) -> None:
        super().__init__()
        self.act = act

    def read(self, descriptor: int, size: int) -> bytes:
        path = os.readlink(f"/proc/self/fd/{descriptor}")
        if os.path.basename(path).startswith("CLAUDE") and "hostile" in path:
            self.act(descriptor)
        return super().read(descriptor, min(size, 4096))


def cut(descriptor: int) -> None:
    with open(f"/proc/self/fd/{descriptor}", "r+b") as file:
        file.truncate(10)


def grow(descriptor: int) -> None:
    with open(f"/proc/self/fd/{descriptor}", "ab") as file:
        file.write(b"x" * 100_000)


@dataclass(frozen=True)
class Hostile:
    """How to lay it out, what is expected (a problem's kind, or the text), and on which disk."""

    place: Callable[[Path, Path], object]
    expected: str
    detail: str = ""
    fs: Callable[[], FS] = FS


def loop_of(length: int) -> Callable[[Path, Path], None]:
    def place(path: Path, outside: Path) -> None:
        names = [path, *(path.with_name(f"loop{number}") for number in range(1, length))]
        for name, target in zip(names, [*names[1:], path], strict=True):
            name.symlink_to(target)

    return place


def chain_of_links(length: int) -> Callable[[Path, Path], None]:
    def place(path: Path, outside: Path) -> None:
        names = [path, *(path.with_name(f"link{number}") for number in range(1, length))]
        for name, target in zip(names, [*names[1:], path.with_name("end")], strict=True):
            name.symlink_to(target)
        path.with_name("end").write_text("end")

    return place


def listening(path: Path, outside: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        here = os.open(path.parent, os.O_RDONLY)
        try:
            server.bind(f"/proc/self/fd/{here}/{path.name}")
        finally:
            os.close(here)


def sparse(size: int) -> Callable[[Path, Path], None]:
    def place(path: Path, outside: Path) -> None:
        path.touch()
        os.truncate(path, size)

    return place


def without_rights(path: Path, outside: Path) -> None:
    path.write_text("x")
    path.chmod(0)


def with_twin(path: Path, outside: Path) -> None:
    path.write_text("text")
    path.with_name(path.name.lower()).write_text("twin")


KINDS = {
    "folder": Hostile(lambda path, outside: path.mkdir(), "not-a-file"),
    "pipe": Hostile(lambda path, outside: os.mkfifo(path), "not-a-file"),
    "socket": Hostile(listening, "not-a-file"),
    "link to /dev/zero": Hostile(lambda path, outside: path.symlink_to("/dev/zero"), "not-a-file"),
    "link to /dev/tty": Hostile(lambda path, outside: path.symlink_to("/dev/tty"), "not-a-file"),
    "link to a folder": Hostile(lambda path, outside: path.symlink_to(outside), "not-a-file"),
    "link to a pipe": Hostile(lambda path, outside: path.symlink_to(outside / "pipe"), "not-a-file"),
    "dangling link": Hostile(lambda path, outside: path.symlink_to("none"), "dangling-link"),
    "link outside": Hostile(lambda path, outside: path.symlink_to(outside / "secret"), "outside-roots"),
    "link to itself": Hostile(loop_of(1), "unreadable", "eloop"),
    "loop of two": Hostile(loop_of(2), "unreadable", "eloop"),
    "loop of 41": Hostile(loop_of(41), "unreadable", "eloop"),
    "41 links in a row": Hostile(chain_of_links(41), "unreadable", "eloop"),
    "40 links in a row": Hostile(chain_of_links(40), "end"),
    "second name of a file outside": Hostile(
        lambda path, outside: os.link(outside / "secret", path), "secret"
    ),
    "mode 000": Hostile(without_rights, "unreadable", "eacces", NoAccess),
    "8 GiB of nothing": Hostile(sparse(8 << 30), "too-large"),
    "one byte too long": Hostile(sparse(MAX_TEXT_BYTES + 1), "too-large"),
    "exactly as long as may be": Hostile(sparse(MAX_TEXT_BYTES), "\0" * MAX_TEXT_BYTES),
    "cut while it is read": Hostile(
        lambda path, outside: path.write_text("x" * 50_000), "x" * 10, fs=lambda: WhileRead(cut)
    ),
    "growing for ever": Hostile(
        lambda path, outside: path.write_text("x"), "too-large", fs=lambda: WhileRead(grow)
    ),
    "link to /proc/self/mem": Hostile(
        lambda path, outside: path.symlink_to("/proc/self/mem"), "outside-roots"
    ),
    "link to /proc/self/environ": Hostile(
        lambda path, outside: path.symlink_to("/proc/self/environ"), "outside-roots"
    ),
    "twin in lower case": Hostile(with_twin, "text"),
    "empty": Hostile(lambda path, outside: path.touch(), ""),
}

NAMES = profile("claw").names


@pytest.mark.skipif(os.name == "nt", reason="pipes, sockets and links of a POSIX system")
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("kind", KINDS)
def test_it_is_answered_and_hides_no_other_file(kind: str, name: str) -> None:
    hostile = KINDS[kind]
    with scratch() as folder:
        workspace, outside = folder / "w", folder / "outside"
        path = workspace / "hostile" / name
        path.parent.mkdir(parents=True)
        outside.mkdir()
        (outside / "secret").write_text("secret")
        os.mkfifo(outside / "pipe")
        for good in NAMES:
            (workspace / good).parent.mkdir(exist_ok=True)
            (workspace / good).write_text(f"good {good}")
        hostile.place(path, outside)

        files = DiskFiles(hostile.fs(), lambda: 0)
        found = files.read(str(path), files.roots((str(workspace),)))
        if isinstance(found, ReadProblem):
            assert (found.kind, found.path) == (hostile.expected, str(path))
            assert hostile.detail in ("", found.detail)
        else:
            assert isinstance(found, FileText)
            assert found.text == hostile.expected

        place = Place(str(workspace / "hostile"), (str(workspace),))
        discovered = find(profile("claw"), place, DiskFiles(hostile.fs(), lambda: 0)).files
        others = {file.text for file in discovered if file.problem is None}
        assert {f"good {good}" for good in NAMES} <= others
        here = [file for file in discovered if file.path == str(path)]
        assert [file.problem.kind if file.problem else file.text for file in here] == [hostile.expected]


class Counting(FS):
    """Counts what is opened."""

    def __init__(self) -> None:
        super().__init__()
        self.opened: list[str] = []

    def open_read(self, path: str) -> int:
        self.opened.append(path)
        return super().open_read(path)


def test_a_file_is_opened_once_while_it_is_unchanged() -> None:
    with scratch() as folder:
        path = folder / "CLAUDE.md"
        path.write_text("one")
        os.utime(path, (1_700_000_000, 1_700_000_000))
        fs = Counting()
        now = [path.stat().st_ctime_ns + 10**9]
        files = DiskFiles(fs, lambda: now[0])
        roots = files.roots((str(folder),))
        for _ in range(5):
            found = files.read(str(path), roots)
            assert isinstance(found, FileText) and found.text == "one"
        assert fs.opened == [str(path)]
        path.write_text("two, longer")
        now[0] = path.stat().st_ctime_ns + 10**9
        for _ in range(5):
            found = files.read(str(path), roots)
            assert isinstance(found, FileText) and found.text == "two, longer"
        assert len(fs.opened) == 2
        path.write_bytes(b"\xff")
        now[0] = path.stat().st_ctime_ns + 10**9
        for _ in range(5):
            assert isinstance(files.read(str(path), roots), ReadProblem)
        assert len(fs.opened) == 3


def test_a_file_that_just_changed_is_not_trusted_by_its_stamp() -> None:
    with scratch() as folder:
        path = folder / "CLAUDE.md"
        path.write_text("one")
        fs = Counting()
        files = DiskFiles(fs, lambda: path.stat().st_ctime_ns + 1)
        roots = files.roots((str(folder),))
        for _ in range(3):
            files.read(str(path), roots)
        assert len(fs.opened) == 3
