"""What is wrong, in one open file or in all files of the workspace, and how is it said to the client?"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from agentbrief.disk.values import FileText
from agentbrief.instructions.place import holder
from agentbrief.rules.finding import Finding
from agentbrief.tasks.judge import judge
from agentbrief.text.line_index import LineIndex
from agentbrief_server.documents import line_index
from agentbrief_server.state import Snapshot, instruction_names
from agentbrief_server.to_lsp import diagnostic

MOST_A_FILE = 200
"""The most diagnostics that are told of one file."""


def findings_of(snapshot: Snapshot, path: str) -> tuple[Finding, ...]:
    """The findings of one instruction file, judged from its own folder and from each start below it."""
    folder = snapshot.folder_of(path)
    if not snapshot.settings_of(folder).flag("enable"):
        return ()
    own = holder(path, instruction_names())
    project = snapshot.projects.get(folder or "")
    below = own.rstrip(os.sep) + os.sep
    starts = [start for start in (project.starts if project else ()) if start.startswith(below)]
    return judge(snapshot.setup(folder), [own, *starts], path)[:MOST_A_FILE]


def all_findings(snapshot: Snapshot, cancelled: Callable[[], bool]) -> dict[str, tuple[Finding, ...]] | None:
    """The findings of every instruction file of the workspace by path; None when it was cancelled."""
    found: dict[str, list[Finding]] = {}
    for folder in snapshot.folders:
        if cancelled():
            return None
        project = snapshot.projects.get(folder)
        if project is None or not snapshot.settings_of(folder).flag("enable"):
            continue
        for finding in judge(snapshot.setup(folder), project.starts):
            found.setdefault(finding.path, []).append(finding)
    return {path: tuple(dict.fromkeys(each))[:MOST_A_FILE] for path, each in found.items()}


def diagnostics(snapshot: Snapshot, path: str, found: tuple[Finding, ...]) -> list[dict[str, Any]]:
    """``found`` as diagnostics of the file at ``path``."""
    read = _read(snapshot, path)
    text = read.text[read.hidden :] if read is not None else ""
    index, hidden = line_index(text), read.hidden if read is not None else 0
    client = snapshot.client

    def index_of(other: str) -> LineIndex:
        if other == path:
            return index
        there = _read(snapshot, other)
        return line_index(there.text[there.hidden :] if there is not None else "")

    return [diagnostic(each, index, hidden, client.locale, client.encoding, index_of) for each in found]


def _read(snapshot: Snapshot, path: str) -> FileText | None:
    folder = snapshot.folder_of(path) or os.path.dirname(path)
    found = snapshot.files.read(path, snapshot.files.roots((folder,)))
    return found if isinstance(found, FileText) else None
