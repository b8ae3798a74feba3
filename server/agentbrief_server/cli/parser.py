"""Which commands are there, and which options does each take?

A command is a module of this package with ``add_arguments(parser)`` and ``run(arguments, console) -> int``.
Only the one that was asked for is imported.
"""

from __future__ import annotations

import sys
from argparse import SUPPRESS, ArgumentParser, HelpFormatter
from collections.abc import Sequence
from importlib import import_module

from agentbrief_server import __version__

COMMANDS: dict[str, tuple[str, str]] = {
    "serve": ("serve", "run the language server (standard input and output by default)"),
    "check": ("check", "findings on instruction files below PATH and on their chains, like a linter"),
    "brief": ("brief", "what an agent started in DIR is told: files in order, sent, cut, dropped, and why"),
    "compare": ("compare", "the same for several agents, side by side"),
    "context": ("context", "what is in the project: source, tests, assets and archive, with counts"),
    "tokens": ("tokens", "characters, bytes, lines and token estimates of files"),
    "explain": ("explain", "the page of one rule"),
    "rules": ("rules", "all rules"),
    "sessions": (
        "sessions",
        "what the agents' sessions hold: list, show, check, history, repair, and our own",
    ),
    "store": ("store", "OpenClaw's session stores: status, cleanup, trash, doctor"),
}
"""Command → module of this package, and its line in the help."""


def run(words: Sequence[str]) -> int:
    """Parse ``words``, run the command, and give its exit code."""
    from agentbrief_server.cli.console import CommandError, console_of

    asked = frozenset(word for word in words if word in COMMANDS)
    parser = _parser(asked)
    if next((word for word in words if word in asked), None) == "serve":
        # Editors add flags of their own (--clientProcessId=N): what is not known is let pass.
        arguments, _ = parser.parse_known_args(words)
    else:
        arguments = parser.parse_args(words)
    console = console_of(arguments)
    module = import_module(f"agentbrief_server.cli.{COMMANDS[arguments.command][0]}")
    try:
        return int(module.run(arguments, console))
    except CommandError as error:
        sys.stderr.write(f"agentbrief: {error}\n")
        return error.code


def _parser(asked: frozenset[str]) -> ArgumentParser:
    """The parser; of commands that were not ``asked`` for it knows the name and the summary alone."""
    parser = ArgumentParser(
        prog="agentbrief", description="Shows what a coding agent is told and what its sessions hold."
    )
    parser.add_argument("--version", action="version", version=f"agentbrief {__version__}")
    add_common(parser, top=True)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, (module, summary) in COMMANDS.items():
        command = commands.add_parser(
            name, help=summary, description=summary, formatter_class=Formatter, allow_abbrev=False
        )
        if name in asked:
            add_common(command, top=False)
            import_module(f"agentbrief_server.cli.{module}").add_arguments(command)
    return parser


class Formatter(HelpFormatter):
    """Help of one width, so that it reads the same everywhere."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=100, max_help_position=32)


def add_common(parser: ArgumentParser, *, top: bool) -> None:
    """Add the options that stand before or behind the name of a command or of one of its verbs."""

    def default(value: object) -> object:
        return value if top else SUPPRESS

    group = parser.add_argument_group("common options")
    group.add_argument(
        "--agent",
        action="append",
        metavar="NAME",
        default=default(None),
        help="agent whose rules hold (repeatable)",
    )
    group.add_argument(
        "--json", action="store_true", default=default(False), help="print JSON, a stable contract"
    )
    group.add_argument("--quiet", action="store_true", default=default(False), help="print results only")
    group.add_argument("--locale", choices=("en", "zh-cn", "zh-tw"), default=default(None))
    group.add_argument("--config", metavar="FILE", default=default(None), help="settings, as JSON")
    group.add_argument("--width", type=int, metavar="COLUMNS", default=default(None))
    group.add_argument(
        "--workspace",
        metavar="DIR",
        default=default(None),
        help="the workspace folder, which bounds the walk upwards",
    )
