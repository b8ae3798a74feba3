"""``agentbrief sessions restore FILE CHECKPOINT``: bring back an earlier state; the present one is kept."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from agentbrief.report.checkpoint_page import not_restored_text, restore_lines, restore_record
from agentbrief.tasks.compaction.checkpoint_list import session_checkpoints
from agentbrief.tasks.compaction.checkpoint_restore import NotRestored, apply_restore, plan_checkpoint_restore
from agentbrief.tasks.compaction.shown import restore_shown
from agentbrief_server.cli.compaction_given import new_uuid
from agentbrief_server.cli.console import CommandError, Console
from agentbrief_server.cli.session_given import add_dry_run, add_file, caller, named_file, sessions_setup

NEWEST = "latest"


def add_arguments(parser: ArgumentParser) -> None:
    add_file(parser)
    parser.add_argument("checkpoint", metavar="CHECKPOINT", help="its id or the start of it, or latest")
    parser.add_argument(
        "--branch", action="store_true", help="as a session of its own beside the present one (OpenClaw)"
    )
    add_dry_run(parser)


def run(arguments: Namespace, console: Console) -> int:
    setup = sessions_setup(arguments, console)
    file = named_file(arguments, setup, console)
    found = session_checkpoints(setup, file)
    wanted = arguments.checkpoint
    if wanted == NEWEST and found.rows:
        wanted = found.rows[0].id
    planned = plan_checkpoint_restore(
        setup.fs, found, wanted, setup.now_ms, new_uuid, as_branch=arguments.branch
    )
    if isinstance(planned, NotRestored):
        if planned.why == "same":
            console.line(not_restored_text(planned.why, planned.path, console.locale))
            return 0
        raise CommandError(3, not_restored_text(planned.why, planned.path, console.locale))
    if not arguments.dry_run:
        apply_restore(setup.fs, planned, caller())
    shown = restore_shown(planned)
    if arguments.json:
        console.json(restore_record(shown, not arguments.dry_run))
    else:
        console.lines(restore_lines(shown, console.locale))
        if not arguments.dry_run:
            console.line(console.say("compaction.restored"))
    return int(arguments.dry_run)
