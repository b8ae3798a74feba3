"""Daily boundaries and idle times, in any zone and around any change of the clock."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentbrief.resume.freshness import daily_reset_ms, freshness, next_daily_reset_ms, stale_from_ms
from agentbrief.resume.reset_policy import ResetPolicy

HOUR = 3_600_000
DAY = 24 * HOUR
ZONES = st.sampled_from(
    ["UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "Pacific/Apia"]
)
MOMENTS = st.integers(1_700_000_000_000, 1_900_000_000_000)
HOURS = st.integers(0, 23)


@given(MOMENTS, HOURS, ZONES)
def test_the_boundary_is_the_last_one_and_the_next_comes_later(now: int, hour: int, name: str) -> None:
    zone = ZoneInfo(name)
    last, following = daily_reset_ms(now, hour, zone), next_daily_reset_ms(now, hour, zone)
    assert last <= now < following
    assert following - last <= 26 * HOUR
    assert daily_reset_ms(last, hour, zone) == last
    assert next_daily_reset_ms(following - 1, hour, zone) == following


@given(MOMENTS, HOURS, ZONES)
def test_the_clock_shows_the_hour_or_the_first_moment_after_a_gap(now: int, hour: int, name: str) -> None:
    zone = ZoneInfo(name)
    shown = datetime.fromtimestamp(daily_reset_ms(now, hour, zone) / 1000, zone)
    assert (shown.hour, shown.minute) == (hour, 0) or shown.hour in (hour, hour + 1)
    assert shown.second == 0


@given(
    MOMENTS,
    st.integers(0, 3 * DAY),
    st.one_of(st.none(), st.integers(1, 3000)),
    HOURS,
    st.sampled_from(["daily", "idle"]),
)
def test_a_session_is_fresh_until_the_moment_that_is_told(
    updated: int, age: int, idle: int | None, hour: int, mode: str
) -> None:
    policy = ResetPolicy("daily" if mode == "daily" else "idle", hour, idle, "reset")
    end = stale_from_ms(updated, updated, policy, UTC)
    state = freshness(updated, updated + age, policy, UTC)
    assert state.fresh is (end is None or updated + age < end)
    assert freshness(updated, updated + age, policy, UTC, is_event=True).fresh


def test_a_session_of_unknown_age_stays() -> None:
    assert freshness(None, 0, ResetPolicy("daily", 4, 1, "reset"), UTC).fresh


@pytest.mark.parametrize(
    ("now", "wanted"),
    [
        ("2026-03-29T00:30:00+00:00", "2026-03-28T01:00:00+00:00"),
        ("2026-03-29T00:59:00+00:00", "2026-03-28T01:00:00+00:00"),
        ("2026-03-29T01:00:00+00:00", "2026-03-29T01:00:00+00:00"),
        ("2026-10-25T00:30:00+00:00", "2026-10-25T00:00:00+00:00"),
        ("2026-10-25T01:30:00+00:00", "2026-10-25T00:00:00+00:00"),
    ],
)
def test_two_in_the_morning_in_berlin(now: str, wanted: str) -> None:
    moment = int(datetime.fromisoformat(now).timestamp() * 1000)
    assert (
        daily_reset_ms(moment, 2, ZoneInfo("Europe/Berlin"))
        == datetime.fromisoformat(wanted).timestamp() * 1000
    )
