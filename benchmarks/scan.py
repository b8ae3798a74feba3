"""P: a walk over a project, against ``find`` and ``git ls-files`` on the same tree."""

from __future__ import annotations

import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from agentbrief.disk.seam import FS
from agentbrief.profiles.load import profile
from agentbrief.text.line_index import LineIndex
from agentbrief.workspace import Memory, Walk
from benchmarks.floors.find_and_git import find, git_files
from benchmarks.goals import Goal, against
from benchmarks.inputs import Bench
from benchmarks.measure import by_turns, child, inside, peak_of, percentile

FILES = 100_000
SMALL, LARGE = 10_000, 500_000
SLICE_S = 0.0005


def area(bench: Bench) -> Iterator[Goal]:
    """The goals P1 to P5."""
    tree = bench.tree(FILES)
    find_command, git_command = find(tree), git_files(tree)
    if find_command is None or git_command is None:
        yield Goal("P", "walk of a project", note="find or git is missing")
        return
    memory = Memory(time.time_ns)
    changed = tree / "src" / "changed-by-the-benchmark.tmp"

    def rescan() -> None:
        changed.touch() if not changed.exists() else changed.unlink()
        walk(tree, memory)

    samples = by_turns(
        {
            "find": child(find_command),
            "git": child(git_command),
            "walk": inside(lambda: walk(tree)),
            "first walk with memory": inside(lambda: walk(tree, Memory(time.time_ns))),
            "rescan": inside(rescan),
        },
        bench.rounds,
    )
    changed.unlink(missing_ok=True)
    listed = subprocess.run(git_command, check=True, capture_output=True).stdout.count(b"\0")
    ours = walk(tree)
    equal = "as many files as git" if ours == listed else f"{ours} files, git {listed}: NOT EQUAL"
    yield against("P1", "walk, ignore file of 100 lines", samples, "walk", "find", 1.2, note=equal)
    yield against("P1", "the same, remembering", samples, "first walk with memory", "find", None)
    yield against("P2", "walk, ignore file of 100 lines", samples, "walk", "git", 2.0)
    yield against("P3", "rescan after one change", samples, "rescan", "find", 0.35)
    short = bench.tree(FILES, long_rules=False)
    short_find = find(short)
    assert short_find is not None
    pair = by_turns({"find": child(short_find), "walk": inside(lambda: walk(short))}, bench.rounds)
    yield against("P1", "walk, ignore file of 7 lines", pair, "walk", "find", 1.2)
    yield from memory_goals(bench)
    yield thread_goal(tree, bench.rounds)


def walk(tree: Path, memory: Memory | None = None, pause: Callable[[], None] = lambda: None) -> int:
    """The number of files listed; none of them is kept."""
    rules = profile("claw").port_context
    assert rules is not None
    count = 0

    def listed(folder: str, names: Sequence[str]) -> None:
        nonlocal count
        count += len(names)

    Walk(FS(), str(tree), rules, memory=memory).run(listed=listed, pause=pause)
    return count


MEMORY_PROGRAM = """
import sys, time
sys.path[:0] = {paths!r}
from pathlib import Path
from agentbrief.workspace import Memory
from benchmarks import scan
scan.walk(Path({warm!r}))
status = lambda key: next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith(key))
before = status("VmRSS")
memory = Memory(time.time_ns) if {remember} else None
scan.walk(Path({tree!r}), memory)
print(len(memory) if memory is not None else 0)
print(before, status("VmHWM"))
"""


def memory_goals(bench: Bench) -> Iterator[Goal]:
    """P4: one fresh process a run, its own figures."""
    if not sys.platform.startswith("linux"):
        yield Goal("P4", "memory of a walk", note="needs /proc")
        return
    warm = bench.tree(1_000, with_git=False)
    peaks = {
        files: [
            peak_of([sys.executable, "-c", program(warm, bench.tree(files, with_git=False), remember=False)])[
                1
            ]
            for _ in range(bench.rounds)
        ]
        for files in (SMALL, LARGE)
    }
    small, large = (statistics.median(values) / 1024 for values in peaks.values())
    yield Goal(
        "P4", f"peak memory, {LARGE:,} files against {SMALL:,}", f"{small:.1f} MiB", f"{large:.1f} MiB",
        large / small, 1.25,
    )  # fmt: skip
    tree = bench.tree(FILES)
    plain, kept = [], []
    folders = 0
    for _ in range(bench.rounds):
        plain.append(peak_of([sys.executable, "-c", program(warm, tree, remember=False)])[1])
        command = [sys.executable, "-c", program(warm, tree, remember=True)]
        output = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
        folders = int(output[0])
        kept.append(float(output[2]))
    each = (statistics.median(kept) - statistics.median(plain)) / folders
    yield Goal(
        "P4", f"memory of {folders:,} known folders", "1 KB a folder", f"{each:.2f} KB a folder", each, 0.5
    )


def program(warm: Path, tree: Path, *, remember: bool) -> str:
    """The source of a process that walks once and tells its memory."""
    return MEMORY_PROGRAM.format(paths=sys.path[:4], warm=str(warm), tree=str(tree), remember=remember)


def thread_goal(tree: Path, rounds: int) -> Goal:
    """P5: the time of a job as small as a hover, alone and while a thread walks, in slices."""
    text = "Some rules, and *more* of them.\n" * 120

    def hover() -> float:
        start = time.perf_counter()
        index = LineIndex(text)
        for offset in range(0, len(text), 97):
            index.position(offset, "utf-16")
        return time.perf_counter() - start

    def hovers() -> float:
        found = []
        for _ in range(300):
            found.append(hover())
            time.sleep(0.001)
        return percentile(found, 0.5)

    def scanning() -> float:
        ended = threading.Event()

        def work() -> None:
            last = time.perf_counter()

            def pause() -> None:
                nonlocal last
                if time.perf_counter() - last > SLICE_S:
                    time.sleep(0)
                    last = time.perf_counter()

            while not ended.is_set():
                walk(tree, pause=pause)

        thread = threading.Thread(target=work)
        thread.start()
        try:
            return hovers()
        finally:
            ended.set()
            thread.join()

    idle, busy = [], []
    for _ in range(rounds):
        idle.append(hovers())
        busy.append(scanning())
    alone, beside = statistics.median(idle) * 1e6, statistics.median(busy) * 1e6
    return Goal(
        "P5",
        "a job as small as a hover, while a thread walks",
        f"idle {alone:.0f} us",
        f"scanning {beside:.0f} us",
        beside / alone,
        1.5,
        "p50; the server's own hover is in the area hot_path",
    )
