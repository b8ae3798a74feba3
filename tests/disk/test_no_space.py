"""R14 A full disk: earlier records stay intact, nothing is left behind, and the message says so."""

from __future__ import annotations

import os
import resource
from pathlib import Path

import pytest

from agentbrief.disk.append import append
from agentbrief.disk.create import create
from agentbrief.disk.folder import stamp_of
from agentbrief.disk.lock import hold
from agentbrief.disk.read import real_roots
from agentbrief.disk.refusal import Refused
from agentbrief.disk.replace import replace
from agentbrief.disk.seam import FS
from agentbrief.report.refusal import refusal_text
from tests.disk.faults import caller, scratch, tree
from tests.disk.processes import heard, needs_fork, real_caller, running

OLD = b'{"old":1}\n{"old":2}\n'
RECORD = b'{"n":1,"text":"' + b"x" * 180 + b'"}'


def limited(say_to: int, folder: Path, start: bytes) -> None:
    """Each limit of a file's size from none of the record to all but its last byte."""
    path = folder / "a.jsonl"
    extra = 0 if start.endswith(b"\n") or not start else 1
    for room in range(len(RECORD) + extra + 1):
        path.write_bytes(start)
        with hold(FS(), str(folder), real_caller()) as held:
            before = tree(folder)
            resource.setrlimit(resource.RLIMIT_FSIZE, (len(start) + room, resource.RLIM_INFINITY))
            try:
                append(held, str(path), RECORD)
                text = "done"
            except Refused as refusal:
                text = f"{refusal.what} {refusal.untouched}"
            finally:
                resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
            if text != "no-space nothing-changed" or tree(folder) != before:
                os.write(say_to, f"{room}: {text}\n".encode())
    path.write_bytes(start)
    with hold(FS(), str(folder), real_caller()) as held:
        append(held, str(path), RECORD)
    os.write(say_to, b"done\n")


@needs_fork
@pytest.mark.parametrize("start", [OLD, b'{"old":1}\n{"torn'], ids=["whole", "torn"])
def test_a_record_that_does_not_fit_leaves_no_trace(start: bytes) -> None:
    with scratch() as folder, running(limited, folder, start) as (_, read_end):
        assert heard(read_end) == b"done\n"


class FullDevice(FS):
    """Writes go to the device that is always full: the error is the system's own."""

    def write(self, descriptor: int, data: bytes) -> int:
        full = os.open("/dev/full", os.O_WRONLY)
        try:
            return os.write(full, data)
        finally:
            os.close(full)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no full device")
def test_a_full_device_changes_nothing() -> None:
    with scratch() as folder:
        path = folder / "a.jsonl"
        path.write_bytes(OLD)
        roots = real_roots(FS(), (str(folder),))
        with hold(FullDevice(), str(folder), caller()) as held:
            for act in (
                lambda: append(held, str(path), RECORD),
                lambda: append(held, str(folder / "new.jsonl"), RECORD),
                lambda: replace(held, str(path), RECORD, expect=stamp_of(FS(), str(path))),
                lambda: create(held.fs, str(folder / "new.md"), RECORD, roots),
            ):
                with pytest.raises(Refused) as raised:
                    act()
                assert (raised.value.what, raised.value.untouched) == ("no-space", "nothing-changed")
        assert tree(folder) == {"a.jsonl": OLD}
        assert sorted(path.name for path in folder.iterdir()) == [".agentbrief.lock", "a.jsonl"]


def test_the_message_says_it() -> None:
    refusal = Refused("no-space", "/w/app/s.jsonl")
    text = refusal_text("en", refusal)
    assert text == ("The disk is full; nothing was changed (/w/app/s.jsonl). Free some space and try again.")
