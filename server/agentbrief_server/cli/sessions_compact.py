"""``agentbrief sessions compact FILE``: what a compaction would do, or do it."""

from __future__ import annotations

import os
import tempfile
from argparse import ArgumentParser, BooleanOptionalAction, Namespace

from agentbrief.compaction.copies.names import copy_name
from agentbrief.messages import say
from agentbrief.report.compaction_page import compaction_lines
from agentbrief.report.compaction_record import compaction_record
from agentbrief.report.compaction_words import outcome_text, warning_text
from agentbrief.report.numbers import short
from agentbrief.tasks.compaction.apply import apply_compaction
from agentbrief.tasks.compaction.asked import CLAW_PROFILES, CompactionAsked, Means
from agentbrief.tasks.compaction.files import FOREIGN
from agentbrief.tasks.compaction.plan import PlannedCompaction, plan_compaction
from agentbrief.tasks.compaction.shown import compaction_view
from agentbrief.tasks.sessions.read import SessionFile
from agentbrief.tasks.sessions.setup import SessionsSetup
from agentbrief_server.cli.compaction_given import INTERRUPTED, add_provider, bound, called_off, means_of
from agentbrief_server.cli.console import CommandError, Console
from agentbrief_server.cli.given import absolute
from agentbrief_server.cli.session_given import (
    add_dry_run,
    add_file,
    caller,
    named_file,
    sessions_setup,
)


def add_arguments(parser: ArgumentParser) -> None:
    add_file(parser)
    add_dry_run(parser)
    parser.add_argument(
        "--preserve",
        metavar="N",
        type=bound,
        help="messages that stay (not in transcripts of OpenClaw and pi)",
    )
    parser.add_argument(
        "--max-tokens",
        metavar="N",
        type=bound,
        help="due from so many tokens on; in transcripts of OpenClaw and pi: so many of the newest stay",
    )
    parser.add_argument("--until-fits", action="store_true", help="keep less until little enough is left")
    add_provider(parser)
    parser.add_argument(
        "--output", "-o", metavar="COPY", help="a new file or a folder for it; the session stays as it is"
    )
    parser.add_argument(
        "--trigger",
        choices=("asked", "near-window", "overflow"),
        default="asked",
        help="near-window does nothing unless the bounds are passed; overflow is due in any case",
    )
    parser.add_argument(
        "--notes", metavar="TEXT", help="memory notes of your own that are saved first (OpenClaw)"
    )
    parser.add_argument("--no-notes", action="store_true", help="save no memory notes (OpenClaw)")
    parser.add_argument(
        "--replace-transcript",
        action=BooleanOptionalAction,
        help="take the summarised messages out of the transcript (OpenClaw, pi); default: OpenClaw's setting",
    )
    parser.add_argument(
        "--yes", action="store_true", help="with --trigger near-window: go on although nothing gets smaller"
    )


def run(arguments: Namespace, console: Console) -> int:
    setup = sessions_setup(arguments, console)
    file = named_file(arguments, setup, console)
    asked = _asked(arguments, file, console)
    with called_off() as cancel:
        means = means_of(setup, cancel)
        planned = plan_compaction(setup, file, asked, means)
        if planned.outcome.ended == "cancelled":
            console.note(console.say("compaction.ended.cancelled"))
            return INTERRUPTED
        if planned.plan is None:
            view = compaction_view(setup, planned, means)
            for warning in planned.outcome.warnings:
                console.note(warning_text(console.locale, warning))
            raise CommandError(3, outcome_text(console.locale, view.outcome, file.path, view.rules))
        applied = False
        if planned.changes and not arguments.dry_run:
            _require_smaller(arguments, planned, console)
            _apply(setup, planned)
            applied = True
        _print(arguments, setup, planned, means, console, applied)
    return int(planned.changes and arguments.dry_run)


def _asked(arguments: Namespace, file: SessionFile, console: Console) -> CompactionAsked:
    output = absolute(arguments.output) if arguments.output else None
    if output is not None and os.path.isdir(output):
        output = os.path.join(output, copy_name(file.path))
    if output is None and file.format in FOREIGN:
        if not arguments.dry_run:
            raise CommandError(
                2,
                console.say(
                    "compaction.needs-output", path=file.path, agent=file.agent.title, option="--output COPY"
                ),
            )
        output = os.path.join(os.path.dirname(file.path), copy_name(file.path))
    if output is not None and os.path.realpath(output) == os.path.realpath(file.path):
        raise CommandError(2, console.say("compaction.output-is-session", path=output))
    return CompactionAsked(
        arguments.trigger,
        tuple(arguments.provider) if arguments.provider else None,
        arguments.preserve,
        arguments.max_tokens,
        arguments.until_fits,
        output,
        not arguments.no_notes,
        arguments.notes,
        arguments.replace_transcript,
        next((name for name in arguments.agent or () if name in CLAW_PROFILES), None),
    )


def _require_smaller(arguments: Namespace, planned: PlannedCompaction, console: Console) -> None:
    plan = planned.plan
    assert plan is not None
    if arguments.trigger == "near-window" and not plan.is_smaller and not arguments.yes:
        raise CommandError(3, console.say("compaction.not-automatic", option="--yes"))


def _apply(setup: SessionsSetup, planned: PlannedCompaction) -> None:
    if not planned.is_copy:
        apply_compaction(setup.fs, planned, caller())
        return
    with tempfile.TemporaryDirectory(prefix="agentbrief-") as folder:
        apply_compaction(setup.fs, planned, caller(), os.path.realpath(folder))


def _print(
    arguments: Namespace,
    setup: SessionsSetup,
    planned: PlannedCompaction,
    means: Means,
    console: Console,
    applied: bool,
) -> None:
    view = compaction_view(setup, planned, means)
    plan = planned.plan
    assert plan is not None
    if arguments.json:
        console.json(compaction_record(view, applied))
        return
    if not applied:
        console.lines(compaction_lines(view, console.locale))
        return
    before, after = short(plan.tokens_before), short(plan.tokens_after)
    console.line(console.say("compaction.done", before=before, after=after))
    for warning in plan.warnings:
        console.line("  ! " + warning_text(console.locale, warning))
    if planned.is_copy:
        console.line(say(console.locale, "compaction.done-copy", path=plan.target))
    elif plan.checkpoint is not None:
        name = os.path.splitext(os.path.basename(plan.checkpoint))[0]
        command = f"agentbrief sessions restore {planned.file.path} {name}"
        console.line(console.say("compaction.checkpoint-made", path=plan.checkpoint, command=command))
