"""Which session do the arguments of a verb mean, and what are tasks on sessions given?"""

from __future__ import annotations

import getpass
import os
import time
from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from agentbrief.disk.lock import Caller
from agentbrief.disk.read import real_roots
from agentbrief.disk.seam import FS
from agentbrief.disk.spelling import valid_id
from agentbrief.disk.unsynced import Unsynced
from agentbrief.profiles.load import profile_ids
from agentbrief.sessions.session_items import SessionItem, named
from agentbrief.tasks.sessions.read import NotASession, SessionFile, session_file
from agentbrief.tasks.sessions.setup import SessionsSetup
from agentbrief_server.cli.console import CommandError, Console
from agentbrief_server.cli.given import absolute, existing_folder, settings_of

if TYPE_CHECKING:
    from agentbrief.tasks.sessions.own import NotOwn


def add_file(parser: ArgumentParser) -> None:
    """The argument that names a session."""
    parser.add_argument(
        "file", metavar="FILE", help="the session's file, its id in this workspace, or latest"
    )


def add_id(parser: ArgumentParser) -> None:
    """The argument that names a session of the workspace, and the option that changes nothing."""
    parser.add_argument("id", metavar="ID", help="the id of a session in this workspace")
    add_dry_run(parser)


def add_dry_run(parser: ArgumentParser) -> None:
    """The option that changes nothing."""
    parser.add_argument(
        "--dry-run", action="store_true", help="say what would be done; exit code 1 if anything"
    )


def workspace_of(arguments: Namespace, console: Console, folder: str | None = None) -> str:
    """The workspace folder: ``folder``, else that of ``--workspace``, else the working folder."""
    return existing_folder(folder or arguments.workspace or ".", console)


def sessions_setup(arguments: Namespace, console: Console, folder: str | None = None) -> SessionsSetup:
    """What tasks are given. On the command line the workspace is trusted: the user named it.

    Raises:
        CommandError: ``--agent`` names no profile.
    """
    known = profile_ids()
    if unknown := next((name for name in arguments.agent or () if name not in known), None):
        raise CommandError(2, console.say("cli.unknown-agent", name=unknown, known=", ".join(known)))
    settings = settings_of(Namespace(**{**vars(arguments), "agent": None}), console, folder)
    fs = Unsynced() if settings.text("durability") == "process" else FS()
    workspace = workspace_of(arguments, console, folder)
    home = os.path.expanduser("~")
    return SessionsSetup(fs, (workspace,), settings, home, now_ms(), dict(os.environ))


def now_ms() -> int:
    """The clock, in ms since 1970."""
    return time.time_ns() // 1_000_000


def caller() -> Caller:
    """Who asks for locks."""
    return Caller(os.getpid(), time.time_ns, time.sleep)


def user_name() -> str:
    """The name of the user, empty where the system does not tell it."""
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return ""


def named_file(arguments: Namespace, setup: SessionsSetup, console: Console) -> SessionFile:
    """The session that FILE names: a path, else an identifier or ``latest`` of the workspace.

    Raises:
        CommandError: it names none, or the file is no session.
    """
    given = arguments.file
    path = absolute(given)
    if not os.path.lexists(path) and valid_id(given):
        path = named_item(given, setup, console).path
    readable = real_roots(setup.fs, (os.path.dirname(path),))
    if os.path.islink(path):
        # A link that a person names is followed: they see where it leads.
        readable |= real_roots(setup.fs, (os.path.dirname(os.path.realpath(path)),))
    found = session_file(setup.fs, path, readable)
    if isinstance(found, NotASession):
        raise CommandError(3, console.say("session.not-one", path=path, reason=reason_of(found.why, console)))
    return found


def named_item(reference: str, setup: SessionsSetup, console: Console) -> SessionItem:
    """The session of the workspace that ``reference`` names.

    Raises:
        CommandError: it is no identifier, or there is no such session.
    """
    if not valid_id(reference):
        raise CommandError(2, console.say("session.bad-id"))
    from agentbrief.tasks.sessions.list import sessions_of

    found = named(reference, sessions_of(setup, setup.folders[0]).items)
    if found is None:
        raise CommandError(3, console.say("session.unknown", id=reference))
    return found


def not_own(found: NotOwn, console: Console) -> CommandError:
    """The error for a session that cannot be worked on."""
    sentence = console.say("session.not-one", path=found.path, reason=reason_of(found.why, console))
    return CommandError(3, sentence)


def reason_of(why: str, console: Console) -> str:
    """A reader's or the disk's word for why there is no session, in the console's language."""
    from agentbrief.report.session_words import why_text

    return why_text(why, console.locale)
