"""``agentbrief sessions migrate FILE``: an old pi or OpenClaw transcript in the current version."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace

from agentbrief.compaction.plan import NotPlanned
from agentbrief.report.compaction_words import trouble_text
from agentbrief.sessions.pi.versions import VERSION
from agentbrief.tasks.compaction.tree import TREES
from agentbrief.tasks.sessions.migrate import apply_migration, plan_migration
from agentbrief_server.cli.compaction_given import new_uuid
from agentbrief_server.cli.console import CommandError, Console
from agentbrief_server.cli.session_given import add_dry_run, add_file, caller, named_file, sessions_setup


def add_arguments(parser: ArgumentParser) -> None:
    add_file(parser)
    add_dry_run(parser)


def run(arguments: Namespace, console: Console) -> int:
    setup = sessions_setup(arguments, console)
    file = named_file(arguments, setup, console)
    if file.format not in TREES:
        raise CommandError(2, console.say("session.migrate.other", path=file.path, agent=file.agent.title))
    planned = plan_migration(setup, file, new_uuid)
    if isinstance(planned, NotPlanned):
        raise CommandError(3, trouble_text(console.locale, planned))
    is_needed = bool(planned.steps)
    if is_needed and not arguments.dry_run:
        apply_migration(setup.fs, planned, caller())
    if arguments.json:
        console.json(
            {
                "path": file.path,
                "version": planned.version,
                "to_version": VERSION if is_needed else planned.version,
                "applied": is_needed and not arguments.dry_run,
                "checkpoint": planned.checkpoint,
            }
        )
        return int(is_needed and arguments.dry_run)
    name = os.path.basename(file.path)
    if not is_needed:
        console.line(console.say("session.migrate.nothing", name=name, version=planned.version))
        return 0
    key = "session.migrate.plan" if arguments.dry_run else "session.migrate.done"
    console.line(
        console.say(key, name=name, version=planned.version, to=VERSION, checkpoint=planned.checkpoint or "")
    )
    return int(arguments.dry_run)
