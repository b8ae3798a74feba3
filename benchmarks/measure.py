"""How long did it take, and how much memory?

Children are measured by ``wait4`` (wall, CPU, peak memory; see :mod:`benchmarks.launch`), work of this
process by ``process_time``. Methods are measured by turns: one run of each, then the next round; round 0
warms up and is dropped. The median counts.
"""

from __future__ import annotations

import gc
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Metric = Literal["wall", "cpu", "peak"]

_LAUNCH = str(Path(__file__).with_name("launch.py"))


@dataclass(frozen=True, slots=True)
class Cost:
    """One run: seconds of wall and CPU time, and peak memory in MiB (0 where it was not measured)."""

    wall: float
    cpu: float
    peak: float = 0.0


Method = Callable[[], Cost]


@dataclass(frozen=True, slots=True)
class Samples:
    """The runs of one method, without the first."""

    costs: tuple[Cost, ...]

    def of(self, metric: Metric) -> list[float]:
        """The values of ``metric``, in the order of the runs."""
        return [getattr(cost, metric) for cost in self.costs]

    def median(self, metric: Metric) -> float:
        """The median of ``metric``."""
        return statistics.median(self.of(metric))


def child(
    command: Sequence[str],
    *,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    output: Path | None = None,
    accept: Sequence[int] = (0,),
) -> Method:
    """A method that runs a program. Its output goes to the file ``output``, or nowhere.

    The method raises RuntimeError if the exit code is none of ``accept``.
    """

    def run() -> Cost:
        heard, report = os.pipe()
        launch = [sys.executable, "-I", "-S", _LAUNCH, str(report), *command]
        with open(heard, "rb") as told, open(output or os.devnull, "wb") as sink:
            process = subprocess.Popen(
                launch,
                cwd=cwd,
                env=env,
                stdin=subprocess.DEVNULL,
                stdout=sink,
                stderr=subprocess.DEVNULL,
                pass_fds=(report,),
            )
            os.close(report)
            words = told.read().split()
            process.wait()
        if not words:
            raise RuntimeError(f"{command[0]} could not be started")
        status, (wall, cpu, peak) = int(words[0]), map(float, words[1:])
        if (code := os.waitstatus_to_exitcode(status)) not in accept:
            raise RuntimeError(f"{command[0]} ended with {code}")
        return Cost(wall, cpu, peak / (1024 * 1024 if sys.platform == "darwin" else 1024))

    return run


def inside(work: Callable[[], object]) -> Method:
    """A method that does ``work`` in this process."""

    def run() -> Cost:
        gc.collect()
        wall, cpu = time.perf_counter(), time.process_time()
        work()
        return Cost(time.perf_counter() - wall, time.process_time() - cpu)

    return run


def by_turns(methods: Mapping[str, Method], rounds: int) -> dict[str, Samples]:
    """The samples of each method, measured in turns; one more round than ``rounds`` is run."""
    costs: dict[str, list[Cost]] = {name: [] for name in methods}
    for number in range(rounds + 1):
        for name, method in methods.items():
            cost = method()
            if number:
                costs[name].append(cost)
    return {name: Samples(tuple(found)) for name, found in costs.items()}


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which ``share`` (0 to 1) of ``values`` lie."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def peak_of(command: Sequence[str], env: Mapping[str, str] | None = None) -> tuple[float, float]:
    """Memory in KiB of a child that prints two numbers: before its work, and at the peak of it."""
    done = subprocess.run(command, env=env, check=True, capture_output=True, text=True)
    before, peak = done.stdout.split()[-2:]
    return float(before), float(peak)
