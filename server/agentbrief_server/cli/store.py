"""``agentbrief store VERB``: OpenClaw's session stores: how they stand, what may go, what can come back.

A verb is a module of this package with ``add_arguments(parser)`` and ``run(arguments, console) -> int``. Only
the one that was asked for is imported.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from importlib import import_module

from agentbrief_server.cli.console import CommandError, Console
from agentbrief_server.cli.parser import Formatter, add_common
from agentbrief_server.cli.sessions import VerbParser

VERBS: dict[str, tuple[str, str]] = {
    "status": ("store_status", "how the stores and their sessions stand"),
    "cleanup": ("store_cleanup", "what a cleanup would do, or do it"),
    "trash": ("store_trash", "what lies in the trash of the stores, and bring it back"),
    "doctor": ("store_doctor", "what is wrong with the stores, and the remedy for each fault"),
}
"""Verb → module of this package, and its line in the help."""


def add_arguments(parser: ArgumentParser) -> None:
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", required=True, parser_class=VerbParser)
    for name, (module, summary) in VERBS.items():
        verb = verbs.add_parser(
            name, help=summary, description=summary, formatter_class=Formatter, allow_abbrev=False
        )
        add_common(verb, top=False)
        verb.module = module


def run(arguments: Namespace, console: Console) -> int:
    from agentbrief.disk.refusal import Refused
    from agentbrief.report.refusal import refusal_text

    module = import_module(f"agentbrief_server.cli.{VERBS[arguments.verb][0]}")
    try:
        return int(module.run(arguments, console))
    except Refused as refusal:
        raise CommandError(3, refusal_text(console.locale, refusal)) from refusal
