"""What time is it here? The zone of the host, with its daylight saving."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo


class HostZone(tzinfo):
    """The local time of this machine. A repeated hour is the first, one inside a gap moves forward by it."""

    def utcoffset(self, dt: datetime | None) -> timedelta:
        moment = dt.replace(tzinfo=None) if dt is not None else datetime.now()
        in_utc = datetime.fromtimestamp(moment.timestamp(), UTC).replace(tzinfo=None)
        return moment.replace(fold=0) - in_utc

    def dst(self, dt: datetime | None) -> timedelta | None:
        return None

    def tzname(self, dt: datetime | None) -> str | None:
        return "local"

    def fromutc(self, dt: datetime) -> datetime:
        local = datetime.fromtimestamp(dt.replace(tzinfo=UTC).timestamp())
        return local.replace(tzinfo=self)
