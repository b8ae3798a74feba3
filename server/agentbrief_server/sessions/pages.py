"""Which pages tell of sessions: the list, one session's end, the faults of their files?"""

from __future__ import annotations

import getpass
import os
from collections.abc import Mapping
from functools import partial

from agentbrief.disk.refusal import Refused
from agentbrief.history.parts import LEVELS, Level
from agentbrief.messages import say
from agentbrief.report.session_check_page import CheckReport, check_page
from agentbrief.report.session_list_text import list_page
from agentbrief.report.session_words import why_text
from agentbrief.tasks.sessions.check import CheckedSession, all_checked, checked
from agentbrief.tasks.sessions.facts import found_by
from agentbrief.tasks.sessions.history import TellingOptions, recent_history
from agentbrief.tasks.sessions.list import SessionList
from agentbrief.tasks.sessions.read import NotASession, SessionFile
from agentbrief_server.sessions.place import (
    file_at,
    is_in_reach,
    is_own,
    is_plain,
    listed,
    now_ms,
    sessions_setup,
)
from agentbrief_server.state import Snapshot

DEFAULT_LEVEL: Level = "messages"


def list_text(snapshot: Snapshot, about: Mapping[str, str]) -> str:
    """The list of the workspace folder ``folder``, or with ``all`` of everything.

    Raises:
        KeyError: the folder is none of the workspace.
    """
    folder = None if about.get("all") else _folder(snapshot, about)
    found = listed(snapshot, folder)
    setup = sessions_setup(snapshot, folder)
    locale = snapshot.client.locale
    words = about.get("find")
    items = found_by(setup, found.items, found.stores, words) if words else found.items
    problems = [(path, why_text(why, locale)) for path, why in found.problems]
    days = setup.settings.number("sessions.expiringDays") or 0
    text = list_page(items, found.looked_in, problems, setup.now_ms, locale, days)
    return text + (f"\n{say(locale, 'session.sqlite')}\n" if found.databases else "")


def session_text(snapshot: Snapshot, about: Mapping[str, str]) -> str:
    """The end of the session at ``path``, told at ``level``.

    Raises:
        KeyError: there is none, or it may not be read.
    """
    file = readable_file(snapshot, about["path"])
    setup = sessions_setup(snapshot, snapshot.folder_of(file.path))
    try:
        return recent_history(setup, file, options(snapshot, about.get("level", "")))
    except (Refused, ValueError) as error:
        raise KeyError(about["path"]) from error


def check_text(snapshot: Snapshot, about: Mapping[str, str]) -> str:
    """The faults of the session at ``path``, or of all sessions of ``folder``.

    Raises:
        KeyError: there is nothing to check.
    """
    return check_page(reports(snapshot, about), snapshot.client.locale)


def reports(snapshot: Snapshot, about: Mapping[str, str]) -> list[CheckReport]:
    """What a check finds, as :func:`check_text` tells it.

    Raises:
        KeyError: there is nothing to check.
    """
    if "path" in about:
        file = readable_file(snapshot, about["path"])
        folder = snapshot.folder_of(file.path)
        store = None
        for seen in tuple(snapshot.sessions.lists.values()):
            store = store or seen.store_with(file.path)
        try:
            return [report_of(checked(sessions_setup(snapshot, folder), file, store))]
        except (Refused, ValueError) as error:
            why = error.what if isinstance(error, Refused) else str(error)
            return [CheckReport(file.path, problem=why)]
    folder = _folder(snapshot, about)
    found = _readable(snapshot, listed(snapshot, folder))
    return [report_of(each) for each in all_checked(sessions_setup(snapshot, folder), found)]


def report_of(found: CheckedSession | NotASession) -> CheckReport:
    """What a report is made of."""
    if isinstance(found, NotASession):
        return CheckReport(found.path, problem=found.why)
    file = found.file
    return CheckReport(
        file.path, file.format, found.lines, found.parsed, found.torn_tail, found.damage, found.findings
    )


def readable_file(snapshot: Snapshot, path: str) -> SessionFile:
    """The session at ``path``, which a client named; its spelling is judged before anything is opened.

    Raises:
        KeyError: it may not be read, or is no session.
    """
    if not is_plain(path) or not is_in_reach(snapshot, path):
        raise KeyError(path)
    if is_own(snapshot, path) and not snapshot.trusted:
        raise KeyError(path)
    try:
        found = file_at(snapshot, path)
    except Refused as refusal:
        raise KeyError(path) from refusal
    if isinstance(found, NotASession):
        raise KeyError(path)
    return found


def options(snapshot: Snapshot, level: str, *, redacts: bool = True) -> TellingOptions:
    """How a history is told to this client."""
    levels: list[Level] = [each for each in LEVELS if each == level]
    return TellingOptions(
        levels[0] if levels else DEFAULT_LEVEL,
        partial(say, snapshot.client.locale),
        redacts,
        os.path.expanduser("~"),
        _user(),
    )


def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return ""


def _folder(snapshot: Snapshot, about: Mapping[str, str]) -> str:
    folder = about["folder"]
    if folder not in snapshot.folders:
        raise KeyError(folder)
    return folder


def _readable(snapshot: Snapshot, found: SessionList) -> SessionList:
    """``found`` without the workspace's own sessions where those may only be listed."""
    if snapshot.trusted:
        return found
    items = tuple(item for item in found.items if not item.is_own)
    return SessionList(items, found.looked_in, found.problems, found.databases, found.stores)


__all__ = ["check_text", "list_text", "now_ms", "options", "readable_file", "reports", "session_text"]
