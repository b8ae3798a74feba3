"""What does the log of the user's own hook say beside the briefs of some agents?"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from stat import S_ISDIR

from agentbrief.brief import Brief
from agentbrief.disk.files import Files
from agentbrief.disk.spelling import refused_spelling
from agentbrief.disk.values import ReadProblem
from agentbrief.oracle.beside import Beside, Problem, newest_session, rows_of
from agentbrief.oracle.log import END_BYTES, LoadLog, read_log
from agentbrief.tasks.setup import Setup

SETTING = "oracleLog"

_NOTHING = LoadLog()

_PROBLEMS: dict[str, Problem] = {
    "not-a-file": "not-a-file",
    "outside-roots": "outside-roots",
    "dangling-link": "dangling-link",
}


@dataclass(frozen=True, slots=True)
class _Read:
    """What a look at the log found: what it says, or why it was not read."""

    log: LoadLog
    skipped: int = 0
    problem: Problem | None = None
    detail: str = ""


def log_beside(setup: Setup, briefs: Sequence[Brief], home: str) -> Beside | None:
    """The log that the setting names beside ``briefs``, which have one start folder; None where it names
    none. ``home`` is the folder that ``~`` stands for.

    The log is read again only if it changed.
    """
    given = setup.settings.text(SETTING).strip()
    if not given:
        return None
    path = os.path.join(home, given[2:]) if given.startswith(("~/", "~" + os.sep)) else given
    start = briefs[0].start
    if (reason := refused_spelling(path)) is not None:
        return Beside(path, start, "refused", reason)
    if not os.path.isabs(path):
        return Beside(path, start, "relative")
    read = setup.files.remembered(("log of a hook", path), lambda files: _read(files, path))
    beside = Beside(path, start, read.problem, read.detail, read.skipped, read.log.damages)
    if read.problem is not None:
        return beside
    records = read.log.records
    if not records:
        return replace(beside, problem="empty")
    session = newest_session(records, start, setup.files)
    if session is None:
        newest = next((record.cwd for record in reversed(records) if record.cwd), "")
        return replace(beside, problem="no-session", detail=newest)
    return replace(beside, session=session, rows=rows_of(session, briefs, setup.files))


def _read(files: Files, path: str) -> _Read:
    folder = os.path.dirname(path)
    target = files.look(folder).target
    if target is None or not S_ISDIR(target.mode):
        return _Read(_NOTHING, problem="missing")
    found = files.tail(path, files.roots((folder,)), END_BYTES)
    if found is None:
        return _Read(_NOTHING, problem="missing")
    if isinstance(found, ReadProblem):
        return _Read(_NOTHING, problem=_PROBLEMS.get(found.kind, "unreadable"), detail=found.detail)
    log = read_log(found.data, is_end=found.skipped > 0)
    return _Read(log, found.skipped)
