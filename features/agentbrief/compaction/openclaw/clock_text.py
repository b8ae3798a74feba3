"""How does OpenClaw tell a model the date and the time?

The moment and the zone are arguments. A zone that the machine's data does not know is the host's.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from agentbrief.jsonio import JsonValue
from agentbrief.sessions.agent_config import text_at, value_at
from agentbrief.text import utf16

MARK = "Current time:"
DATE_PLACE = "YYYY-MM-DD"

_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def user_zone(config: Mapping[str, JsonValue], host_zone: tzinfo) -> tzinfo:
    """The zone of ``agents.defaults.userTimezone``, or the host's."""
    name = utf16.trim(text_at(config, "agents", "defaults", "userTimezone") or "")
    return named_zone(name) or host_zone if name else host_zone


def named_zone(name: str) -> tzinfo | None:
    """The zone of that name; None where the machine's data has none."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def twenty_four_hours(config: Mapping[str, JsonValue]) -> bool:
    """Whether ``agents.defaults.timeFormat`` asks for 24 hours; unset or automatic is 12 here."""
    return value_at(config, "agents", "defaults", "timeFormat") in ("24", 24)


def local(now_ms: int, zone: tzinfo) -> datetime:
    """The moment ``now_ms`` in ``zone``."""
    return (_EPOCH + timedelta(milliseconds=now_ms)).astimezone(zone)


def date_text(now_ms: int, zone: tzinfo) -> str:
    """The date as ``2026-03-05``."""
    return local(now_ms, zone).strftime("%Y-%m-%d")


def time_line(now_ms: int, zone: tzinfo, *, hours_24: bool = False, with_utc: bool = False) -> str:
    """``Current time: Thursday, March 5th, 2026 — 11:30 PM (UTC)``.

    ``with_utc`` gives the form of 2026.4.15: a hyphen, and the same moment once more in UTC.
    """
    at = local(now_ms, zone)
    day = f"{_DAYS[at.weekday()]}, {_MONTHS[at.month - 1]} {at.day}{_ordinal(at.day)}, {at.year}"
    clock = f"{at.hour:02}:{at.minute:02}" if hours_24 else _twelve_hours(at)
    if not with_utc:
        return f"{MARK} {day} \u2014 {clock} ({_zone_name(zone)})"
    utc = local(now_ms, UTC).strftime("%Y-%m-%d %H:%M")
    return f"{MARK} {day} - {clock} ({_zone_name(zone)}) / {utc} UTC"


def _twelve_hours(at: datetime) -> str:
    return f"{at.hour % 12 or 12}:{at.minute:02} {'AM' if at.hour < 12 else 'PM'}"


def _ordinal(day: int) -> str:
    if day in (11, 12, 13):
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")


def _zone_name(zone: tzinfo) -> str:
    return zone.key if isinstance(zone, ZoneInfo) else str(zone)
