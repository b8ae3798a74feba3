"""When was that? ISO 8601 to milliseconds since 1970 and back; no clock, no zone of the machine."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from agentbrief.jsonio import JsonValue

_ISO = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?)?(Z|[+-]\d\d:?\d\d)?",
    re.IGNORECASE | re.ASCII,
)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)
_USUAL_LENGTH = len("2026-03-05T12:00:00.000Z")
_MAX_MS = 253_402_300_799_999


def ms_of(value: JsonValue) -> int | None:
    """Milliseconds since 1970 of an ISO 8601 text or of a number that is such milliseconds already.

    None if it is neither. A text without an offset is taken as UTC.
    """
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int | float):
        return int(value) if abs(value) <= _MAX_MS else None
    if not isinstance(value, str):
        return None
    if len(value) == _USUAL_LENGTH and value[10] == "T" and value[19] == "." and value[-1] == "Z":
        try:
            return (datetime.fromisoformat(value) - _EPOCH) // _MILLISECOND
        except ValueError:
            return None
    found = _ISO.fullmatch(value.strip())
    if found is None:
        return None
    year, month, day, hour, minute, second = (int(part or 0) for part in found.groups()[:6])
    try:
        moment = datetime(year, month, day, hour, minute, second, tzinfo=UTC)
    except ValueError:
        return None
    fraction = int((found[7] or "0").ljust(3, "0")[:3])
    return (moment - _EPOCH) // _MILLISECOND + fraction - _offset_ms(found[8])


def iso_of(ms: int) -> str:
    """``ms`` as ``2026-03-05T12:00:00.000Z``.

    Raises:
        ValueError: before the year 1 or after the year 9999.
    """
    try:
        moment = _EPOCH + timedelta(milliseconds=ms)
    except OverflowError as error:
        raise ValueError("no date") from error
    return moment.strftime("%Y").zfill(4) + moment.strftime("-%m-%dT%H:%M:%S.") + f"{ms % 1000:03d}Z"


def iso_time(ms: int) -> str | None:
    """``ms`` as :func:`iso_of` has it; None for a time that it has no form for."""
    try:
        return iso_of(ms)
    except ValueError:
        return None


def stamp_of(ms: int) -> str:
    """``ms`` as file names have it: ``2026-03-05T12-00-00-000Z``."""
    return iso_of(ms).replace(":", "-").replace(".", "-")


def _offset_ms(zone: str | None) -> int:
    if zone is None or zone in ("Z", "z"):
        return 0
    minutes = int(zone[1:3]) * 60 + int(zone[-2:])
    return (minutes if zone[0] == "+" else -minutes) * 60 * 1000
