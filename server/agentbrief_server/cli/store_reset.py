"""``agentbrief sessions reset KEY``: start a session of a store anew; the old transcript is kept."""

from __future__ import annotations

import uuid
from argparse import ArgumentParser, Namespace

from agentbrief.disk.values import ReadProblem
from agentbrief.jsonio import JsonValue
from agentbrief.tasks.store.reset import ResetPlan, carry_out_reset, place_with, planned_reset
from agentbrief_server.cli.console import CommandError, Console
from agentbrief_server.cli.session_given import add_dry_run, caller, sessions_setup
from agentbrief_server.cli.store_given import named_stores, unreadable


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("key", metavar="KEY", help="the session's key in the store")
    parser.add_argument("--store", metavar="STORE", help="the store; else the one that has the key")
    add_dry_run(parser)


def run(arguments: Namespace, console: Console) -> int:
    setup = sessions_setup(arguments, console)
    places = named_stores(arguments, setup, console)
    place = places[0] if arguments.store else place_with(setup.fs, places, arguments.key)
    if place is None:
        raise CommandError(3, console.say("store.end.no-session", key=arguments.key))
    plan = planned_reset(setup.fs, place, arguments.key, now_ms=setup.now_ms, new_id=str(uuid.uuid4()))
    if isinstance(plan, ReadProblem):
        raise unreadable(plan, console)
    if plan.refused is not None:
        raise CommandError(3, _refused(plan, console))
    if not arguments.dry_run:
        carry_out_reset(setup.fs, plan, caller())
    if arguments.json:
        console.json(_record(plan, applied=not arguments.dry_run))
    else:
        key = "reset.would" if arguments.dry_run else "reset.done"
        console.line(console.say(key, key=plan.end.key, old=plan.old_id or "–", new=plan.new_id))
        for file in plan.end.put_away:
            console.line("  " + console.say("reset.put-away", name=file.name, new=file.new_name))
    return int(arguments.dry_run)


def _refused(plan: ResetPlan, console: Console) -> str:
    path = plan.look.folder.store_path
    match plan.refused:
        case "no-session":
            return console.say("store.end.no-session", key=plan.end.key)
        case "database":
            return console.say("cleanup.read-only.database", path=path)
        case "not-a-store":
            return console.say(f"store.problem.{plan.look.folder.store.problem}", path=path)
        case _:
            return console.say(f"reset.{plan.refused}", key=plan.end.key)


def _record(plan: ResetPlan, *, applied: bool) -> JsonValue:
    return {
        "key": plan.end.key,
        "storePath": plan.look.folder.store_path,
        "applied": applied,
        "previousSessionId": plan.old_id,
        "sessionId": plan.new_id,
        "putAway": [{"path": file.name, "newPath": file.new_name} for file in plan.end.put_away],
        "entry": dict(plan.end.entry) if plan.end.entry is not None else None,
    }
