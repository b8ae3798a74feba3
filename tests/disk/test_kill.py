"""R2 kill -9 of a real writer at a random time: nothing acknowledged is lost, the next write is whole."""

from __future__ import annotations

import json
import os
import random
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from agentbrief.changes.apply import Site, apply, undo
from agentbrief.changes.steps import (
    AppendRecord,
    CopyVerified,
    EditStore,
    EntryEdit,
    MoveToTrash,
    ReplaceFile,
)
from agentbrief.changes.store_text import value_of
from agentbrief.changes.trash import trash_items
from agentbrief.disk.append import append
from agentbrief.disk.folder import stamp_of
from agentbrief.disk.lock import hold
from agentbrief.disk.read import real_roots
from agentbrief.disk.seam import FS
from agentbrief.disk.temporary import is_temporary
from tests.disk.faults import scratch
from tests.disk.processes import heard, needs_fork, real_caller, running

KILLS = 15
OLD = b"".join(b'{"old":%d}\n' % number for number in range(50))


def site(folder: Path) -> Site:
    return Site(FS(), str(folder), real_caller())


def appender(say: int, folder: Path) -> None:
    number = 0
    while True:
        with hold(FS(), str(folder), real_caller()) as held:
            append(
                held, str(folder / "a.jsonl"), b'{"n":%d,"text":"%s"}' % (number, b"x" * (number % 7 * 900))
            )
        os.write(say, b"%d\n" % number)
        number += 1


def check_appender(folder: Path, said: list[bytes]) -> None:
    with hold(FS(), str(folder), real_caller()) as held:
        append(held, str(folder / "a.jsonl"), b'{"n":-1}')
    lines = (folder / "a.jsonl").read_bytes().split(b"\n")
    assert lines.pop() == b""
    numbers = []
    for line in lines:
        try:
            numbers.append(json.loads(line)["n"])
        except ValueError:
            continue
    assert numbers[-1] == -1
    assert numbers[: len(said)] == list(range(len(said)))
    assert len(numbers) - 1 in (len(said), len(said) + 1)
    assert len(lines) <= len(said) + 2


def compactor(say: int, folder: Path) -> None:
    path = folder / "s.jsonl"
    number = 0
    while True:
        stamp = stamp_of(FS(), str(path))
        assert stamp is not None
        copy = folder / ".agentbrief" / "checkpoints" / f"{number}.jsonl"
        data = b'{"summary":%d}\n' % number + OLD[-300:]
        apply(site(folder), [ReplaceFile(str(path), data, stamp), CopyVerified(str(path), str(copy), stamp)])
        os.write(say, b"%d\n" % number)
        number += 1


def check_compactor(folder: Path, said: list[bytes]) -> None:
    """Each state that was ever there is the file itself or a checkpoint."""
    versions = [OLD] + [b'{"summary":%d}\n' % number + OLD[-300:] for number in range(len(said) + 1)]
    found = (folder / "s.jsonl").read_bytes()
    assert found in versions[len(said) :]
    checkpoints = folder / ".agentbrief" / "checkpoints"
    copies = (
        {path.read_bytes() for path in checkpoints.iterdir() if not is_temporary(path.name)}
        if said
        else set()
    )
    assert set(versions[: len(said)]) <= copies


def pruner(say: int, folder: Path) -> None:
    path = folder / "s.jsonl"
    while True:
        stamp = stamp_of(FS(), str(path))
        assert stamp is not None
        receipt = apply(site(folder), [MoveToTrash(str(path), stamp)])
        undo(site(folder), receipt)
        os.write(say, b"x\n")


def check_pruner(folder: Path, said: list[bytes]) -> None:
    items = trash_items(FS(), str(folder), real_roots(FS(), (str(folder),)))
    here = [(folder / "s.jsonl").read_bytes()] if (folder / "s.jsonl").exists() else []
    there = [Path(item.trashed).read_bytes() for item in items]
    assert [*here, *there] == [OLD]
    assert [item.path for item in items] == [str(folder / "s.jsonl")] * len(items)


def updater(say: int, folder: Path) -> None:
    path = folder / "sessions.json"
    number = 0
    while True:
        stamp = stamp_of(FS(), str(path))
        assert stamp is not None
        edit = EntryEdit("a", b"%d" % (number - 1), b"%d" % number)
        done = apply(
            site(folder), [EditStore(str(path), (edit,), stamp), AppendRecord(str(folder / "log"), b"1")]
        )
        assert done.done[0].left_out == ()
        os.write(say, b"%d\n" % number)
        number += 1


def check_updater(folder: Path, said: list[bytes]) -> None:
    data = (folder / "sessions.json").read_bytes()
    assert value_of(data, "a") in (b"%d" % (len(said) - 1), b"%d" % len(said))
    assert data.endswith(b', "b":{"big":123456789012345678901234567890}}\n')


KINDS: dict[str, tuple[Callable[[int, Path], None], Callable[[Path, list[bytes]], None]]] = {
    "appender": (appender, check_appender),
    "compactor": (compactor, check_compactor),
    "pruner": (pruner, check_pruner),
    "store updater": (updater, check_updater),
}


@needs_fork
@pytest.mark.parametrize("kind", KINDS)
def test_a_killed_writer_loses_nothing_it_acknowledged(kind: str) -> None:
    work, check = KINDS[kind]
    chance = random.Random(kind)
    for _ in range(KILLS):
        with scratch() as folder:
            (folder / "s.jsonl").write_bytes(OLD)
            (folder / "sessions.json").write_bytes(b'{"a":-1, "b":{"big":123456789012345678901234567890}}\n')
            with running(work, folder) as (process, read_end):
                first = os.read(read_end, 1 << 16)
                time.sleep(chance.random() * 0.03)
                os.kill(process.pid or 0, signal.SIGKILL)
                process.join()
                said = (first + heard(read_end)).split(b"\n")[:-1]
            assert said
            check(folder, said)
