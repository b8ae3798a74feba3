"""W: what it costs to see what other programs write.

A workspace of 100,000 folders against one of ten, and a file saved by another program against watchdog alone
on its folder.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.editor import OURS, Session, floor
from benchmarks.goals import Goal
from benchmarks.inputs import Bench
from benchmarks.measure import percentile
from benchmarks.start import rules

MANY, FEW = 100_000, 10
SAVES = 20
IDLE_S = 3.0
MOST_WATCHES = 64


def area(bench: Bench) -> Iterator[Goal]:
    """The goals W1, W2 and W4; W3 is a test."""
    if not sys.platform.startswith("linux"):
        yield Goal("W", "watching", note="needs /proc")
        return
    home = bench.folder / "home"
    many = bench.made(f"folders-{MANY}", lambda root: make_folders(root, MANY))
    few = bench.made(f"folders-{FEW}", lambda root: make_folders(root, FEW))
    yield from set_up(many, few, home, bench.rounds)
    alone = bench.made("saved-alone", Path.mkdir)
    yield from saves(few, alone, home, bench.rounds)


def make_folders(root: Path, count: int) -> None:
    """``count`` folders, three deep, none with anything in it but two instruction files at the top."""
    (root / ".git").mkdir(parents=True)
    (root / ".git/HEAD").write_text("ref: refs/heads/main\n", "ascii")
    (root / "CLAUDE.md").write_text(rules(3_000), "ascii")
    (root / "CLAUDE.local.md").write_text(rules(500).replace("rule", "wish"), "ascii")
    for number in range(count):
        (root / f"a{number % 40}" / f"b{number // 40 % 50}" / f"c{number}").mkdir(parents=True)


def watches(session: Session) -> int:
    """How many folders the process watches, as the system counts them."""
    found = 0
    for path in Path(f"/proc/{session.process.pid}/fdinfo").iterdir():
        try:
            found += path.read_text("ascii").count("inotify wd:")
        except OSError:
            continue
    return found


def settled(session: Session, path: Path, text: str) -> None:
    """Open the file and wait until nothing runs any more."""
    session.initialize()
    session.notify("initialized", {})
    session.diagnostics(session.open(path, text))
    used = -1.0
    while (now := session.cpu()) - used > 0.005:
        used = now
        time.sleep(0.5)


def set_up(many: Path, few: Path, home: Path, rounds: int) -> Iterator[Goal]:
    """W1 and W4: the watches of a workspace, its memory, and what it does when nothing happens."""
    counts: dict[str, list[float]] = {"many": [], "few": []}
    memory: dict[str, list[float]] = {"many": [], "few": []}
    idle: dict[str, list[float]] = {"many": [], "few": []}
    for number in range(rounds + 1):
        for name, root in (("many", many), ("few", few)):
            path = root / "CLAUDE.md"
            with Session(OURS, root, home) as session:
                settled(session, path, path.read_text("ascii"))
                before = session.cpu()
                time.sleep(IDLE_S)
                if number:
                    idle[name].append((session.cpu() - before) / IDLE_S)
                    counts[name].append(watches(session))
                    memory[name].append(session.memory())
    most = max(counts["many"])
    what = f"watches, {MANY:,} folders against {FEW}"
    yield Goal("W1", what, f"{max(counts['few']):.0f}", f"{most:.0f}", most / MOST_WATCHES, 1.0)
    ours, least = statistics.median(memory["many"]), statistics.median(memory["few"])
    yield Goal("W4", "memory, the same", f"{least:.1f} MiB", f"{ours:.1f} MiB", ours / least, 1.05)
    busy, least = statistics.median(idle["many"]), statistics.median(idle["few"])
    yield Goal(
        "W4", "CPU while nothing happens", f"{least:.2%} of one", f"{busy:.2%} of one", busy / 0.01, 1.0,
        "of a hundredth of a processor",
    )  # fmt: skip


def saves(root: Path, alone: Path, home: Path, rounds: int) -> Iterator[Goal]:
    """W2: from a save by another program to the published diagnostics, against the bare event."""
    ours: list[float] = []
    bare: list[float] = []
    path = root / "CLAUDE.md"
    other = root / "CLAUDE.local.md"
    replaced(other, long_or_short(1))
    with Session(OURS, root, home) as session:
        settled(session, path, path.read_text("ascii"))
        process = subprocess.Popen(
            floor("watch_events", str(alone)), stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
        )
        assert process.stdout is not None
        process.stdout.readline()
        for number in range(rounds + 1):
            for turn in range(SAVES):
                saved = replaced(other, long_or_short(turn))
                while bool(session.diagnostics(other.as_uri())) != (turn % 2 == 0):
                    pass
                if number:
                    ours.append(time.perf_counter() - saved)
                time.sleep(0.25)
            for turn in range(SAVES):
                drained(process)
                saved = replaced(alone / other.name, long_or_short(turn))
                os.read(process.stdout.fileno(), 1 << 16)
                if number:
                    bare.append(time.perf_counter() - saved)
                time.sleep(0.25)
        process.kill()
        process.wait()
    mine, least = percentile(ours, 0.5), percentile(bare, 0.5)
    yield Goal(
        "W2", "save by another program to diagnostics, p50", f"bare event {least * 1e3:.2f} ms",
        f"ours {mine * 1e3:.2f} ms", mine / least, 5.0, f"p99 {percentile(ours, 0.99) * 1e3:.1f} ms",
    )  # fmt: skip


def long_or_short(turn: int) -> str:
    """Texts by turns, of which one is longer than the agent reads, so that the findings change."""
    return rules(5_000 if turn % 2 == 0 else 500)


def replaced(path: Path, text: str) -> float:
    """When the file was replaced as editors do it: written beside, and renamed."""
    beside = path.with_name("saved.tmp")
    beside.write_text(text, "ascii")
    start = time.perf_counter()
    beside.replace(path)
    return start


def drained(process: subprocess.Popen[bytes]) -> None:
    """Take what was printed so far."""
    assert process.stdout is not None
    descriptor = process.stdout.fileno()
    os.set_blocking(descriptor, False)
    try:
        while os.read(descriptor, 1 << 16):
            pass
    except BlockingIOError:
        pass
    finally:
        os.set_blocking(descriptor, True)
