"""``agentbrief sessions save ID``: write a session of the workspace's own in its usual form."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from agentbrief.disk.spelling import valid_id
from agentbrief.tasks.sessions.own import NotOwn, loaded, port_file, steps_to_save
from agentbrief.tasks.sessions.write import Planned, planned_and_written, site_for
from agentbrief_server.cli.console import CommandError, Console
from agentbrief_server.cli.session_given import add_id, caller, not_own, sessions_setup


def add_arguments(parser: ArgumentParser) -> None:
    add_id(parser)


def run(arguments: Namespace, console: Console) -> int:
    if not valid_id(arguments.id):
        raise CommandError(2, console.say("session.bad-id"))
    setup = sessions_setup(arguments, console)
    file = port_file(setup.folders[0], arguments.id)

    def plan() -> Planned:
        found = loaded(setup.fs, file)
        if isinstance(found, NotOwn):
            return found
        stored, stamp = found
        return steps_to_save(setup.fs, file, stored.session, stamp, setup.now_ms)

    steps = plan()
    if isinstance(steps, NotOwn):
        raise not_own(steps, console)
    if steps and not arguments.dry_run:
        done = planned_and_written(site_for(setup.fs, file, caller()), plan)
        if isinstance(done, NotOwn):
            raise not_own(done, console)
    written = bool(steps) and not arguments.dry_run
    if arguments.json:
        console.json({"id": file.session_id, "path": file.path, "written": written})
    else:
        console.note(console.say("session.saved" if written else "session.same", path=file.path))
    return int(bool(steps) and arguments.dry_run)
