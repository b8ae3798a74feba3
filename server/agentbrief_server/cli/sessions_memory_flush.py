"""``agentbrief sessions memory-flush FILE``: save memory notes of an OpenClaw session now."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace

from agentbrief.compaction.providers.provider import Cancelled
from agentbrief.jsonio import JsonValue
from agentbrief.report.compaction_words import trouble_text, warning_text
from agentbrief.tasks.compaction.asked import CompactionAsked
from agentbrief.tasks.compaction.memory_flush import PlannedFlush, apply_flush, plan_flush
from agentbrief_server.cli.compaction_given import INTERRUPTED, add_provider, called_off, means_of
from agentbrief_server.cli.console import CommandError, Console
from agentbrief_server.cli.session_given import add_dry_run, add_file, caller, named_file, sessions_setup

_NOTHING_TO_DO = ("nothing", "done")


def add_arguments(parser: ArgumentParser) -> None:
    add_file(parser)
    parser.add_argument("--notes", metavar="TEXT", help="notes of your own; - = standard input")
    add_provider(parser)
    add_dry_run(parser)


def run(arguments: Namespace, console: Console) -> int:
    notes = arguments.notes
    if notes == "-":
        notes = sys.stdin.buffer.read().decode("utf-8", "replace")
    setup = sessions_setup(arguments, console)
    file = named_file(arguments, setup, console)
    asked = CompactionAsked(providers=tuple(arguments.provider) if arguments.provider else None)
    with called_off() as cancel:
        try:
            planned = plan_flush(setup, file, means_of(setup, cancel), notes, asked)
        except Cancelled:
            console.note(console.say("compaction.ended.cancelled"))
            return INTERRUPTED
        for warning in planned.warnings:
            console.note(warning_text(console.locale, warning))
        if planned.trouble is not None:
            raise CommandError(3, trouble_text(console.locale, planned.trouble))
        if planned.refused is not None and planned.refused not in _NOTHING_TO_DO:
            raise CommandError(3, console.say(f"compaction.flush.{planned.refused}", path=file.path))
        is_written = bool(planned.steps) and not arguments.dry_run
        if is_written:
            apply_flush(setup.fs, planned, caller())
    _print(arguments, planned, is_written, console)
    return int(bool(planned.steps) and arguments.dry_run)


def _print(arguments: Namespace, planned: PlannedFlush, is_written: bool, console: Console) -> None:
    notes, state = planned.notes, planned.state
    if arguments.json:
        record: dict[str, JsonValue] = {
            "session": planned.file.path,
            "path": notes.path if notes is not None and notes.step is not None else None,
            "text": notes.text if notes is not None else "",
            "source": notes.source if notes is not None else None,
            "due": state.due if state is not None else None,
            "threshold_tokens": state.threshold_tokens if state is not None else None,
            "total_tokens": state.total_tokens if state is not None else None,
            "refused": planned.refused,
            "applied": is_written,
        }
        console.json(record)
        return
    if planned.refused == "done":
        console.line(console.say("compaction.flush.done-before"))
    elif notes is None or notes.step is None:
        console.line(console.say("compaction.flush.nothing"))
    else:
        key = "compaction.flush.done" if is_written else "compaction.flush.would"
        console.line(console.say(key, path=notes.path))
        console.line(notes.text.rstrip("\n"))
