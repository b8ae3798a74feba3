"""``agentbrief compare [DIR] --agent A --agent B``: what several agents are told, side by side."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from agentbrief.report.chain_page import compare_page
from agentbrief.report.record import compare_record
from agentbrief.tasks.setup import agents, brief_from
from agentbrief_server import beside_log
from agentbrief_server.cli.console import CommandError, Console
from agentbrief_server.cli.given import existing_folder, setup_of


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "folder", metavar="DIR", nargs="?", default=".", help="the folder that the agents are started in"
    )


def run(arguments: Namespace, console: Console) -> int:
    start = existing_folder(arguments.folder, console)
    setup = setup_of(arguments, console, None, start)
    shown = agents(setup.settings)
    if len(shown) < 2:
        raise CommandError(2, console.say("cli.compare-two"))
    briefs = [(agent, brief_from(setup, agent, start)) for agent in shown]
    if arguments.json:
        console.json(compare_record(start, briefs) | beside_log.record(setup, briefs))
    else:
        page = compare_page(briefs, console.locale)
        console.page(page + beside_log.section(setup, briefs, console.locale))
    return 0
