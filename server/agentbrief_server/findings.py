"""What is wrong, in one open file or in all files of the workspace, and how is it said to the client?"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple, cast

from agentbrief.disk.files import Files
from agentbrief.disk.look import Same
from agentbrief.disk.values import FileText
from agentbrief.jsonio import JsonValue, dumps
from agentbrief.rules.finding import Finding
from agentbrief.tasks.judge import judge
from agentbrief.tasks.setup import Setup, agents, brief_from
from agentbrief.text.line_index import LineIndex
from agentbrief_server.client import Client
from agentbrief_server.documents import line_index
from agentbrief_server.state import Snapshot
from agentbrief_server.to_lsp import diagnostic

MOST_A_FILE = 200
"""The most diagnostics that are told of one file."""

_SLICE_S = 0.0005
"""How long a worker runs before it lets others: the event loop waits for no more than this."""


def findings_of(snapshot: Snapshot, path: str) -> tuple[Finding, ...]:
    """The findings of one instruction file, judged from its own folder and from each start below it."""
    return _findings_of(snapshot, path, snapshot.setup(snapshot.folder_of(path)))


def _findings_of(snapshot: Snapshot, path: str, setup: Setup) -> tuple[Finding, ...]:
    if not setup.settings.flag("enable"):
        return ()
    return judge(setup, (snapshot.names.start_of(path), *starts_below(snapshot, path)), path)[:MOST_A_FILE]


def starts_below(snapshot: Snapshot, path: str) -> tuple[str, ...]:
    """The known start folders below that of an instruction file, from which it is seen too."""
    project = snapshot.projects.get(snapshot.folder_of(path) or "")
    return _below(Same(project.starts), snapshot.names.start_of(path)) if project else ()


@lru_cache(maxsize=64)
def _below(starts: Same[tuple[str, ...]], folder: str) -> tuple[str, ...]:
    prefix = folder.rstrip(os.sep) + os.sep
    return tuple(start for start in starts.value if start.startswith(prefix))


def all_findings(
    snapshot: Snapshot, cancelled: Callable[[], bool]
) -> Mapping[str, tuple[Finding, ...]] | None:
    """The findings of every instruction file of the workspace by path; None when it was cancelled.

    Run in a worker, it lets the event loop in between.
    """
    found: dict[str, tuple[Finding, ...]] = {}
    for folder in snapshot.folders:
        project = snapshot.projects.get(folder)
        setup = snapshot.setup(folder)
        if project is None or not setup.settings.flag("enable"):
            continue
        if not _looked_through(setup, project.starts, cancelled):
            return None
        found |= _by_path(Same(judge(setup, project.starts)))
    return found


def _looked_through(setup: Setup, starts: Iterable[str], cancelled: Callable[[], bool]) -> bool:
    """Have all briefs made that a judgement needs, in slices of time; False when it was cancelled."""
    shown = agents(setup.settings)
    last = time.perf_counter()
    for start in starts:
        for agent in shown:
            brief_from(setup, agent, start)
        if cancelled():
            return False
        if time.perf_counter() - last > _SLICE_S:
            time.sleep(0)
            last = time.perf_counter()
    return True


@lru_cache(maxsize=16)
def _by_path(found: Same[tuple[Finding, ...]]) -> Mapping[str, tuple[Finding, ...]]:
    by_path: dict[str, dict[Finding, None]] = {}
    for finding in found.value:
        by_path.setdefault(finding.path, {})[finding] = None
    return {path: tuple(each)[:MOST_A_FILE] for path, each in by_path.items()}


class _Told(NamedTuple):
    found: tuple[Finding, ...]
    text: str
    client: Client
    others: tuple[str, ...]
    diagnostics: list[dict[str, Any]]


_told: dict[str, _Told] = {}
_MOST_TOLD = 2000


def told_of(snapshot: Snapshot, path: str, found: tuple[Finding, ...] | None = None) -> list[dict[str, Any]]:
    """The findings of the file at ``path`` as diagnostics; None: it is judged first.

    The same list comes back while the findings and the texts they lie in are the same: it is never changed.
    """
    setup = snapshot.setup(snapshot.folder_of(path))
    if found is None:
        found = _findings_of(snapshot, path, setup)
    if not found:
        return []
    files, client = setup.files, snapshot.client
    text, hidden = _shown(snapshot, files, path)
    related = {other.path for each in found if each.related for other in each.related} - {path}
    others = tuple(_shown(snapshot, files, other)[0] for other in sorted(related))
    known = _told.get(path)
    if (
        known is not None
        and known.text is text
        and known.client is client
        and known.found == found
        and known.others == others
    ):
        return known.diagnostics
    index = line_index(text)

    def index_of(other: str) -> LineIndex:
        return index if other == path else line_index(_shown(snapshot, files, other)[0])

    told = [diagnostic(each, index, hidden, client.locale, client.encoding, index_of) for each in found]
    if len(_told) >= _MOST_TOLD:
        _told.clear()
    _told[path] = _Told(found, text, client, others, told)
    return told


@lru_cache(maxsize=_MOST_TOLD)
def result_id(told: Same[list[dict[str, Any]]]) -> str:
    """An identifier of these diagnostics for a client that pulls: the same for the same ones."""
    return hashlib.sha256(dumps(cast("JsonValue", told.value))).hexdigest()[:16]


def _shown(snapshot: Snapshot, files: Files, path: str) -> tuple[str, int]:
    """The text of a file as an editor has it, and how many characters at its start the editor hides."""
    folder = snapshot.folder_of(path) or os.path.dirname(path)
    found = files.read(path, files.roots((folder,)))
    if not isinstance(found, FileText):
        return "", 0
    return found.text[found.hidden :], found.hidden
