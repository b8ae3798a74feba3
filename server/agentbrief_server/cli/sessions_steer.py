"""``agentbrief sessions steer ID --text T``: a text waits in a session as a message of the user's."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace

from agentbrief.compaction.openclaw.queue_settings import queue_mode
from agentbrief.report.session_words import why_text
from agentbrief.tasks.compaction.steer import Steered, apply_steer, plan_steer
from agentbrief.tasks.sessions.read import SessionFile
from agentbrief_server.cli.console import CommandError, Console
from agentbrief_server.cli.session_given import add_dry_run, caller, named_file, sessions_setup


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("file", metavar="ID", help="the session's id in this workspace, its file, or latest")
    parser.add_argument("--text", metavar="T", required=True, help="its words; - = standard input")
    parser.add_argument(
        "--mode",
        default="steer",
        help="steer, followup, collect, steer-backlog or interrupt: counts while a compaction runs",
    )
    add_dry_run(parser)


def run(arguments: Namespace, console: Console) -> int:
    text = sys.stdin.buffer.read().decode("utf-8", "replace") if arguments.text == "-" else arguments.text
    mode = queue_mode(arguments.mode)
    if mode is None:
        raise CommandError(2, console.say("compaction.unknown-mode", mode=arguments.mode))
    if not text.strip():
        raise CommandError(2, console.say("compaction.no-text"))
    setup = sessions_setup(arguments, console)
    file = named_file(arguments, setup, console)
    steered = plan_steer(setup.fs, file, text, mode, setup.now_ms)
    if steered.end == "appended" and not arguments.dry_run:
        apply_steer(setup.fs, steered, caller())
    _print(arguments, file, steered, console)
    if steered.end != "appended":
        return 3
    return int(arguments.dry_run)


def _print(arguments: Namespace, file: SessionFile, steered: Steered, console: Console) -> None:
    is_appended = steered.end == "appended"
    if arguments.json:
        console.json(
            {
                "path": file.path,
                "session_id": file.session_id,
                "end": steered.end,
                "why": steered.why,
                "text": steered.text,
                "written": is_appended and not arguments.dry_run,
            }
        )
        return
    if is_appended:
        key = "compaction.steered.would-append" if arguments.dry_run else "compaction.steered.appended"
        console.line(console.say(key, path=file.path))
        return
    if steered.why in ("running", "read-only"):
        console.note(console.say(f"compaction.steered.{steered.why}", path=file.path))
    else:
        reason = why_text(steered.why, console.locale)
        console.note(console.say("compaction.steered.unreadable", path=file.path, reason=reason))
    console.line(steered.text)
