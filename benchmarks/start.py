"""S: from spawn to the answer of ``initialize`` and to the first diagnostics, and the memory then.

By turns with a bare pygls server and a server of the standard library alone. The client announces what VS
Code does, and opens a CLAUDE.md of 4 KB.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.editor import OURS, Session, floor
from benchmarks.goals import Goal, against
from benchmarks.inputs import Bench
from benchmarks.measure import Cost, Samples, by_turns, child

HERE = {"initialize": 1.1, "diagnostics": 1.15}
"""What holds today. S1 and S2 themselves, 0.10 and 0.65, need the early reply and the code cache."""
MEMORY = 1.35
BARE, LEAST, WE = "pygls", "stdlib", "ours"


def area(bench: Bench) -> Iterator[Goal]:
    """The goals S1 to S3 and S5; S6 is in the area command_line."""
    root = bench.made("start", make_workspace)
    runs = by_turns_in_parts(
        {BARE: floor("pygls_server"), LEAST: floor("stdlib_server"), WE: OURS}, root, bench
    )
    answered = {name: parts["initialize"] for name, parts in runs.items()}
    judged = {name: parts["diagnostics"] for name, parts in runs.items()}
    limit = HERE["initialize"]
    yield against("S1", "spawn to initialize", answered, WE, BARE, limit, "wall")
    yield against("S3", "CPU until initialize", answered, WE, BARE, limit)
    limit = HERE["diagnostics"]
    yield against("S2", "spawn to first diagnostics", judged, WE, BARE, limit, "wall")
    yield against("S2", "CPU until the first diagnostics", judged, WE, BARE, limit)
    yield against("S5", "memory after the first diagnostics", judged, WE, BARE, MEMORY, "peak")
    yield against("S1", "spawn to initialize, without pygls", answered, WE, LEAST, None, "wall")
    empty = by_turns({"python -c pass": child([sys.executable, "-c", "pass"])}, bench.rounds)
    pair = {**empty, WE: answered[WE]}
    yield against("S3", "CPU until initialize, of an empty Python", pair, WE, "python -c pass", None)


def make_workspace(root: Path) -> None:
    """A project with a CLAUDE.md of 4 KB in a git repository."""
    (root / ".git").mkdir(parents=True)
    (root / ".git/HEAD").write_text("ref: refs/heads/main\n", "ascii")
    (root / "CLAUDE.md").write_text(rules(4_000), "ascii")


def rules(size: int) -> str:
    """Rules in Markdown of that many characters, with a heading every few lines."""
    lines: list[str] = []
    length = 0
    while length < size:
        number = len(lines)
        line = f"\n## Part {number}\n" if number % 9 == 0 else f"- rule {number}: say what it does, and why"
        lines.append(line)
        length += len(line) + 1
    return "\n".join(lines)[: size - 1] + "\n"


def by_turns_in_parts(
    commands: dict[str, tuple[str, ...]], root: Path, bench: Bench
) -> dict[str, dict[str, Samples]]:
    """The costs of each server up to ``initialize`` and up to its first diagnostics, of the same runs."""
    found: dict[str, list[tuple[Cost, Cost]]] = {name: [] for name in commands}
    for number in range(bench.rounds + 1):
        for name, command in commands.items():
            costs = started(command, root, bench.folder / "home")
            if number:
                found[name].append(costs)
    return {
        name: {
            "initialize": Samples(tuple(each for each, _ in costs)),
            "diagnostics": Samples(tuple(each for _, each in costs)),
        }
        for name, costs in found.items()
    }


def started(command: tuple[str, ...], root: Path, home: Path) -> tuple[Cost, Cost]:
    """One start: what the answer to ``initialize`` cost, and what the first diagnostics did."""
    path = root / "CLAUDE.md"
    text = path.read_text("ascii")
    with Session(command, root, home) as session:
        session.initialize()
        answered = Cost(time.perf_counter() - session.started, session.cpu())
        session.notify("initialized", {})
        session.diagnostics(session.open(path, text))
        wall = time.perf_counter() - session.started
        return answered, Cost(wall, session.cpu(), session.memory())
