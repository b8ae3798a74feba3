"""What is measured against what, and is the goal met?"""

from __future__ import annotations

from dataclasses import dataclass

from benchmarks.measure import Metric, Samples

UNITS: dict[Metric, tuple[float, str]] = {"wall": (1000, "ms"), "cpu": (1000, "ms CPU"), "peak": (1, "MiB")}


@dataclass(frozen=True, slots=True)
class Goal:
    """One line of the result. ``ratio`` None: not measured here, ``note`` says why or where it is tested.

    ``limit`` None: shown for comparison, there is no goal.
    """

    id: str
    what: str
    floor: str = ""
    ours: str = ""
    ratio: float | None = None
    limit: float | None = None
    note: str = ""

    @property
    def verdict(self) -> str:
        """``met``, ``missed``, ``shown`` or ``not measured``."""
        if self.ratio is None:
            return "not measured"
        if self.limit is None:
            return "shown"
        return "met" if self.ratio <= self.limit else "missed"

    def line(self) -> str:
        """The goal as one line of a table."""
        ratio = "" if self.ratio is None else f"{self.ratio:.2f}"
        limit = "" if self.limit is None else f"<= {self.limit:.2f}"
        note = f"  ({self.note})" if self.note else ""
        return (
            f"{self.id:4} {self.what:50} floor {self.floor:34} ours {self.ours:34} "
            f"ratio {ratio:>6} {limit:8} {self.verdict}{note}"
        )

    def record(self) -> dict[str, object]:
        """The goal for ``--json``."""
        return {
            "id": self.id, "what": self.what, "floor": self.floor, "ours": self.ours, "ratio": self.ratio,
            "goal": self.limit, "verdict": self.verdict, "note": self.note,
        }  # fmt: skip


def against(
    identifier: str,
    what: str,
    samples: dict[str, Samples],
    ours: str,
    floor: str,
    limit: float | None,
    metric: Metric = "cpu",
    note: str = "",
) -> Goal:
    """The goal that the median of ``ours`` is at most ``limit`` times that of ``floor``, of one run."""
    ratio = samples[ours].median(metric) / samples[floor].median(metric)
    least = f"{floor} {shown(samples[floor], metric)}"
    return Goal(identifier, what, least, f"{ours} {shown(samples[ours], metric)}", ratio, limit, note)


def shown(samples: Samples, metric: Metric) -> str:
    """The median, and between brackets the smallest and the largest."""
    factor, unit = UNITS[metric]
    values = [value * factor for value in samples.of(metric)]
    digits = 0 if min(values) >= 100 else 1 if min(values) >= 10 else 2
    middle, least, most = samples.median(metric) * factor, min(values), max(values)
    return f"{middle:.{digits}f} ({least:.{digits}f}-{most:.{digits}f}) {unit}"
