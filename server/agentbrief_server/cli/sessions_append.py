"""``agentbrief sessions append ID --role R --text T``: add a message to a session of the workspace."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace

from agentbrief.disk.spelling import valid_id
from agentbrief.tasks.sessions.own import ROLES, NotOwn, message_of, own_file, steps_to_append
from agentbrief.tasks.sessions.write import Planned, planned_and_written, site_for
from agentbrief_server.cli.console import CommandError, Console
from agentbrief_server.cli.session_given import add_id, caller, not_own, sessions_setup


def add_arguments(parser: ArgumentParser) -> None:
    add_id(parser)
    parser.add_argument("--role", choices=ROLES, default="user")
    parser.add_argument("--text", metavar="T", required=True, help="its words; - = standard input")


def run(arguments: Namespace, console: Console) -> int:
    if not valid_id(arguments.id):
        raise CommandError(2, console.say("session.bad-id"))
    setup = sessions_setup(arguments, console)
    text = sys.stdin.buffer.read().decode("utf-8", "replace") if arguments.text == "-" else arguments.text
    file = own_file(setup.fs, setup.folders[0], arguments.id)
    message = message_of(arguments.role, text)

    def plan() -> Planned:
        return steps_to_append(setup.fs, file, message, setup.now_ms)

    if arguments.dry_run:
        steps = plan()
        if isinstance(steps, NotOwn):
            raise not_own(steps, console)
    else:
        done = planned_and_written(site_for(setup.fs, file, caller()), plan)
        if isinstance(done, NotOwn):
            raise not_own(done, console)
    if arguments.json:
        console.json({"id": file.session_id, "path": file.path, "written": not arguments.dry_run})
    return int(arguments.dry_run)
