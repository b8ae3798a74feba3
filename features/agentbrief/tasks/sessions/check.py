"""What is wrong with a session's file, for a reader and for its agent?"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass

from agentbrief.disk.read import real_roots
from agentbrief.disk.refusal import Refused
from agentbrief.disk.seam import FS
from agentbrief.profiles.sessions_data import identifier_in
from agentbrief.rules.finding import Finding
from agentbrief.rules.registry import rules
from agentbrief.sessions.jsonl.lines import Record
from agentbrief.sessions.jsonl.records import read_lines
from agentbrief.sessions.listing import listed_sessions
from agentbrief.sessions.locations import Location, matches
from agentbrief.sessions.model import Damage
from agentbrief.sessions.readers import OWN_FORMATS, TRANSCRIPTS
from agentbrief.sessions.session_items import SessionItem
from agentbrief.tasks.compaction.due import budget_findings
from agentbrief.tasks.judge import with_severity
from agentbrief.tasks.sessions.agent import AgentStore
from agentbrief.tasks.sessions.list import SessionList
from agentbrief.tasks.sessions.read import (
    NotASession,
    SessionFile,
    chunks_of,
    line_damage,
    session_file,
    whole,
)
from agentbrief.tasks.sessions.scene import MOST_READ, Surroundings, judged, scene_of
from agentbrief.tasks.sessions.setup import SessionsSetup, readable_roots


@dataclass(frozen=True, slots=True)
class CheckedSession:
    """What a check of one file found.

    ``lines`` counts all but blank ones, ``parsed`` the records among them. ``damage`` are the reader's words,
    ``findings`` what the rules of the session's agent make of the file.
    """

    file: SessionFile
    lines: int
    parsed: int
    torn_tail: bool
    damage: tuple[Damage, ...]
    findings: tuple[Finding, ...]


def checked(
    setup: SessionsSetup,
    file: SessionFile,
    store: AgentStore | None = None,
    findings: tuple[Finding, ...] | None = None,
) -> CheckedSession:
    """The check of ``file``. ``store`` is the agent's that it lies in, where that is known.

    ``findings`` are those of the rules where they were judged before.

    Raises:
        Refused: the file is gone, or the disk reports an error.
        ValueError: it is too long for its format.
    """
    if findings is None:
        findings = (*_findings(setup, file, store), *budget_findings(setup, (file,)))
    if file.is_whole or file.format in OWN_FORMATS:
        session = whole(setup.fs, file)
        return CheckedSession(
            file, session.lines, session.parsed, session.torn_tail, session.damage, findings
        )
    lines = parsed = 0
    for line in read_lines(chunks_of(setup.fs, file)):
        lines += 1
        parsed += isinstance(line, Record)
    damage = tuple(line_damage(setup.fs, file))
    torn = any(each.code == "torn-tail" for each in damage)
    return CheckedSession(file, lines, parsed, torn, damage, findings)


def all_checked(
    setup: SessionsSetup, found: SessionList, pause: Callable[[], None] = lambda: None
) -> Iterator[CheckedSession | NotASession]:
    """The checks of the newest sessions of ``found``, at most :data:`MOST_READ`; ``pause`` between them."""
    items = found.items[:MOST_READ]
    judged_before = _by_path(setup, found, items)
    for item in items:
        store = found.store_with(item.path)
        readable = store.readable if store is not None else real_roots(setup.fs, setup.folders)
        try:
            file = session_file(setup.fs, item.path, readable)
            if isinstance(file, NotASession):
                yield file
            else:
                yield checked(setup, file, store, judged_before.get(item.path, ()))
        except Refused as refusal:
            yield NotASession(item.path, refusal.what)
        except ValueError as error:
            yield NotASession(item.path, str(error))
        pause()


def list_findings(setup: SessionsSetup, found: SessionList) -> tuple[Finding, ...]:
    """What the list alone shows: sessions that expire, that their agent does not list, that share a folder.

    Raises:
        Refused: the disk reports an error.
    """
    return tuple(finding for store in found.stores for finding in _judged(setup, store, ()))


def findings_of_list(
    setup: SessionsSetup, found: SessionList, paths: frozenset[str]
) -> dict[str, tuple[Finding, ...]]:
    """The findings of the rules on the transcripts ``paths`` and on what the list shows, by file.

    Raises:
        Refused: the disk reports an error.
    """
    by_path: dict[str, list[Finding]] = {}
    for store in found.stores:
        wanted = [each.path for each in store.sessions if each.path in paths]
        for finding in _judged(setup, store, wanted):
            by_path.setdefault(finding.path, []).append(finding)
    for finding in budget_findings(setup, _files(setup, found, paths)):
        by_path.setdefault(finding.path, []).append(finding)
    return {path: tuple(each) for path, each in by_path.items()}


def _files(setup: SessionsSetup, found: SessionList, paths: frozenset[str]) -> Iterator[SessionFile]:
    """Those sessions of ``found`` whose messages may be read; the workspace's own need trust."""
    own = readable_roots(setup)
    for item in found.items:
        if item.path not in paths or item.problem is not None:
            continue
        store = found.store_with(item.path)
        readable = store.readable if store is not None else own
        with suppress(Refused):
            file = session_file(setup.fs, item.path, readable)
            if isinstance(file, SessionFile):
                yield file


def _by_path(
    setup: SessionsSetup, found: SessionList, items: Iterable[SessionItem]
) -> dict[str, tuple[Finding, ...]]:
    """The findings on ``items``, each agent's store judged once."""
    wanted = {item.path for item in items}
    by_path: dict[str, list[Finding]] = {}
    for store in found.stores:
        paths = [each.path for each in store.sessions if each.path in wanted]
        for finding in _judged(setup, store, paths) if paths else ():
            by_path.setdefault(finding.path, []).append(finding)
    for finding in budget_findings(setup, _files(setup, found, frozenset(wanted))):
        by_path.setdefault(finding.path, []).append(finding)
    return {path: tuple(each) for path, each in by_path.items()}


def _findings(setup: SessionsSetup, file: SessionFile, store: AgentStore | None) -> tuple[Finding, ...]:
    if not any(rule.group == "transcripts" and rule.holds_for(file.agent) for rule in rules()):
        return ()
    if file.format not in TRANSCRIPTS:
        return ()
    around = store or _store_beside(setup.fs, file)
    return tuple(each for each in _judged(setup, around, (file.path,)) if each.path == file.path)


def _judged(setup: SessionsSetup, store: AgentStore, paths: Iterable[str]) -> Iterator[Finding]:
    around = Surroundings(
        setup.folders if setup.trusted else (),
        setup.now_ms,
        setup.env,
        setup.settings.number("sessions.expiringDays") or 0,
    )
    for finding in judged(scene_of(setup.fs, store, around, paths)):
        adjusted = with_severity(finding, setup.settings)
        if adjusted is not None:
            yield adjusted


def _store_beside(fs: FS, file: SessionFile) -> AgentStore:
    """The sessions in the folder of ``file``, as the store of its agent."""
    folder = os.path.dirname(file.path)
    data = file.agent.sessions
    places = [
        Location(path, folder, identifier)
        for path in matches(fs, folder, "*.jsonl")
        if data is not None and (identifier := identifier_in(data, os.path.basename(path)))
    ]
    if not any(place.path == file.path for place in places):
        places.append(Location(file.path, folder, file.session_id))
    found = listed_sessions(fs, places, file.readable, file.format)
    return AgentStore(file.agent, (), file.readable, found)
