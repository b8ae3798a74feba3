"""The settings of a cleanup: what they come to, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from agentbrief.maintenance.settings import MaintenanceSettings, SettingProblem, maintenance_settings
from tests.golden.openclaw_cases import openclaw_data
from tests.maintenance.folders import DAY, HOUR

DATA = openclaw_data().maintenance


def read(config: Any) -> MaintenanceSettings:
    found = maintenance_settings(config, DATA)
    assert isinstance(found, MaintenanceSettings)
    return found


def test_the_defaults() -> None:
    found = read(None)
    assert (found.mode, found.prune_after_ms, found.max_entries) == ("warn", 30 * DAY, 500)
    assert (found.rotate_bytes, found.reset_archive_ms) == (10 * 1024 * 1024, 30 * DAY)
    assert (found.max_disk_bytes, found.high_water_bytes) == (None, None)
    assert found == read({})
    assert read({"maxEntries": 20.0}).max_entries == 20


def test_reset_archives_follow_the_sessions_unless_they_are_set() -> None:
    assert read({"pruneAfter": "7d"}).reset_archive_ms == 7 * DAY
    assert read({"pruneAfter": "7d", "resetArchiveRetention": "12h"}).reset_archive_ms == 12 * HOUR
    assert read({"resetArchiveRetention": False}).reset_archive_ms is None


def test_the_old_name_counts_only_alone() -> None:
    assert read({"pruneDays": 7}).prune_after_ms == 7 * DAY
    assert read({"pruneDays": 7, "pruneAfter": "2d"}).prune_after_ms == 2 * DAY


@pytest.mark.parametrize(
    ("config", "most", "target"),
    [
        ({"maxDiskBytes": "0"}, 0, 0),
        ({"maxDiskBytes": 1}, 1, 1),
        ({"maxDiskBytes": 1000}, 1000, 800),
        ({"maxDiskBytes": 1000, "highWaterBytes": "2kb"}, 1000, 1000),
        ({"maxDiskBytes": 0, "highWaterBytes": 5}, 0, 0),
        ({"highWaterBytes": 5}, None, None),
    ],
)
def test_the_target_of_the_budget(config: dict[str, Any], most: int | None, target: int | None) -> None:
    found = read(config)
    assert (found.max_disk_bytes, found.high_water_bytes) == (most, target)


@pytest.mark.parametrize(
    ("config", "place", "code"),
    [
        ({"pruneAfter": True}, ".pruneAfter", "bad-value"),
        ({"pruneAfter": None}, ".pruneAfter", "bad-value"),
        ({"pruneAfter": -1}, ".pruneAfter", "bad-duration"),
        ({"pruneDays": 1.5}, ".pruneDays", "bad-value"),
        ({"pruneAfter": "7d", "pruneDays": 0}, ".pruneDays", "bad-value"),
        ({"maxEntries": True}, ".maxEntries", "bad-value"),
        ({"maxEntries": 2.5}, ".maxEntries", "bad-value"),
        ({"rotateBytes": "10 mb"}, ".rotateBytes", "bad-size"),
        ({"highWaterBytes": -1}, ".highWaterBytes", "bad-size"),
        ({"mode": None}, ".mode", "bad-choice"),
        ([], "", "bad-value"),
        ("warn", "", "bad-value"),
    ],
)
def test_what_is_refused(config: Any, place: str, code: str) -> None:
    found = maintenance_settings(config, DATA)
    assert isinstance(found, tuple)
    assert [(problem.path, problem.code) for problem in found] == [(f"session.maintenance{place}", code)]


def test_every_fault_is_told_at_once() -> None:
    found = maintenance_settings({"mode": "x", "maxEntries": 0, "typo": 1}, DATA, "agentbrief.maintenance")
    assert found == (
        SettingProblem("agentbrief.maintenance.mode", "bad-choice"),
        SettingProblem("agentbrief.maintenance.maxEntries", "bad-value"),
        SettingProblem("agentbrief.maintenance", "unknown-key"),
    )
