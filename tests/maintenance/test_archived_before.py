"""Dates in names that are read as text first give the same archives as those that are read as dates."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from agentbrief.sessions.store.names import ArchiveReason, archive_time_ms, archived_before

DAY = 86_400_000
LIMIT = 1_772_712_000_500
"""2026-03-05T12:00:00.500Z."""

dates = st.sampled_from(
    (
        "2026-03-05T12-00-00.500Z", "2026-03-05T12-00-00.499Z", "2026-03-05T12-00-00Z",
        "2026-03-05T12-00-01Z", "2026-03-05T11-59-59.999Z", "2026-02-31T00-00-00.000Z",
        "2026-99-01T00-00-00Z", "2027-01-01T00-00-00.000Z", "2025-12-31T23-59-59.999Z",
        "0000-01-01T00-00-00.000Z", "0001-01-01T00-00-00.000Z", "2026-03-05T12-00-00.5Z", "yesterdayZ",
    )
)  # fmt: skip
reasons = st.sampled_from(("deleted", "reset", "bak", "gone"))
names = st.builds(
    lambda stem, reason, date: f"{stem}.{reason}.{date}",
    st.sampled_from(("a.jsonl", "", "a.deleted.2020-01-01T00-00-00Z", "a\nb")),
    reasons,
    dates,
)
limits = st.sampled_from((LIMIT, LIMIT + 1, LIMIT - DAY, 0, -(10**17)))


@settings(max_examples=300)
@given(found=st.lists(names, max_size=8), deleted=limits, reset=st.none() | limits)
def test_the_same_as_by_date(found: list[str], deleted: int, reset: int | None) -> None:
    reasons: tuple[ArchiveReason, ...] = ("deleted", "reset")
    given_limits: dict[str, int] = {"deleted": deleted}
    if reset is not None:
        given_limits["reset"] = reset
    by_date = [
        name
        for name in found
        if any(
            (put_away := archive_time_ms(name, reason)) is not None and put_away < given_limits[reason]
            for reason in reasons
            if reason in given_limits
        )
    ]
    assert archived_before(found, given_limits) == by_date


def test_some_are_older() -> None:
    name = "a.jsonl.deleted.2026-03-05T11-59-59.999Z"
    assert archived_before([name], {"deleted": LIMIT}) == [name]
    assert archived_before([name], {"deleted": LIMIT - 501}) == []
    assert archived_before([name], {"reset": LIMIT}) == []
