"""``agentbrief sessions flush ID``: add what is new in a session to its transcript."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from agentbrief.disk.spelling import valid_id
from agentbrief.sessions.transcript_store import TranscriptStore
from agentbrief.sessions.workspace_session import transcript_path
from agentbrief.tasks.sessions.flush import transcript_sink, unflushed
from agentbrief.tasks.sessions.own import NotOwn, loaded, port_file
from agentbrief_server.cli.console import CommandError, Console
from agentbrief_server.cli.session_given import add_id, caller, not_own, now_ms, sessions_setup


def add_arguments(parser: ArgumentParser) -> None:
    add_id(parser)


def run(arguments: Namespace, console: Console) -> int:
    if not valid_id(arguments.id):
        raise CommandError(2, console.say("session.bad-id"))
    setup = sessions_setup(arguments, console)
    file = port_file(setup.folders[0], arguments.id)
    found = loaded(setup.fs, file)
    if isinstance(found, NotOwn):
        raise not_own(found, console)
    waiting = unflushed(setup.fs, file, found[0].session, setup.now_ms)
    if not arguments.dry_run:
        TranscriptStore(now_ms, transcript_sink(setup.fs, file, caller()), waiting).flush()
    path = transcript_path(file.store, file.session_id)
    if arguments.json:
        console.json({"id": file.session_id, "path": path, "entries": len(waiting)})
    else:
        console.note(console.say("session.flushed", count=len(waiting), path=path))
    return int(bool(waiting) and arguments.dry_run)
