"""``agentbrief sessions show FILE``: one session, whatever agent wrote it."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator

from agentbrief.jsonio import dumps
from agentbrief.report.session_record import masked_json, message_record
from agentbrief.report.session_text import session_lines, session_record
from agentbrief.tasks.sessions.show import ShownSession, shown
from agentbrief_server.cli.console import CommandError, Console
from agentbrief_server.cli.session_given import add_file, named_file, reason_of, sessions_setup


def add_arguments(parser: ArgumentParser) -> None:
    add_file(parser)
    parser.add_argument("--full", action="store_true", help="print each text as a whole")


def run(arguments: Namespace, console: Console) -> int:
    setup = sessions_setup(arguments, console)
    file = named_file(arguments, setup, console)
    try:
        found = shown(setup, file)
    except ValueError as error:
        reason = reason_of(str(error), console)
        raise CommandError(3, console.say("session.not-one", path=file.path, reason=reason)) from error
    if not arguments.json:
        heading = (found.title, file.agent.title, file.format, file.path, found.session_id)
        numbers = (found.lines, found.parsed)
        console.lines(
            session_lines(
                heading,
                numbers,
                found.used,
                found.damage,
                found.messages(),
                console.locale,
                arguments.full,
            )
        )
    else:
        for piece in _json(found):
            sys.stdout.write(piece)
    return 0


def _json(found: ShownSession) -> Iterator[str]:
    """The contract of ``sessions show --json`` in pieces: a long session is never held as a whole."""
    file = found.file
    head = session_record(
        file.format,
        file.path,
        found.session_id,
        file.agent.id,
        found.title,
        found.damage,
        found.used,
        (found.lines, found.parsed, found.torn_tail),
    )
    pieces = [f"  {_text(key)}: {_text(value)}" for key, value in head.items()]
    yield "{\n" + ",\n".join(pieces) + ',\n  "messages": ['
    separator = "\n"
    for message in found.messages():
        yield f"{separator}    {_text(message_record(message))}"
        separator = ",\n"
    yield ("]" if separator == "\n" else "\n  ]") + "\n}\n"


def _text(value: object) -> str:
    return dumps(masked_json(value)).decode("utf-8")  # type: ignore[arg-type]
