"""Is a session still fresh, and when does it stop to be?

The zone of the host is an argument. An hour that a spring change leaves out moves forward by the gap; of an
hour that an autumn change repeats the first counts (openclaw.md 6.3).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from agentbrief.resume.reset_policy import ResetPolicy

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)
_MINUTE_MS = 60 * 1000


@dataclass(frozen=True, slots=True)
class Freshness:
    """Whether the next message goes on with the session; the boundaries that were looked at, in ms."""

    fresh: bool
    daily_reset_ms: int | None = None
    idle_expires_ms: int | float | None = None


def daily_reset_ms(now_ms: int, at_hour: int, zone: tzinfo) -> int:
    """The last time, at or before ``now_ms``, that the wall clock of ``zone`` showed ``at_hour``."""
    today = (_EPOCH + now_ms * _MILLISECOND).astimezone(zone).date()
    boundary = _moment_ms(today, at_hour, zone)
    # Upstream takes a day off the boundary's wall clock, which then shows the hour after the gap.
    return boundary if now_ms >= boundary else _moment_ms(today - timedelta(days=1), at_hour, zone)


def next_daily_reset_ms(now_ms: int, at_hour: int, zone: tzinfo) -> int:
    """The next time, after ``now_ms``, that the wall clock of ``zone`` shows ``at_hour``."""
    today = (_EPOCH + now_ms * _MILLISECOND).astimezone(zone).date()
    boundary = _moment_ms(today, at_hour, zone)
    return boundary if now_ms < boundary else _moment_ms(today + timedelta(days=1), at_hour, zone)


def freshness(
    updated_at_ms: int | float | None,
    now_ms: int,
    policy: ResetPolicy,
    zone: tzinfo,
    *,
    is_event: bool = False,
) -> Freshness:
    """Whether a session that was last active at ``updated_at_ms`` is fresh at ``now_ms``.

    ``is_event`` marks a heartbeat, a scheduled job or an exec event, which never end a session. One of
    unknown age stays.
    """
    if updated_at_ms is None:
        return Freshness(True)
    daily = daily_reset_ms(now_ms, policy.at_hour, zone) if policy.mode == "daily" else None
    idle = updated_at_ms + policy.idle_minutes * _MINUTE_MS if policy.idle_minutes is not None else None
    stale = (daily is not None and updated_at_ms < daily) or (idle is not None and now_ms > idle)
    return Freshness(is_event or not stale, daily, idle)


def stale_from_ms(
    updated_at_ms: int | float, now_ms: int, policy: ResetPolicy, zone: tzinfo
) -> int | float | None:
    """From when on the next message starts anew, if nothing comes before; None = never."""
    moments: list[int | float] = []
    if policy.mode == "daily":
        moments.append(next_daily_reset_ms(max(now_ms, int(updated_at_ms)), policy.at_hour, zone))
    if policy.idle_minutes is not None:
        moments.append(updated_at_ms + policy.idle_minutes * _MINUTE_MS + 1)
    return min(moments) if moments else None


def _moment_ms(day: date, hour: int, zone: tzinfo) -> int:
    return (datetime.combine(day, time(hour), zone).astimezone(UTC) - _EPOCH) // _MILLISECOND
