"""How is a command made of verbs? ``agentbrief COMMAND VERB``.

A verb is a module of this package with ``add_arguments(parser)`` and ``run(arguments, console) -> int``, as a
command is. Only the one that was asked for is imported.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from importlib import import_module
from typing import Any

from agentbrief_server.cli.console import CommandError, Console
from agentbrief_server.cli.parser import Formatter, add_common

Verbs = Mapping[str, tuple[str, str]]
"""Verb → module of this package, and its line in the help."""


def add_verbs(parser: ArgumentParser, verbs: Verbs) -> None:
    """Let ``parser`` know ``verbs``; their arguments are looked up when one of them is used."""
    parsers = parser.add_subparsers(dest="verb", metavar="VERB", required=True, parser_class=VerbParser)
    for name, (module, summary) in verbs.items():
        verb = parsers.add_parser(
            name, help=summary, description=summary, formatter_class=Formatter, allow_abbrev=False
        )
        add_common(verb, top=False)
        verb.module = module


def run_verb(arguments: Namespace, console: Console, verbs: Verbs) -> int:
    """The exit code of the verb that was asked for.

    Raises:
        CommandError: it refused; the sentence says why.
    """
    from agentbrief.disk.refusal import Refused
    from agentbrief.report.refusal import refusal_text

    try:
        return int(_module(verbs[arguments.verb][0]).run(arguments, console))
    except Refused as refusal:
        raise CommandError(3, refusal_text(console.locale, refusal)) from refusal


class VerbParser(ArgumentParser):
    """A parser that takes its arguments from the verb's module when it is first needed."""

    module: str | None = None

    def parse_known_args(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, args: Any = None, namespace: Any = None
    ) -> Any:
        module, self.module = self.module, None
        if module is not None:
            _module(module).add_arguments(self)
        return super().parse_known_args(args, namespace)


def _module(name: str) -> Any:
    return import_module(f"agentbrief_server.cli.{name}")
