"""``agentbrief sessions new``: begin a session in this workspace."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from agentbrief.disk.spelling import valid_id
from agentbrief.sessions.formats.claw_session import Form, new_session_id
from agentbrief.tasks.sessions.own import NotOwn, OwnFile, claw_file, port_file, steps_to_begin
from agentbrief.tasks.sessions.setup import SessionsSetup
from agentbrief.tasks.sessions.write import site_for, write
from agentbrief_server.cli.console import CommandError, Console
from agentbrief_server.cli.session_given import add_dry_run, caller, not_own, sessions_setup


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--id", metavar="ID", help="its id; none = one made of the time")
    parser.add_argument(
        "--store",
        choices=("port", "claw-code"),
        default="port",
        help="in .port_sessions, or where claw-code keeps its sessions",
    )
    add_dry_run(parser)


def run(arguments: Namespace, console: Console) -> int:
    setup = sessions_setup(arguments, console)
    if arguments.id is not None and not valid_id(arguments.id):
        raise CommandError(2, console.say("session.bad-id"))
    file = _file(arguments, setup)
    steps = steps_to_begin(setup.fs, file, setup.now_ms)
    if isinstance(steps, NotOwn):
        raise not_own(steps, console)
    if not arguments.dry_run:
        write(site_for(setup.fs, file, caller()), steps)
    if arguments.json:
        console.json({"id": file.session_id, "path": file.path, "written": not arguments.dry_run})
    else:
        console.line(file.session_id)
    return int(arguments.dry_run)


def _file(arguments: Namespace, setup: SessionsSetup) -> OwnFile:
    session_id = arguments.id or new_session_id(setup.now_ms, 0)
    if arguments.store == "port":
        return port_file(setup.folders[0], session_id)
    form: Form = "jsonl" if setup.settings.text("claw.newSessionFormat") == "jsonl" else "json"
    return claw_file(setup.fs, setup.folders[0], session_id, form)
