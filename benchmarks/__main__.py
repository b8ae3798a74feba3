"""python -m benchmarks [AREA]... [--rounds 5] [--json FILE] [--inputs DIR]

Without an AREA all of them. An area is a module beside this one with a function ``area(bench)`` that yields
goals. The exit code is 0 whatever the ratios: they are for reading. Quote a ratio with the load average of
its run.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import platform
import re
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import cast

HERE = Path(__file__).resolve().parent
AREA = re.compile(r"^def area\(", re.MULTILINE)
PACKAGES = (
    "pygls", "lsprotocol", "orjson", "msgspec", "pathspec", "watchdog", "tiktoken", "rs-bpe",
)  # fmt: skip


def areas() -> list[str]:
    """The areas, found without importing them: what one of them needs another may lack."""
    return sorted(path.stem for path in HERE.glob("*.py") if AREA.search(path.read_text("utf-8")))


def conditions() -> dict[str, object]:
    """What the figures depend on."""
    found: dict[str, object] = {
        "python": platform.python_version(),
        "system": platform.system(),
        "cpus": os.cpu_count(),
    }
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = None
    return found


def load_average() -> str:
    return " ".join(f"{value:.2f}" for value in os.getloadavg()) if hasattr(os, "getloadavg") else "unknown"


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("area", nargs="*", help=f"of {', '.join(areas())}")
    parser.add_argument("--rounds", type=int, default=5, help="measured rounds, an odd number (5)")
    parser.add_argument("--json", type=Path, help="write the results there too")
    parser.add_argument("--inputs", type=Path, help="where inputs are made once and kept")
    given = parser.parse_args()
    if unknown := sorted(set(given.area) - set(areas())):
        parser.error(f"no such area: {', '.join(unknown)}; there are {', '.join(areas())}")
    sys.path[:0] = [str(HERE.parent / "server"), str(HERE.parent / "features")]
    from benchmarks.goals import Goal
    from benchmarks.inputs import Bench

    where = given.inputs or Path(tempfile.gettempdir()) / "agentbrief-benchmarks"
    where.mkdir(parents=True, exist_ok=True)
    bench = Bench(given.rounds, where.resolve())
    facts = conditions()
    print(", ".join(f"{name} {value or 'none'}" for name, value in facts.items()))
    print("medians over", given.rounds, "rounds by turns (smallest-largest); page cache warm")
    results: dict[str, object] = {}
    for name in given.area or areas():
        print(f"\n{name}, load average {load_average()}", flush=True)
        goals: list[object] = []
        try:
            run = cast(
                "Callable[[Bench], Iterator[Goal]]", importlib.import_module(f"benchmarks.{name}").area
            )
            for goal in run(bench):
                print(goal.line(), flush=True)
                goals.append(goal.record())
        except Exception:
            # one area that fails keeps no other from being measured
            traceback.print_exc()
            goals.append({"id": name, "verdict": "failed"})
        results[name] = {"goals": goals, "load_average_after": load_average()}
    if given.json:
        record = {"conditions": facts, "rounds": given.rounds, "areas": results}
        given.json.write_text(json.dumps(record, indent=2) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
