"""``agentbrief context [DIR]``: what is in the project."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from agentbrief.disk.seam import FS
from agentbrief.report.context_page import context_record
from agentbrief.tasks.project import look_through
from agentbrief.tasks.setup import agents
from agentbrief.workspace import render_context
from agentbrief_server.cli.console import Console
from agentbrief_server.cli.given import existing_folder, settings_of


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("folder", metavar="DIR", nargs="?", default=".", help="the project's folder")


def run(arguments: Namespace, console: Console) -> int:
    folder = existing_folder(arguments.folder, console)
    settings = settings_of(arguments, console, folder)
    project = look_through(folder, agents(settings)[0], settings, FS())
    if arguments.json:
        console.json(context_record(project.context))
    else:
        console.line(render_context(project.context))
        if project.partial:
            console.note(console.say("context.partial"))
    return 0
