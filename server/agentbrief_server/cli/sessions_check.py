"""``agentbrief sessions check FILE``: the faults of a session's file."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from agentbrief.report.session_check_page import CheckReport, check_lines, check_record
from agentbrief.tasks.sessions.check import CheckedSession, checked
from agentbrief_server.cli.console import CommandError, Console
from agentbrief_server.cli.session_given import add_file, named_file, reason_of, sessions_setup

LEVELS = ("error", "warning", "information", "hint")


def add_arguments(parser: ArgumentParser) -> None:
    add_file(parser)
    parser.add_argument(
        "--fail-on",
        choices=("error", "warning", "information", "never"),
        default="warning",
        help="the lowest severity that makes the exit code 1",
    )


def run(arguments: Namespace, console: Console) -> int:
    setup = sessions_setup(arguments, console)
    file = named_file(arguments, setup, console)
    try:
        found = checked(setup, file)
    except ValueError as error:
        reason = reason_of(str(error), console)
        raise CommandError(3, console.say("session.not-one", path=file.path, reason=reason)) from error
    report = report_of(found)
    if arguments.json:
        console.json(check_record(report, console.locale))
    else:
        console.lines(check_lines(report, console.locale))
    return _exit_code(report, arguments.fail_on)


def report_of(found: CheckedSession) -> CheckReport:
    """What a report is made of."""
    file = found.file
    return CheckReport(
        file.path, file.format, found.lines, found.parsed, found.torn_tail, found.damage, found.findings
    )


def _exit_code(report: CheckReport, fail_on: str) -> int:
    """Lines that cannot be read are errors, whether or not the agent has a rule for them."""
    if fail_on == "never":
        return 0
    counting = LEVELS[: LEVELS.index(fail_on) + 1]
    is_damaged = report.parsed < report.lines
    return int(is_damaged or any(finding.severity in counting for finding in report.findings))
