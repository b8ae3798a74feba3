"""``agentbrief sessions history FILE``: the history of a session as Markdown, secrets masked."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, Namespace
from functools import partial

from agentbrief.disk.read import real_roots
from agentbrief.history.parts import LEVELS
from agentbrief.messages import say
from agentbrief.tasks.sessions.history import (
    TellingOptions,
    as_unredacted,
    export_name,
    exported_to,
    history_of,
)
from agentbrief_server.cli.console import CommandError, Console
from agentbrief_server.cli.given import absolute
from agentbrief_server.cli.session_given import add_file, named_file, reason_of, sessions_setup, user_name


def add_arguments(parser: ArgumentParser) -> None:
    add_file(parser)
    parser.add_argument("-o", "--output", metavar="OUT", help="a new file, mode 0600; none = standard output")
    parser.add_argument("--level", choices=LEVELS, default="messages", help="how much is told")
    parser.add_argument(
        "--no-redact",
        action="store_true",
        help="leave secrets as they are: asks once, and writes a file named *.unredacted.md",
    )


def run(arguments: Namespace, console: Console) -> int:
    setup = sessions_setup(arguments, console)
    file = named_file(arguments, setup, console)
    redacts = setup.settings.flag("export.redact") and not arguments.no_redact
    options = TellingOptions(arguments.level, partial(say, console.locale), redacts, setup.home, user_name())
    target = absolute(arguments.output) if arguments.output else None
    if not redacts:
        target = as_unredacted(target or os.path.abspath(export_name(file, redacts=False)))
        if not _agreed(target, console):
            raise CommandError(3, console.say("session.export.not-agreed"))
    try:
        if target is None:
            for piece in history_of(setup, file, options):
                sys.stdout.write(piece)
        else:
            roots = real_roots(setup.fs, (os.path.dirname(target),))
            exported_to(setup, file, target, roots, options)
            console.note(console.say("session.export.written", path=target))
    except ValueError as error:
        reason = reason_of(str(error), console)
        raise CommandError(3, console.say("session.not-one", path=file.path, reason=reason)) from error
    return 0


def _agreed(target: str, console: Console) -> bool:
    """Whether the user wants secrets to be written as they are. No answer is none."""
    sys.stderr.write(console.say("session.export.ask-unredacted", path=target) + " [y/N] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")
