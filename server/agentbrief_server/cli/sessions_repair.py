"""``agentbrief sessions repair FILE --output COPY``: a repaired copy; the session stays as it is."""

from __future__ import annotations

import os
import tempfile
from argparse import ArgumentParser, Namespace

from agentbrief.changes.apply import Site
from agentbrief.disk.read import real_roots
from agentbrief.jsonio import JsonValue
from agentbrief.tasks.sessions.repair import Repair, copy_paths, planned_repair, repaired
from agentbrief_server.cli.console import CommandError, Console
from agentbrief_server.cli.given import absolute
from agentbrief_server.cli.session_given import (
    add_dry_run,
    add_file,
    caller,
    named_file,
    reason_of,
    sessions_setup,
)


def add_arguments(parser: ArgumentParser) -> None:
    add_file(parser)
    parser.add_argument(
        "--output", "-o", metavar="COPY", help="the new file; its bad lines go to *.bad.jsonl beside it"
    )
    add_dry_run(parser)


def run(arguments: Namespace, console: Console) -> int:
    if arguments.output is None and not arguments.dry_run:
        raise CommandError(2, console.say("session.repair.output"))
    setup = sessions_setup(arguments, console)
    file = named_file(arguments, setup, console)
    repair = planned_repair(setup.fs, file)
    if repair.problem is not None:
        reason = reason_of(repair.problem, console)
        raise CommandError(3, console.say("session.not-one", path=file.path, reason=reason))
    copy, bad_lines = copy_paths(file, absolute(arguments.output) if arguments.output else None)
    is_written = repair.is_needed and not arguments.dry_run
    if is_written:
        with tempfile.TemporaryDirectory(prefix="agentbrief-") as store:
            roots = real_roots(setup.fs, (os.path.dirname(copy),))
            repaired(Site(setup.fs, os.path.realpath(store), caller(), roots), repair, copy, bad_lines)
    if arguments.json:
        console.json(_record(repair, copy, bad_lines, is_written))
    elif not repair.is_needed:
        console.line(console.say("session.repair.nothing", name=os.path.basename(file.path)))
    else:
        changes, records = len(repair.plan.changes), repair.records
        console.line(console.say("session.repair.plan", changes=changes, records=records))
        console.line(console.say("session.repair.links", count=repair.broken_links))
        if is_written:
            console.line(console.say("session.repair.written", copy=copy, bad=bad_lines))
    return int(repair.is_needed and arguments.dry_run)


def _record(repair: Repair, copy: str, bad_lines: str, is_written: bool) -> dict[str, JsonValue]:
    changes: list[JsonValue] = [
        {"line": change.line, "code": change.code, "put_in": len(change.put_in)}
        for change in repair.plan.changes
    ]
    return {
        "path": repair.file.path,
        "needed": repair.is_needed,
        "written": is_written,
        "copy": copy if is_written else None,
        "bad_lines": bad_lines if is_written else None,
        "changes": changes,
        "records": repair.records,
        "broken_links": repair.broken_links,
    }
