"""``agentbrief brief [DIR]``: what an agent started in DIR is told."""

from __future__ import annotations

import datetime
import platform
from argparse import ArgumentParser, Namespace

from agentbrief.brief import Brief
from agentbrief.jsonio import JsonValue
from agentbrief.profiles.profile import AgentProfile
from agentbrief.prompt import Prompt, PromptFacts, assemble, rendered
from agentbrief.report.chain_page import chain_page
from agentbrief.report.chain_text import chain_text
from agentbrief.report.prompt_page import prompt_record
from agentbrief.report.record import brief_record
from agentbrief.tasks.setup import agents, brief_from
from agentbrief_server import beside_log
from agentbrief_server.cli.console import Console
from agentbrief_server.cli.given import existing_folder, setup_of


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "folder", metavar="DIR", nargs="?", default=".", help="the folder that the agent is started in"
    )
    parser.add_argument("--prompt", action="store_true", help="print the assembled system prompt")
    parser.add_argument("--markdown", action="store_true", help="print a Markdown page")


def run(arguments: Namespace, console: Console) -> int:
    start = existing_folder(arguments.folder, console)
    setup = setup_of(arguments, console, None, start)
    records: list[JsonValue] = []
    for agent in agents(setup.settings):
        brief = brief_from(setup, agent, start)
        if arguments.json:
            record = brief_record(agent, brief) | beside_log.record(setup, [(agent, brief)])
            if arguments.prompt:
                record["prompt"] = prompt_record(prompt_of(agent, brief), agent.token_formula)
            records.append(record)
        elif arguments.prompt:
            console.page(prompt_of(agent, brief).text + "\n")
        elif arguments.markdown:
            page = chain_page(agent, brief, console.locale)
            console.page(page + beside_log.section(setup, [(agent, brief)], console.locale))
        else:
            console.lines(chain_text(agent, brief, console.locale, console.width))
            console.lines(beside_log.lines(setup, (agent, brief), console.locale))
    if arguments.json:
        console.json(records[0] if len(records) == 1 else records)
    return 0


def prompt_of(agent: AgentProfile, brief: Brief) -> Prompt:
    """The system prompt of an agent that is started today, on this system.

    Where it is not known, the part that holds the instruction files.
    """
    if agent.prompt is None:
        section = rendered(agent, brief)
        return Prompt((section,) if section is not None else (), ("system",))
    system = " ".join(part for part in (platform.system().lower(), platform.release()) if part)
    today = datetime.date.today().isoformat()
    return assemble(
        agent, brief, PromptFacts(working_directory=brief.start, date=today, platform=system or None)
    )
