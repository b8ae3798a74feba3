"""``agentbrief sessions list [DIR]``: the sessions of a workspace, whatever agent wrote them."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from agentbrief.report.session_list_text import list_lines
from agentbrief.report.session_record import item_record
from agentbrief.sessions.session_items import SessionItem
from agentbrief.tasks.sessions.facts import found_by
from agentbrief.tasks.sessions.list import SessionList, sessions_of
from agentbrief.tasks.sessions.setup import SessionsSetup
from agentbrief_server.cli.console import Console
from agentbrief_server.cli.session_given import sessions_setup


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("folder", metavar="DIR", nargs="?", help="the workspace folder; none = this folder")
    parser.add_argument("--all", action="store_true", help="the sessions of all folders on this machine")
    parser.add_argument(
        "--find", metavar="WORDS", help="only those whose title, first or last message holds WORDS"
    )


def run(arguments: Namespace, console: Console) -> int:
    setup = sessions_setup(arguments, console, arguments.folder)
    folder = None if arguments.all else setup.folders[0]
    found = sessions_of(setup, folder)
    items = _wanted(setup, found, arguments)
    if arguments.json:
        console.json(
            {
                "sessions": [item_record(item) for item in items],
                "looked_in": list(found.looked_in),
                "problems": [{"path": path, "reason": reason} for path, reason in found.problems],
                "databases": list(found.databases),
            }
        )
        return 0
    if items:
        days = setup.settings.number("sessions.expiringDays") or 0
        console.lines(list_lines(items, setup.now_ms, console.locale, console.width, days))
    else:
        console.note(console.say("session.none"))
        console.note(console.say("session.looked-in", places=", ".join(found.looked_in)))
    for path, reason in found.problems:
        console.note(console.say("session.problem", path=path, reason=reason))
    if found.databases:
        console.note(console.say("session.sqlite"))
    return 0


def _wanted(setup: SessionsSetup, found: SessionList, arguments: Namespace) -> tuple[SessionItem, ...]:
    agents = arguments.agent
    items = tuple(item for item in found.items if not agents or item.agent in agents)
    return found_by(setup, items, found.stores, arguments.find) if arguments.find else items
