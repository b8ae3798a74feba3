"""``agentbrief sessions trash ID``: move a session of the workspace to the trash."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from agentbrief.changes.apply import apply
from agentbrief.jsonio import JsonValue
from agentbrief.tasks.sessions.own import NotOwn
from agentbrief.tasks.sessions.trash import steps_to_trash, trash_site
from agentbrief_server.cli.console import Console
from agentbrief_server.cli.session_given import add_id, caller, named_item, not_own, sessions_setup


def add_arguments(parser: ArgumentParser) -> None:
    add_id(parser)


def run(arguments: Namespace, console: Console) -> int:
    setup = sessions_setup(arguments, console)
    item = named_item(arguments.id, setup, console)
    steps = steps_to_trash(setup.fs, item)
    if isinstance(steps, NotOwn):
        raise not_own(steps, console)
    moved: list[JsonValue] = []
    if not arguments.dry_run:
        receipt = apply(trash_site(setup.fs, item, caller()), steps)
        moved = [done.path for done in receipt.done]
    if arguments.json:
        console.json({"id": item.session_id, "path": item.path, "trashed": moved})
    else:
        key = "session.would-trash" if arguments.dry_run else "session.trashed"
        console.line(console.say(key, path=item.path, count=len(steps)))
    return int(arguments.dry_run)
