"""``agentbrief sessions VERB``: what the agents' sessions hold, and the workspace's own.

A verb is a module of this package with ``add_arguments(parser)`` and ``run(arguments, console) -> int``, as a
command is. Only the one that was asked for is imported.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from importlib import import_module
from typing import Any

from agentbrief_server.cli.console import CommandError, Console
from agentbrief_server.cli.parser import Formatter, add_common

VERBS: dict[str, tuple[str, str]] = {
    "list": ("sessions_list", "sessions of this workspace over all formats"),
    "show": ("sessions_show", "one session: its messages, its faults, its tokens"),
    "check": ("sessions_check", "the faults of a session's file"),
    "history": ("sessions_history", "the history of a session as Markdown, secrets masked"),
    "repair": ("sessions_repair", "a repaired copy of a session; the session stays as it is"),
    "new": ("sessions_new", "begin a session of the workspace's own"),
    "append": ("sessions_append", "add a message to a session of the workspace"),
    "save": ("sessions_save", "write a session of the workspace's own in its usual form"),
    "flush": ("sessions_flush", "add what is new in a session to its transcript"),
    "trash": ("sessions_trash", "move a session to the trash"),
    "compact": (
        "sessions_compact",
        "what a compaction would do, or do it: a checkpoint first, then a summary",
    ),
    "checkpoints": ("sessions_checkpoints", "the earlier states of a session that can come back"),
    "restore": ("sessions_restore", "bring back an earlier state; the present one is kept first"),
    "steer": ("sessions_steer", "a text waits in a session as a message of yours"),
    "memory-flush": ("sessions_memory_flush", "save memory notes of an OpenClaw session now"),
    "reset": ("store_reset", "start a session of an OpenClaw store anew; its transcript is kept"),
    "fork": ("store_fork", "another session that begins where a transcript stands now"),
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


class VerbParser(ArgumentParser):
    """A parser that takes its arguments from the verb's module when it is first needed."""

    module: str | None = None

    def parse_known_args(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, args: Any = None, namespace: Any = None
    ) -> Any:
        self._take_arguments()
        return super().parse_known_args(args, namespace)

    def _take_arguments(self) -> None:
        module, self.module = self.module, None
        if module is not None:
            import_module(f"agentbrief_server.cli.{module}").add_arguments(self)
