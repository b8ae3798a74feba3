"""Which stores do the arguments of a verb mean, and what is looked at?"""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace

from agentbrief.disk.values import ReadProblem
from agentbrief.tasks.sessions.setup import SessionsSetup
from agentbrief.tasks.store.look import NOTHING_IN_USE, InUse, StoreLook, look_at
from agentbrief.tasks.store.place import StorePlace, state_folders, store_at, stores
from agentbrief_server.cli.console import CommandError, Console
from agentbrief_server.cli.given import absolute
from agentbrief_server.cli.session_given import reason_of


def add_store(parser: ArgumentParser) -> None:
    """The argument that names a store."""
    parser.add_argument(
        "store",
        metavar="STORE",
        nargs="?",
        help="a sessions.json, its folder, or a state folder; none = every store of OpenClaw's state folder",
    )


def named_stores(arguments: Namespace, setup: SessionsSetup, console: Console) -> tuple[StorePlace, ...]:
    """The store that STORE names, else all that are found.

    Raises:
        CommandError: its folder does not exist.
    """
    if arguments.store is None:
        return stores(setup)
    path = absolute(arguments.store)
    place = store_at(setup, path)
    if not os.path.isdir(place.folder):
        raise CommandError(3, console.say("cli.no-such-path", path=path))
    return (place,)


def looked_at(
    setup: SessionsSetup, place: StorePlace, console: Console, in_use: InUse = NOTHING_IN_USE
) -> StoreLook:
    """What there is to know of the store.

    Raises:
        CommandError: it cannot be read.
    """
    found = look_at(setup.fs, place, setup.now_ms, in_use)
    if isinstance(found, ReadProblem):
        raise unreadable(found, console)
    return found


def unreadable(problem: ReadProblem, console: Console) -> CommandError:
    """The error for a store that cannot be read."""
    reason = reason_of(problem.kind, console)
    return CommandError(3, console.say("store.not-read", path=problem.path, reason=reason))


def nothing_found(setup: SessionsSetup, console: Console) -> None:
    """Say that there is no store, and where one was looked for."""
    console.note(console.say("store.none", folders=", ".join(state_folders(setup)) or "–"))
