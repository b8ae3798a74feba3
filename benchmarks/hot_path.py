"""L: from an edit to its diagnostics, from a hover to its answer, and a burst of edits.

A CLAUDE.md of 12 KB at the end of a chain of four files over seven folders; a change is the whole text, with
one character more or less, sent when the last one is answered. By turns with a stock pygls server and one of
the standard library, which both do the small job of ``floors/chain_check.py`` at each change. Where other
programs use the processor between two changes the caches are cold: that is shown too, with a pause before
each.
"""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from benchmarks.editor import OURS, Session, floor, frame
from benchmarks.goals import Goal
from benchmarks.inputs import Bench
from benchmarks.measure import percentile
from benchmarks.start import rules

CHANGES, HOVERS, PAUSED, BURSTS, BURST = 200, 200, 40, 3, 50
STOCK, LEAST, WE = "stock pygls", "stdlib, orjson", "ours"
PAUSE_S = 0.01


@dataclass(frozen=True, slots=True)
class Times:
    """Seconds of one round: of each change, hover and burst; and CPU of a change with all that follows."""

    change: tuple[float, ...]
    paused: tuple[float, ...]
    hover: tuple[float, ...]
    burst: tuple[float, ...]
    cpu: float


def area(bench: Bench) -> Iterator[Goal]:
    """The goals L1 to L3."""
    root = bench.made("hot-path", make_workspace)
    commands = {
        STOCK: floor("pygls_server", "--work", "chain"),
        LEAST: floor("stdlib_server", "--work", "chain", "--json", "orjson"),
        WE: OURS,
    }
    times: dict[str, list[Times]] = {name: [] for name in commands}
    with ExitStack() as stack:
        typing = {
            name: stack.enter_context(Typing(command, root, bench.folder / "home"))
            for name, command in commands.items()
        }
        for number in range(bench.rounds + 1):
            for name, each in typing.items():
                found = each.round()
                if number:
                    times[name].append(found)
    yield goal("L1", "change to diagnostics, 12 KB, p50", times, STOCK, "change", 0.70)
    yield goal("L1", "change to diagnostics, 12 KB, p50", times, LEAST, "change", 3.0)
    yield cpu_goal(times)
    yield goal("L1", "the same after a pause of 10 ms", times, STOCK, "paused", None)
    yield goal("L2", "hover, p50", times, STOCK, "hover", 0.40)
    yield goal("L2", "hover, p50", times, LEAST, "hover", None)
    yield goal("L3", f"{BURST} queued changes to the last diagnostics", times, STOCK, "burst", 0.50)


def make_workspace(root: Path) -> None:
    """A chain of four files over seven folders, the nearest of 12 KB."""
    deepest = root.joinpath(*(f"level{number}" for number in range(1, 7)))
    deepest.mkdir(parents=True)
    (root / ".git").mkdir()
    (root / ".git/HEAD").write_text("ref: refs/heads/main\n", "ascii")
    texts = {
        root / "CLAUDE.md": rules(2_000),
        root / "CLAUDE.local.md": rules(900).replace("rule", "wish"),
        root / "level1/level2/CLAUDE.md": rules(1_500).replace("rule", "advice"),
        deepest / "CLAUDE.md": long_lines(rules(12_000)),
    }
    for path, text in texts.items():
        path.write_text(text, "ascii")


def long_lines(text: str) -> str:
    """``text`` with two lines that are too long for the floor's check, so that each server has findings."""
    head, _, tail = text.partition("\n- ")
    return f"{head}\n- {'long ' * 50}\n- {'longer ' * 40}\n- {tail}"[: len(text)]


class Typing:
    """A session with one server in which the document is changed and hovered."""

    def __init__(self, command: tuple[str, ...], root: Path, home: Path) -> None:
        self.session = Session(command, root, home)
        self.path = next(iter(sorted(root.rglob("CLAUDE.md"), key=lambda each: -len(each.parts))))
        self.text = self.path.read_text("ascii")
        self.version = 1

    def __enter__(self) -> Typing:
        self.session.initialize()
        self.session.notify("initialized", {})
        self.uri = self.session.open(self.path, self.text)
        self.session.diagnostics(self.uri)
        time.sleep(1)
        return self

    def __exit__(self, *error: object) -> None:
        self.session.__exit__(None, None, None)

    def round(self) -> Times:
        """One round of changes, hovers and bursts."""
        before = self.session.cpu()
        changes = [self._seconds(self._change()) for _ in range(CHANGES)]
        time.sleep(0.2)
        cpu = (self.session.cpu() - before) / CHANGES
        hovers = [self._hover() for _ in range(HOVERS)]
        paused = [self._seconds(self._change(), PAUSE_S) for _ in range(PAUSED)]
        bursts = []
        for _ in range(BURSTS):
            bursts.append(self._seconds(b"".join(self._change() for _ in range(BURST))))
            time.sleep(0.2)
        return Times(tuple(changes), tuple(paused), tuple(hovers), tuple(bursts), cpu)

    def _change(self) -> bytes:
        self.version += 1
        document = {"uri": self.uri, "version": self.version}
        changes = [{"text": self.text + "x" * (self.version % 7)}]
        params = {"textDocument": document, "contentChanges": changes}
        return frame({"method": "textDocument/didChange", "params": params})

    def _seconds(self, data: bytes, pause_s: float = 0) -> float:
        if pause_s:
            time.sleep(pause_s)
        start = time.perf_counter()
        self.session.send(data)
        found = self.session.diagnostics(self.uri, self.version)
        taken = time.perf_counter() - start
        assert found, json.dumps(self.uri)
        return taken

    def _hover(self) -> float:
        place = {"textDocument": {"uri": self.uri}, "position": {"line": 0, "character": 0}}
        number, data = self.session.asking("textDocument/hover", place)
        start = time.perf_counter()
        self.session.send(data)
        assert self.session.answer(number).get("result")
        return time.perf_counter() - start


def goal(
    identifier: str, what: str, times: dict[str, list[Times]], floor_name: str, kind: str, limit: float | None
) -> Goal:
    """Our median against that of a floor: the median over the rounds of each round's p50."""
    ours, least = p50(times[WE], kind), p50(times[floor_name], kind)
    tail = percentile([each for one in times[WE] for each in getattr(one, kind)], 0.99)
    return Goal(
        identifier, what, f"{floor_name} {spread(times[floor_name], kind)}",
        f"ours {spread(times[WE], kind)}", ours / least, limit, f"p99 {tail * 1e6:,.0f} us",
    )  # fmt: skip


def cpu_goal(times: dict[str, list[Times]]) -> Goal:
    """All that a change costs, the look at the other files afterwards among it."""
    ours, least = (statistics.median(each.cpu for each in times[name]) for name in (WE, STOCK))
    floor_shown, ours_shown = f"{STOCK} {least * 1e6:.0f} us", f"ours {ours * 1e6:.0f} us"
    return Goal("L1", "CPU of a change, all threads", floor_shown, ours_shown, ours / least)


def p50(times: list[Times], kind: str) -> float:
    return statistics.median(percentile(getattr(each, kind), 0.5) for each in times)


def spread(times: list[Times], kind: str) -> str:
    """The p50 in microseconds, and between brackets that of the fastest and of the slowest round."""
    each = [percentile(getattr(one, kind), 0.5) * 1e6 for one in times]
    return f"{p50(times, kind) * 1e6:,.0f} ({min(each):,.0f}-{max(each):,.0f}) us"
