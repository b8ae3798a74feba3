"""In which words is a store spoken of: spans of time, sizes, rules of a cleanup, why something stays?"""

from __future__ import annotations

from agentbrief.maintenance.settings import MaintenanceSettings, SettingProblem
from agentbrief.messages import say
from agentbrief.rules.transcript_scene import size_text
from agentbrief.sessions.store.newer_store import LiveDatabase
from agentbrief.sessions.times import iso_of

_UNITS = ((86_400_000, "days"), (3_600_000, "hours"), (60 * 1000, "minutes"), (1000, "seconds"))
_LARGEST_COUNT = 9999


def span_text(span_ms: int, locale: str) -> str:
    """A span of time in words: ``30 days``, ``1 day 12 hours``."""
    words: list[str] = []
    for size, unit in (*_UNITS, (1, "milliseconds")):
        count, span_ms = divmod(span_ms, size)
        if count:
            words.append(say(locale, f"span.{unit}", count=count))
    return " ".join(words) or say(locale, "span.days", count=0)


def amount_text(size: int) -> str:
    """A size of a setting, whose ``mb`` has 1024 x 1024 bytes: ``10 MiB``.

    One that is no such number of a unit in the usual words.
    """
    for unit, shift in (("TiB", 40), ("GiB", 30), ("MiB", 20), ("KiB", 10)):
        count, rest = divmod(size, 1 << shift)
        if 0 < count <= _LARGEST_COUNT and not rest:
            return f"{count:,} {unit}"
    return size_text(size)


def time_text(time_ms: int | float | None) -> str:
    """A moment as ``2026-03-05 12:00:00 UTC``; a dash where it is not known."""
    return iso_of(int(time_ms))[:19].replace("T", " ") + " UTC" if time_ms is not None else "–"


def rules_text(policy: MaintenanceSettings, locale: str) -> str:
    """The rules of a cleanup, and whose they are."""
    budget = say(locale, "cleanup.no-budget")
    if policy.max_disk_bytes is not None:
        budget = say(
            locale,
            "cleanup.budget",
            max=amount_text(policy.max_disk_bytes),
            target=amount_text(policy.high_water_bytes or 0),
        )
    resets = policy.reset_archive_ms
    return say(
        locale,
        "cleanup.rules",
        place=policy.place,
        age=span_text(policy.prune_after_ms, locale),
        resets=say(locale, "cleanup.kept-forever") if resets is None else span_text(resets, locale),
        entries=policy.max_entries,
        size=amount_text(policy.rotate_bytes),
        budget=budget,
    )


def problem_text(problem: SettingProblem, locale: str) -> str:
    """Why a cleanup is refused."""
    return say(locale, f"store.problem.{problem.code}", path=problem.path)


def database_text(database: LiveDatabase, locale: str) -> str:
    """That a newer OpenClaw keeps the sessions elsewhere."""
    return say(locale, "store.database", path=database.path, time=time_text(database.changed_ms))


def source_text(path: str, changed_ms: int | None, is_remote: bool, locale: str) -> str:
    """Which file this is, when it changed, and whether another machine holds the truth."""
    words = say(locale, "store.stale-copy", path=path, time=time_text(changed_ms))
    return f"{say(locale, 'store.remote')} {words}" if is_remote else words


def why_left_out(why: str, locale: str) -> str:
    """Why an item of a plan was not carried out."""
    own = ("gone", "changed", "in-use", "session-stays", "name-taken")
    return say(locale, f"store.left-out.{why}" if why in own else f"store.protected.{why}")
