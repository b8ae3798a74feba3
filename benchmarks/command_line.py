"""S6: what a command costs the shell: one file checked, and a project of 2,000 files.

The project has 300 instruction files, as ``make_monorepo`` writes them.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from pathlib import Path

from benchmarks.editor import environment
from benchmarks.goals import Goal, against, shown
from benchmarks.inputs import Bench
from benchmarks.measure import by_turns, child
from benchmarks.start import make_workspace

FILES, INSTRUCTIONS = 2_000, 300
MOST_CPU_S = 1.0
WORDS = (
    "service",
    "module",
    "handler",
    "request",
    "cache",
    "token",
    "retry",
    "index",
    "schema",
    "queue",
    "worker",
    "build",
)
AGENTBRIEF = (sys.executable, "-m", "agentbrief_server")


def area(bench: Bench) -> Iterator[Goal]:
    """The goal S6, and the check of a project."""
    small = bench.made("start", make_workspace)
    project = bench.made("monorepo", make_monorepo)
    env = environment(bench.folder / "home")
    samples = by_turns(
        {
            "python -c pass": child([sys.executable, "-c", "pass"], env=env),
            "check FILE": child([*AGENTBRIEF, "check", str(small / "CLAUDE.md")], env=env, accept=(0, 1)),
            "brief": child([*AGENTBRIEF, "brief", str(small)], env=env),
            "check of a project": child([*AGENTBRIEF, "check", str(project)], env=env, accept=(0, 1)),
        },
        bench.rounds,
    )
    yield against("S6", "agentbrief check FILE", samples, "check FILE", "python -c pass", 3.0)
    yield against("S6", "agentbrief brief DIR", samples, "brief", "python -c pass", None)
    took = samples["check of a project"]
    yield Goal(
        "S6", f"check, {FILES:,} files, {INSTRUCTIONS} of them instructions", f"{MOST_CPU_S:.0f} s CPU",
        f"check {shown(took, 'cpu')}", took.median("cpu") / MOST_CPU_S, 1.0,
    )  # fmt: skip
    yield against("S6", "the same, wall", samples, "check of a project", "check FILE", None, "wall")


def make_monorepo(root: Path) -> None:
    """A project of many packages, each with instructions of its own; every third has an AGENTS.md instead."""
    chance = random.Random(7)
    folders = [f"packages/p{number:03}" for number in range(INSTRUCTIONS - 2)]
    write(root / ".git/HEAD", "ref: refs/heads/main\n")
    write(root / "CLAUDE.md", "# Root\nSee @docs/c.md\n" + prose(chance, 3_000, "root"))
    write(root / "AGENTS.md", "# Agents\n" + prose(chance, 2_000, "all"))
    write(root / "docs/c.md", "conventions\n")
    for number, folder in enumerate(folders):
        name = "CLAUDE.md" if number % 3 else "AGENTS.md"
        text = f"# {folder}\nSee @../../docs/c.md and @./gone{number}.md\n"
        write(root / folder / name, text + prose(chance, chance.choice([600, 1_500, 4_500]), folder[-4:]))
    for number in range(FILES - INSTRUCTIONS - 1):
        path = root / folders[number % len(folders)] / f"src/m{number}.py"
        write(path, f"def f{number}():\n    return {number}\n")


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "ascii")


def prose(chance: random.Random, size: int, tag: str) -> str:
    """About ``size`` characters of lines that read like rules."""
    lines: list[str] = []
    length = 0
    while length < size:
        one, two, three = (chance.choice(WORDS) for _ in range(3))
        lines.append(
            f"- {tag} rule {len(lines) + 1}: the {one} must not block the {two} when the {three} is busy."
        )
        length += len(lines[-1]) + 1
    return "\n".join(lines)[: size - 1] + "\n"
