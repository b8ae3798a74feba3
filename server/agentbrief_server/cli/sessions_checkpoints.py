"""``agentbrief sessions checkpoints FILE``: the earlier states of a session that can come back."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from agentbrief.report.checkpoint_page import checkpoint_lines, checkpoint_record
from agentbrief.tasks.compaction.checkpoint_list import session_checkpoints
from agentbrief.tasks.compaction.shown import checkpoint_shown
from agentbrief_server.cli.console import Console
from agentbrief_server.cli.session_given import add_file, named_file, sessions_setup


def add_arguments(parser: ArgumentParser) -> None:
    add_file(parser)


def run(arguments: Namespace, console: Console) -> int:
    setup = sessions_setup(arguments, console)
    file = named_file(arguments, setup, console)
    rows = [checkpoint_shown(row) for row in session_checkpoints(setup, file).rows]
    if arguments.json:
        console.json(
            {
                "path": file.path,
                "session_id": file.session_id,
                "checkpoints": [checkpoint_record(row) for row in rows],
            }
        )
    else:
        console.lines(checkpoint_lines(rows, console.locale))
    return 0
