"""In which words is a store spoken of: spans of time, sizes, rules of a cleanup, why something stays?"""

from __future__ import annotations

from agentbrief.maintenance.settings import MaintenanceSettings, SettingProblem
from agentbrief.messages import say
from agentbrief.rules.transcript_scene import size_text
from agentbrief.sessions.store.newer_store import LiveDatabase
from agentbrief.sessions.times import iso_of

_UNITS = ((86_400_000, "d"), (3_600_000, "h"), (60 * 1000, "m"), (1000, "s"), (1, "ms"))


def span_text(span_ms: int) -> str:
    """A span of time as settings spell it: ``30d``, ``1d12h``."""
    words = ""
    for size, unit in _UNITS:
        count, span_ms = divmod(span_ms, size)
        words += f"{count}{unit}" if count else ""
    return words or "0"


def amount_text(size: int) -> str:
    """A size as settings spell it: ``10mb``; one that is no whole number of a unit in the usual words."""
    for unit, shift in (("tb", 40), ("gb", 30), ("mb", 20), ("kb", 10)):
        if size and size % (1 << shift) == 0:
            return f"{size >> shift}{unit}"
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
        age=span_text(policy.prune_after_ms),
        resets=say(locale, "cleanup.kept-forever") if resets is None else span_text(resets),
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
