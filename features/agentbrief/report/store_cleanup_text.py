"""How is a cleanup told: as lines for a terminal, as a page, as JSON?

A preview and what was done list the same items in the same words.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from agentbrief.jsonio import JsonValue
from agentbrief.maintenance.cleaned import Cleaned
from agentbrief.maintenance.report import plan_record
from agentbrief.maintenance.values import MaintenancePlan, PlanItem, Reason, Refusal, Spared
from agentbrief.messages import say
from agentbrief.redact import escape_markdown, mask
from agentbrief.report.refusal import refusal_text
from agentbrief.report.store_words import (
    database_text,
    problem_text,
    rules_text,
    source_text,
    why_left_out,
)
from agentbrief.report.table import cell, table
from agentbrief.rules.transcript_scene import size_text
from agentbrief.sessions.store.newer_store import LiveDatabase

MOST_ROWS = 500
"""So many items a page lists one by one; the command line lists all."""


@dataclass(frozen=True, slots=True)
class CleanupReport:
    """A plan or why there is none, and what came of it (None: nothing was carried out).

    ``changed_ms`` is when the store changed last, ``titles`` what a session is called, by key. ``logs`` are
    logs of scheduled jobs that are shortened: path, bytes, and bytes afterwards.
    """

    plan: MaintenancePlan | Refusal
    cleaned: Cleaned | None = None
    database: LiveDatabase | None = None
    is_remote: bool = False
    changed_ms: int | None = None
    trash_days: int = 0
    titles: tuple[tuple[str, str], ...] = ()
    logs: tuple[tuple[str, int, int], ...] = ()

    @property
    def is_refused(self) -> bool:
        """Whether there is no plan, or it was stopped."""
        return isinstance(self.plan, Refusal) or (
            self.cleaned is not None and self.cleaned.stopped is not None
        )


def cleanup_record(report: CleanupReport, locale: str) -> dict[str, JsonValue]:
    """The JSON of one store (cli.md, openclaw.md 7.4)."""
    plan, cleaned = report.plan, report.cleaned
    found = plan_record(plan)
    if isinstance(plan, Refusal):
        found["applied"] = False
        found["message"] = [problem_text(problem, locale) for problem in plan.problems]
        return found
    found["applied"] = cleaned is not None
    found["runLogs"] = [
        {"path": path, "bytes": size, "bytesAfter": after} for path, size, after in report.logs
    ]
    found["settings"] = plan.policy.place
    found["asksFirst"] = plan.asks_first
    found["database"] = report.database.path if report.database is not None else None
    found["remote"] = report.is_remote
    if cleaned is None:
        found.pop("appliedCount", None)
        if not plan.choices.dry_run:
            found["appliedCount"] = plan.before_count
        return found
    folder = os.path.dirname(plan.store_path)
    dropped = sum(item.action == "drop-entry" for item in cleaned.done)
    found["appliedCount"] = plan.before_count - dropped
    found["cleanup"] = cleaned.id
    found["leftOut"] = [
        {
            **({"key": each.item.what} if each.item.action == "drop-entry" else {}),
            **({"path": os.path.join(folder, each.item.what)} if each.item.action != "drop-entry" else {}),
            "why": each.why,
        }
        for each in cleaned.left_out
    ]
    found["freedBytes"] = cleaned.freed_bytes
    found["purgedFromTrash"] = [item.trashed for item in cleaned.purged]
    if cleaned.stopped is not None:
        found["stopped"] = refusal_text(locale, cleaned.stopped)
    if cleaned.cancelled:
        found["cancelled"] = True
    return found


def cleanup_lines(report: CleanupReport, locale: str) -> Iterator[str]:
    """The lines for a terminal."""
    plan = report.plan
    if isinstance(plan, Refusal):
        yield from (problem_text(problem, locale) for problem in plan.problems)
        return
    yield _title(report, plan, locale)
    yield from _notes(report, plan, locale)
    yield rules_text(plan.policy, locale)
    for words, size, why in _item_rows(plan, report, locale):
        yield f"  {words}  {size}  {why}"
    for reason_words, size, _ in _sums(plan, locale):
        yield f"{reason_words}  {size}"
    for title, rows in _kept(report, plan, locale):
        yield title
        yield from (f"  {what}: {why}" for what, why in rows)
    yield from _ending(report, plan, locale)


def cleanup_page(reports: Sequence[CleanupReport], locale: str, unread: Sequence[str] = ()) -> str:
    """The page in Markdown. ``unread`` are sentences on stores that could not be read."""
    parts = [f"# {say(locale, 'cleanup.page')}", *map(_quiet, unread)]
    for report in reports:
        if len(reports) > 1:
            parts.append(f"## {_quiet(report.plan.agent_id)}")
        parts += _page_parts(report, locale)
    if not reports and not unread:
        parts.append(say(locale, "trash.none"))
    parts.append(say(locale, "cleanup.others"))
    return "\n\n".join(parts) + "\n"


def _page_parts(report: CleanupReport, locale: str) -> Iterator[str]:
    plan = report.plan
    if isinstance(plan, Refusal):
        yield from (_quiet(problem_text(problem, locale)) for problem in plan.problems)
        return
    yield _quiet(_title(report, plan, locale))
    yield from map(_quiet, _notes(report, plan, locale))
    yield _quiet(rules_text(plan.policy, locale))
    head = [say(locale, f"cleanup.column.{name}") for name in ("what", "size", "why")]
    if plan.items:
        right = frozenset((1,))
        yield table(head, [_cells(row) for row in _sums(plan, locale)], right)
        yield f"### {say(locale, 'cleanup.items')}"
        rows = islice(_item_rows(plan, report, locale), MOST_ROWS)
        yield table(head, [_cells(row) for row in rows], right)
        if (more := len(plan.items) - MOST_ROWS) > 0:
            yield say(locale, "cleanup.more", count=more)
    for title, told in _kept(report, plan, locale):
        yield f"### {title}"
        yield "\n".join(f"- {_quiet(what)}: {_quiet(why)}" for what, why in told[:MOST_ROWS])
    yield from map(_quiet, _ending(report, plan, locale))


def total_text(plan: MaintenancePlan, locale: str) -> str:
    """How much goes in all, in one sentence."""
    files = [item for item in plan.items if item.action in ("archive", "trash")]
    return say(
        locale,
        "cleanup.total",
        sessions=plan.before_count - plan.after_count,
        files=len(files),
        size=size_text(sum(item.size for item in files)),
        before=size_text(plan.bytes_before),
        after=size_text(plan.bytes_after),
    )


def _title(report: CleanupReport, plan: MaintenancePlan, locale: str) -> str:
    kind = "done" if report.cleaned is not None else "preview" if plan.choices.dry_run else "warn"
    return say(locale, f"cleanup.{kind}", path=plan.store_path, agent=plan.agent_id, option="--enforce")


def _notes(report: CleanupReport, plan: MaintenancePlan, locale: str) -> Iterator[str]:
    if report.database is not None:
        yield database_text(report.database, locale)
    if report.is_remote:
        yield source_text(plan.store_path, report.changed_ms, True, locale)
    if plan.asks_first:
        yield say(locale, "store.asks-first")


def _item_rows(plan: MaintenancePlan, report: CleanupReport, locale: str) -> Iterator[tuple[str, str, str]]:
    titles = dict(report.titles)
    for item in plan.items:
        action = say(locale, f"store.action.{item.action}")
        name = titles.get(item.what) if item.action == "drop-entry" else None
        what = f"{item.what} “{name}”" if name else item.what
        words = say(locale, "cleanup.item", action=action, what=what)
        yield words, size_text(item.size), say(locale, f"store.reason.{item.reason}")


def _sums(plan: MaintenancePlan, locale: str) -> Iterator[tuple[str, str, str]]:
    sums: dict[tuple[str, Reason], list[PlanItem]] = {}
    for item in plan.items:
        sums.setdefault((item.action, item.reason), []).append(item)
    for (action, reason), items in sums.items():
        words = say(
            locale,
            "cleanup.sum",
            count=len(items),
            action=say(locale, f"store.action.{action}"),
            why=say(locale, f"store.reason.{reason}"),
        )
        yield words, size_text(sum(item.size for item in items)), ""


def _kept(
    report: CleanupReport, plan: MaintenancePlan, locale: str
) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    seen: dict[tuple[str, str], Spared] = {(each.what, each.why): each for each in plan.spared}
    if seen:
        yield (
            say(locale, "cleanup.protected"),
            [(each.what, say(locale, f"store.protected.{each.why}")) for each in seen.values()],
        )
    if report.cleaned is not None and report.cleaned.left_out:
        yield (
            say(locale, "cleanup.left-out"),
            [(each.item.what, why_left_out(each.why, locale)) for each in report.cleaned.left_out],
        )


def _ending(report: CleanupReport, plan: MaintenancePlan, locale: str) -> Iterator[str]:
    for path, size, after in report.logs:
        yield say(locale, "cleanup.log", path=path, size=size_text(size), after=size_text(after))
    yield total_text(plan, locale) if plan.items else say(locale, "cleanup.nothing")
    if plan.budget is not None and plan.budget.staying:
        staying = plan.budget.staying
        yield say(
            locale,
            "store.over-target",
            size=plan.budget.total_bytes_after,
            target=plan.budget.high_water_bytes,
            files=len(staying),
        )
    cleaned = report.cleaned
    if cleaned is None:
        return
    if cleaned.stopped is not None:
        done, total = len(cleaned.done), len(plan.items)
        yield say(
            locale, "cleanup.stopped", done=done, total=total, why=refusal_text(locale, cleaned.stopped)
        )
    elif cleaned.cancelled:
        yield say(locale, "cleanup.cancelled", done=len(cleaned.done), total=len(plan.items))
    if cleaned.done:
        yield say(locale, "cleanup.trash", days=report.trash_days, id=cleaned.id)
    if cleaned.purged:
        yield say(locale, "cleanup.purged", count=len(cleaned.purged))


def _cells(row: tuple[str, str, str]) -> list[str]:
    return [cell(_quiet(text)) for text in row]


def _quiet(text: str) -> str:
    return escape_markdown(mask(text))
