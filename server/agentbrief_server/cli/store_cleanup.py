"""``agentbrief store cleanup [STORE]``: what a cleanup would do, or do it."""

from __future__ import annotations

import os
import signal
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import replace

from agentbrief.disk.refusal import Refused
from agentbrief.jsonio import JsonValue
from agentbrief.maintenance.report import mode_of
from agentbrief.maintenance.values import CleanupChoices, MaintenancePlan
from agentbrief.report.refusal import refusal_text
from agentbrief.report.store_cleanup_text import CleanupReport, cleanup_lines, cleanup_record
from agentbrief.tasks.sessions.setup import SessionsSetup
from agentbrief.tasks.store.cleanup import clean_up
from agentbrief.tasks.store.cron import long_logs, shorten_logs, swept
from agentbrief.tasks.store.look import InUse
from agentbrief.tasks.store.place import StorePlace
from agentbrief.tasks.store.plan import plan_of
from agentbrief.tasks.store.told import told
from agentbrief_server.cli.console import CommandError, Console
from agentbrief_server.cli.session_given import caller, sessions_setup
from agentbrief_server.cli.store_given import add_store, looked_at, named_stores, nothing_found

_INTERRUPTED = 130


def add_arguments(parser: ArgumentParser) -> None:
    add_store(parser)
    what = parser.add_mutually_exclusive_group()
    what.add_argument(
        "--dry-run", action="store_true", help="show what would be done; exit code 1 if anything"
    )
    what.add_argument("--enforce", action="store_true", help="do it, whatever the mode of the settings is")
    parser.add_argument("--fix-missing", action="store_true", help="also drop sessions without a transcript")
    parser.add_argument(
        "--cron", action="store_true", help="also what scheduled jobs leave: sessions of old runs, long logs"
    )
    parser.add_argument("--active-key", metavar="KEY", help="the session in use, which stays")
    parser.add_argument("--yes", action="store_true", help="go on although the clock seems to have jumped")


def run(arguments: Namespace, console: Console) -> int:
    setup = sessions_setup(arguments, console)
    places = named_stores(arguments, setup, console)
    if not places:
        nothing_found(setup, console)
    reports: list[CleanupReport] = []
    code = 0
    with _interruptible() as interrupted:
        for place in places:
            try:
                report, exit_code = _one(arguments, setup, place, console, interrupted)
            except (CommandError, Refused) as error:
                # One store that cannot be read hides no other.
                if len(places) == 1:
                    raise
                console.note(
                    refusal_text(console.locale, error) if isinstance(error, Refused) else str(error)
                )
                code = 3
                continue
            reports.append(report)
            code = max(code, exit_code)
    _print(arguments, reports, console)
    return _INTERRUPTED if interrupted() else code


def _one(
    arguments: Namespace,
    setup: SessionsSetup,
    place: StorePlace,
    console: Console,
    interrupted: Callable[[], bool],
) -> tuple[CleanupReport, int]:
    in_use = InUse(active_key=arguments.active_key)
    choices = CleanupChoices(arguments.dry_run, arguments.enforce, arguments.fix_missing)
    look = looked_at(setup, place, console, in_use)
    found = plan_of(look, setup.settings, choices, setup.now_ms)
    logs = long_logs(setup.fs, place) if arguments.cron else ()
    if arguments.cron:
        found = swept(found, setup.now_ms)
    shown = tuple((log.path, log.stamp.size, len(log.kept)) for log in logs)
    report = replace(told(setup, found), logs=shown)
    plan = found.plan
    if not isinstance(plan, MaintenancePlan):
        return report, 3
    if not plan.applies:
        return report, int(plan.choices.dry_run and bool(plan.items or logs))
    if found.read_only == "database":
        raise CommandError(3, console.say("cleanup.read-only.database", path=plan.store_path))
    if plan.asks_first and plan.items and not arguments.yes:
        sentence = f"{console.say('store.asks-first')} {console.say('cleanup.say-yes')}"
        raise CommandError(3, sentence)
    cleaned = clean_up(
        setup.fs, look, plan, caller(), trash_days=report.trash_days, in_use=in_use, cancelled=interrupted
    )
    if not interrupted():
        shorten_logs(setup.fs, place, logs, caller())
    done = replace(report, cleaned=cleaned)
    return done, 3 if cleaned.stopped is not None else 0


def _print(arguments: Namespace, reports: list[CleanupReport], console: Console) -> None:
    if not arguments.json:
        for report in reports:
            lines = list(cleanup_lines(report, console.locale))
            if report.is_refused and not isinstance(report.plan, MaintenancePlan):
                for line in lines:
                    console.note(line)
            else:
                console.lines(lines)
        return
    records: list[JsonValue] = [cleanup_record(report, console.locale) for report in reports]
    if len(records) == 1:
        console.json(records[0])
        return
    plans = [report.plan for report in reports if isinstance(report.plan, MaintenancePlan)]
    console.json(
        {
            "allAgents": True,
            "mode": mode_of(plans[0]) if plans else "warn",
            "dryRun": bool(arguments.dry_run),
            "stores": records,
        }
    )


@contextmanager
def _interruptible() -> Generator[Callable[[], bool]]:
    """An interruption ends the work between two pieces of it, not in the middle of one."""
    seen: list[int] = []

    def note(number: int, frame: object) -> None:
        seen.append(number)
        if len(seen) > 1:
            os._exit(_INTERRUPTED)

    before = signal.signal(signal.SIGINT, note)
    try:
        yield lambda: bool(seen)
    finally:
        signal.signal(signal.SIGINT, before)
