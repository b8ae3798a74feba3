"""What does ``session.maintenance`` allow to be kept, and is it well formed?

A value that breaks the rules refuses the whole plan: nothing is done on a guess (openclaw.md 7.1;
openclaw/openclaw ``src/config/zod-schema.session.ts``, ``src/config/sessions/store-maintenance.ts``).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from agentbrief.jsonio import JsonValue
from agentbrief.profiles.openclaw_data import StoreMaintenanceData
from agentbrief.sessions.setting_amounts import duration_ms, size_bytes, spelled

Mode = Literal["warn", "enforce"]
ProblemCode = Literal[
    "bad-duration",
    "bad-size",
    "bad-choice",
    "bad-value",
    "unknown-key",
    "store-not-json",
    "store-not-object",
    "store-empty",
    "config-not-read",
]

OPENCLAW_PLACE = "session.maintenance"
"""Where OpenClaw's own settings stand."""

_KEYS = frozenset(
    (
        "mode",
        "pruneAfter",
        "pruneDays",
        "maxEntries",
        "rotateBytes",
        "resetArchiveRetention",
        "maxDiskBytes",
        "highWaterBytes",
    )
)


@dataclass(frozen=True, slots=True)
class SettingProblem:
    """Why a plan is refused: the place of the setting, or the path of the file, and a code."""

    path: str
    code: ProblemCode


@dataclass(frozen=True, slots=True)
class MaintenanceSettings:
    """What is in force; times in ms, sizes in bytes.

    ``reset_archive_ms`` None = reset archives stay; ``max_disk_bytes`` None = no budget. ``place`` names
    whose settings these are.
    """

    mode: Mode
    prune_after_ms: int
    max_entries: int
    rotate_bytes: int
    reset_archive_ms: int | None
    max_disk_bytes: int | None
    high_water_bytes: int | None
    place: str = OPENCLAW_PLACE


def maintenance_settings(
    value: JsonValue, data: StoreMaintenanceData, place: str = OPENCLAW_PLACE
) -> MaintenanceSettings | tuple[SettingProblem, ...]:
    """The settings that ``value``, the object at ``place``, makes of the defaults.

    Or all that is wrong in it.
    """
    if value is not None and not isinstance(value, dict):
        return (SettingProblem(place, "bad-value"),)
    reader = _Reader(value or {}, place)
    mode = reader.mode(data)
    old = reader.days("pruneDays") if reader.has("pruneDays") else _days(data.prune_after)
    prune = reader.amount("pruneAfter", _days, "bad-duration", old)
    entries = reader.whole("maxEntries", data.max_entries)
    rotate = reader.amount("rotateBytes", size_bytes, "bad-size", size_bytes(data.rotate_bytes))
    resets = prune
    if reader.found.get("resetArchiveRetention") is False:
        resets = None
    elif reader.has("resetArchiveRetention"):
        resets = reader.amount("resetArchiveRetention", _days, "bad-duration", None)
    most = reader.amount("maxDiskBytes", size_bytes, "bad-size", None)
    high = reader.amount("highWaterBytes", size_bytes, "bad-size", None)
    problems = reader.finish()
    if problems or prune is None or rotate is None:
        return problems
    return MaintenanceSettings(
        mode, prune, entries, rotate, resets, most, _high_water(most, high, data), place
    )


def _days(text: str) -> int | None:
    return duration_ms(text, "d")


def _high_water(most: int | None, high: int | None, data: StoreMaintenanceData) -> int | None:
    if most is None:
        return None
    if most <= 0:
        return 0
    return max(1, math.floor(most * data.high_water_share)) if high is None else min(high, most)


class _Reader:
    """The values of one object, and what is wrong with them, in the order they are asked for."""

    __slots__ = ("_place", "_problems", "found")

    def __init__(self, found: Mapping[str, JsonValue], place: str) -> None:
        self.found = found
        self._place = place
        self._problems: list[SettingProblem] = []

    def has(self, name: str) -> bool:
        return name in self.found

    def mode(self, data: StoreMaintenanceData) -> Mode:
        match self.found.get("mode", data.mode):
            case "warn" | "enforce" as mode:
                return mode
            case _:
                self._wrong("mode", "bad-choice")
                return "warn"

    def amount(
        self, name: str, read: Callable[[str], int | None], code: ProblemCode, default: int | None
    ) -> int | None:
        if name not in self.found:
            return default
        words = spelled(self.found[name])
        if words is None:
            self._wrong(name, "bad-value")
            return None
        amount = read(words)
        if amount is None:
            self._wrong(name, code)
        return amount

    def whole(self, name: str, default: int) -> int:
        value = self.found.get(name, default)
        if isinstance(value, bool) or not isinstance(value, int | float) or value <= 0 or value % 1:
            self._wrong(name, "bad-value")
            return default
        return int(value)

    def days(self, name: str) -> int | None:
        return duration_ms(str(self.whole(name, 1)), "d")

    def finish(self) -> tuple[SettingProblem, ...]:
        if any(name not in _KEYS for name in self.found):
            self._problems.append(SettingProblem(self._place, "unknown-key"))
        return tuple(self._problems)

    def _wrong(self, name: str, code: ProblemCode) -> None:
        self._problems.append(SettingProblem(f"{self._place}.{name}", code))
