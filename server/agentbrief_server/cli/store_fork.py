"""``agentbrief sessions fork FILE``: another session that begins where a transcript stands now."""

from __future__ import annotations

import os
import uuid
from argparse import ArgumentParser, Namespace

from agentbrief.disk.read import real_roots
from agentbrief.tasks.store.fork import ForkPlan, carry_out_fork, planned_fork, with_entry
from agentbrief.tasks.store.place import store_at
from agentbrief_server.cli.console import CommandError, Console
from agentbrief_server.cli.session_given import (
    add_dry_run,
    add_file,
    caller,
    named_file,
    reason_of,
    sessions_setup,
)
from agentbrief_server.cli.store_given import looked_at

FORMATS = ("pi", "openclaw")


def add_arguments(parser: ArgumentParser) -> None:
    add_file(parser)
    parser.add_argument("--leaf", metavar="ID", help="the entry it ends with; none = the newest one")
    parser.add_argument("--key", metavar="KEY", help="enter it in OpenClaw's store under this key")
    add_dry_run(parser)


def run(arguments: Namespace, console: Console) -> int:
    setup = sessions_setup(arguments, console)
    file = named_file(arguments, setup, console)
    if file.format not in FORMATS:
        raise CommandError(3, console.say("fork.format", path=file.path))
    readable = file.readable | real_roots(setup.fs, (os.path.dirname(file.path),))
    plan = planned_fork(
        setup.fs,
        file.path,
        readable,
        now_ms=setup.now_ms,
        new_uuid=lambda: str(uuid.uuid4()),
        leaf_id=arguments.leaf,
    )
    look = None
    if arguments.key is not None and plan.refused is None:
        look = looked_at(setup, store_at(setup, os.path.dirname(plan.path)), console)
        plan = with_entry(setup.fs, plan, look, arguments.key, setup.now_ms)
    if plan.refused is not None:
        raise _refused(plan, console)
    if not arguments.dry_run:
        carry_out_fork(setup.fs, plan, caller(), look)
    _print(plan, arguments, console)
    return int(arguments.dry_run)


def _refused(plan: ForkPlan, console: Console) -> CommandError:
    match plan.refused:
        case "no-entry":
            return CommandError(2, console.say("fork.no-entry", id=plan.detail))
        case "key-taken":
            return CommandError(3, console.say("fork.key-taken", key=plan.detail))
        case "database":
            return CommandError(3, console.say("cleanup.read-only.database", path=plan.source))
        case _:
            reason = reason_of(plan.detail, console)
            return CommandError(3, console.say("session.not-one", path=plan.source, reason=reason))


def _print(plan: ForkPlan, arguments: Namespace, console: Console) -> None:
    assert plan.made is not None
    if arguments.json:
        console.json(
            {
                "source": plan.source,
                "path": plan.path,
                "sessionId": plan.made.session_id,
                "leafId": plan.leaf_id,
                "entries": plan.entries,
                "key": arguments.key,
                "applied": not arguments.dry_run,
            }
        )
        return
    key = "fork.would" if arguments.dry_run else "fork.done"
    console.line(console.say(key, path=plan.path, entries=plan.entries, id=plan.made.session_id))
