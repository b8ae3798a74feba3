"""``agentbrief tokens [FILE…]``: characters, bytes, lines and token estimates."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, Namespace

from agentbrief.jsonio import JsonValue
from agentbrief.report.token_counts import count, token_lines, token_record
from agentbrief.tasks.setup import agents
from agentbrief_server.cli.console import CommandError, Console
from agentbrief_server.cli.given import absolute, settings_of


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("files", metavar="FILE", nargs="*", help="files of UTF-8 text; none = standard input")


def run(arguments: Namespace, console: Console) -> int:
    settings = settings_of(arguments, console, os.getcwd())
    agent = agents(settings)[0]
    records: list[JsonValue] = []
    for path in arguments.files or ["-"]:
        data = _read(path, console)
        counted = count(data, agent, settings.text("tokens.reference"))
        records.append(token_record("-" if path == "-" else absolute(path), counted))
        if not arguments.json:
            console.lines(token_lines(path, counted, console.locale))
    if arguments.json:
        console.json({"files": records})
    return 0


def _read(path: str, console: Console) -> bytes:
    if path == "-":
        return sys.stdin.buffer.read()
    try:
        with open(absolute(path), "rb") as file:
            return file.read()
    except OSError as error:
        raise CommandError(
            3, console.say("cli.unreadable", path=path, reason=error.strerror or "")
        ) from error
