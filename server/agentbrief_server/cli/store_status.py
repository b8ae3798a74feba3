"""``agentbrief store status [STORE]``: how the stores and their sessions stand."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from agentbrief.report.store_facts import StoreFacts
from agentbrief.report.store_status_text import status_lines
from agentbrief.tasks.store.status import Wanted, store_status
from agentbrief_server.cli.console import CommandError, Console
from agentbrief_server.cli.session_given import sessions_setup
from agentbrief_server.cli.store_given import add_store, looked_at, named_stores, nothing_found
from agentbrief_server.host_zone import HostZone


def add_arguments(parser: ArgumentParser) -> None:
    add_store(parser)
    parser.add_argument("--key", metavar="KEY", help="one session in full, with what its transcript holds")
    parser.add_argument(
        "--active", metavar="MINUTES", type=int, help="only sessions that were active in that time"
    )


def run(arguments: Namespace, console: Console) -> int:
    if arguments.active is not None and arguments.active <= 0:
        raise CommandError(2, console.say("store.active", value=str(arguments.active)))
    setup = sessions_setup(arguments, console)
    places = named_stores(arguments, setup, console)
    if not places:
        nothing_found(setup, console)
    wanted = Wanted(arguments.active, arguments.key)
    found: list[StoreFacts] = []
    for place in places:
        look = looked_at(setup, place, console)
        found.append(store_status(setup.fs, look, setup.settings, setup.now_ms, HostZone(), wanted))
    if arguments.key is not None:
        found = [facts for facts in found if facts.sessions]
        if not found:
            raise CommandError(3, console.say("store.no-session", key=arguments.key))
    if arguments.json:
        console.json({"stores": [facts.record() for facts in found]})
    else:
        for facts in found:
            console.lines(status_lines(facts, setup.now_ms, console.locale))
    return 3 if any(facts.problem is not None for facts in found) else 0
