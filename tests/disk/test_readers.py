"""R6 Readers during rewrites see exactly one version. And: many writers, each record once and in order."""

from __future__ import annotations

import json
import os
from contextlib import ExitStack
from pathlib import Path

import pytest

from agentbrief.disk.append import append
from agentbrief.disk.folder import stamp_of
from agentbrief.disk.lock import hold
from agentbrief.disk.read import FileBytes, read_bytes, real_roots
from agentbrief.disk.refusal import Refused
from agentbrief.disk.replace import replace
from agentbrief.disk.seam import FS
from agentbrief.disk.stream import Growth, Position, Rewritten, Stream, growth, streamed
from tests.disk.faults import scratch
from tests.disk.processes import heard, needs_fork, real_caller, running

REWRITES = 2000
READERS = 4
APPENDERS = 8
RECORDS = 40


def version(number: int) -> bytes:
    return b"%06d\n" % number * (100 + number % 700)


def rewriter(say: int, folder: Path) -> None:
    path = str(folder / "s.json")
    with hold(FS(), str(folder), real_caller()) as held:
        for number in range(1, REWRITES + 1):
            replace(held, path, version(number), expect=stamp_of(FS(), path), durable=False)
    os.write(say, b"done\n")


def reader(say: int, folder: Path) -> None:
    """Reads until the last version is there; says what it saw that was none."""
    fs, path, roots = FS(), str(folder / "s.json"), real_roots(FS(), (str(folder),))
    reads, last = 0, -1
    while last < REWRITES:
        found = read_bytes(fs, path, roots, 1 << 20)
        if not isinstance(found, FileBytes):
            # The file lost its name between the look and the open, three times: nothing was read.
            if found is None or found.detail != "changed":
                os.write(say, f"{found}\n".encode())
            continue
        number = int(found.data[:6])
        if found.data != version(number) or number < last:
            os.write(say, b"mixed %d after %d\n" % (number, last))
        reads, last = reads + 1, number
    os.write(say, b"reads %d\n" % reads)


@needs_fork
def test_each_read_is_exactly_one_version() -> None:
    with scratch() as folder, ExitStack() as stack:
        (folder / "s.json").write_bytes(version(0))
        ends = [stack.enter_context(running(reader, folder))[1] for _ in range(READERS)]
        writer = stack.enter_context(running(rewriter, folder))[1]
        assert heard(writer) == b"done\n"
        for end in ends:
            said = heard(end).split()
            assert said[0] == b"reads"
            assert int(said[1]) > 10


def appender(say: int, folder: Path, name: int) -> None:
    for number in range(RECORDS):
        record = json.dumps({"by": name, "n": number, "text": "x" * (number % 5 * 1000)}).encode()
        with hold(FS(), str(folder), real_caller()) as held:
            append(held, str(folder / "a.jsonl"), record, durable=False)
        os.write(say, b"%d\n" % number)


def follower(say: int, folder: Path) -> None:
    """Reads the file as it grows until it has seen all; says whether all was there in order."""
    fs, path, roots = FS(), str(folder / "a.jsonl"), real_roots(FS(), (str(folder),))
    with streamed(fs, path, roots) as stream:
        assert isinstance(stream, Stream)
        position = stream.position(0)
    seen: list[tuple[int, int]] = []
    while len(seen) < APPENDERS * RECORDS:
        found = growth(fs, path, roots, position)
        if not isinstance(found, Growth):
            os.write(say, f"{type(found).__name__}\n".encode())
            return
        for line in found.data.split(b"\n")[:-1]:
            record = json.loads(line)
            seen.append((record["by"], record["n"]))
        position = found.position
    by_writer = [[n for by, n in seen if by == name] for name in range(APPENDERS)]
    os.write(say, b"all in order\n" if by_writer == [list(range(RECORDS))] * APPENDERS else b"wrong\n")


@needs_fork
def test_eight_writers_and_two_readers_lose_and_mix_nothing() -> None:
    with scratch() as folder, ExitStack() as stack:
        (folder / "a.jsonl").write_bytes(b"")
        followers = [stack.enter_context(running(follower, folder))[1] for _ in range(2)]
        writers = [stack.enter_context(running(appender, folder, name))[1] for name in range(APPENDERS)]
        for end in writers:
            assert heard(end).split() == [b"%d" % number for number in range(RECORDS)]
        for end in followers:
            assert heard(end) == b"all in order\n"
        lines = (folder / "a.jsonl").read_bytes().split(b"\n")
        assert lines.pop() == b""
        assert len({(r["by"], r["n"]) for r in map(json.loads, lines)}) == len(lines) == APPENDERS * RECORDS


def test_a_rewritten_file_is_noticed() -> None:
    with scratch() as folder:
        path = folder / "a.jsonl"
        path.write_bytes(b'{"a":1}\n{"b":2}\n{"c"')
        fs, roots = FS(), real_roots(FS(), (str(folder),))

        def position() -> Position:
            with streamed(fs, str(path), roots) as stream:
                assert isinstance(stream, Stream)
                return stream.position(16)

        start = position()
        same = growth(fs, str(path), roots, start)
        assert isinstance(same, Growth) and (same.data, same.pending_bytes) == (b"", 4)
        with path.open("ab") as file:
            file.write(b':3}\n{"d"')
        more = growth(fs, str(path), roots, start)
        assert isinstance(more, Growth) and (more.data, more.pending_bytes) == (b'{"c":3}\n', 4)
        path.write_bytes(b'{"a":9}\n{"b":2}\n{"c":3}\n{"d":4}\n')
        assert isinstance(growth(fs, str(path), roots, more.position), Rewritten)
        start = position()
        path.write_bytes(b'{"a"')
        assert isinstance(growth(fs, str(path), roots, start), Rewritten)
        twin = folder / "twin"
        twin.write_bytes(b'{"a":9}\n{"b":2}\n{"c":3}\n{"d":4}\n{"e":5}\n')
        path.write_bytes(b'{"a":9}\n{"b":2}\n{"c":3}\n{"d":4}\n')
        start = position()
        twin.replace(path)
        assert isinstance(growth(fs, str(path), roots, start), Rewritten)
        path.unlink()
        assert growth(fs, str(path), roots, start) is None


def test_a_reader_of_a_vanishing_store_is_told() -> None:
    with scratch() as folder:
        with pytest.raises(Refused) as raised, hold(FS(), str(folder / "none"), real_caller()):
            pass
        assert raised.value.what == "vanished"
