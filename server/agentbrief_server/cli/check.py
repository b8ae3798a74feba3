"""``agentbrief check [PATH…]``: findings on instruction files, like a linter."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace

from agentbrief.disk.seam import FS
from agentbrief.report.check_formats import as_github, as_json, as_sarif, as_text
from agentbrief.report.located import located
from agentbrief.tasks.check import Checked, check
from agentbrief.tasks.setup import Setup
from agentbrief_server import __version__
from agentbrief_server.cli.console import CommandError, Console
from agentbrief_server.cli.given import absolute, setup_of, site_of

LEVELS = ("error", "warning", "information", "hint")


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("paths", metavar="PATH", nargs="*", help="folders or files; none = this folder")
    parser.add_argument("--format", choices=("text", "json", "sarif", "github"), default="text")
    parser.add_argument(
        "--fix", action="store_true", help="apply the fixes that are safe without being looked at"
    )
    parser.add_argument(
        "--fail-on",
        choices=("error", "warning", "information", "never"),
        default="warning",
        help="the lowest severity that makes the exit code 1",
    )


def run(arguments: Namespace, console: Console) -> int:
    paths = [absolute(path) for path in arguments.paths or ["."]]
    for path in paths:
        if not os.path.exists(path):
            raise CommandError(3, console.say("cli.no-such-path", path=path))
        if os.path.isdir(path) and not os.access(path, os.R_OK | os.X_OK):
            raise CommandError(3, console.say("cli.unreadable", path=path, reason=os.strerror(13)))
    found = Checked((), 0, ())
    for path in paths:
        setup = setup_of(arguments, console, path if os.path.isdir(path) else os.path.dirname(path))
        checked = check(setup, [path], FS())
        if arguments.fix and _mended(setup, checked, console):
            setup.files.forget()
            checked = check(setup, [path], FS())
        found = _joined(found, checked)
    _print(found, arguments, console)
    return _exit_code(found, arguments.fail_on)


def _mended(setup: Setup, checked: Checked, console: Console) -> bool:
    """Whether something was mended. The lock lies in a folder of our own, not in the project."""
    import tempfile

    from agentbrief.tasks.mend import mend

    with tempfile.TemporaryDirectory(prefix="agentbrief-") as store:
        site = site_of(store, setup.files.roots(setup.folders))
        mended = mend(setup, checked.findings, checked.texts, site)
    for each in mended.refused:
        console.note(console.say("check.not-fixed", path=each))
    if mended.count:
        console.note(console.say("check.fixed", count=mended.count))
    return mended.count > 0


def _joined(one: Checked, other: Checked) -> Checked:
    findings = tuple(dict.fromkeys((*one.findings, *other.findings)))
    return Checked(
        findings, one.files + other.files, one.unreadable + other.unreadable, {**one.texts, **other.texts}
    )


def _print(found: Checked, arguments: Namespace, console: Console) -> None:
    places = located(found.findings, found.texts, console.locale)
    chosen = "json" if arguments.json else arguments.format
    if chosen == "json":
        console.json(as_json(places, found.texts, found.files, found.unreadable, console.locale))
    elif chosen == "sarif":
        console.json(as_sarif(places, __version__))
    elif chosen == "github":
        console.lines(as_github(places, os.getcwd()))
    else:
        console.lines(as_text(places, found.texts, os.getcwd(), colour=console.colour))
        for path, reason in found.unreadable:
            console.note(console.say("check.unlisted", path=path, reason=reason))
        if found.findings:
            console.note(console.say("check.found", findings=len(found.findings), files=found.files))
        else:
            console.note(console.say("check.clean", files=found.files))


def _exit_code(found: Checked, fail_on: str) -> int:
    if fail_on == "never":
        return 0
    counting = LEVELS[: LEVELS.index(fail_on) + 1]
    return int(any(finding.severity in counting for finding in found.findings))
